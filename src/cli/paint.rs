//! Colors and other styles on a terminal, in ANSI escape sequences.

/// How a text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Bold,
    Dim,
    Green,
    Yellow,
    Cyan,
    BoldGreen,
    BoldRed,
}

impl Style {
    /// The parameters of the sequence that begins the style (SGR, ECMA-48 8.3.117).
    fn parameters(self) -> &'static str {
        match self {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Green => "32",
            Style::Yellow => "33",
            Style::Cyan => "36",
            Style::BoldGreen => "1;32",
            Style::BoldRed => "1;31",
        }
    }
}

/// Applies styles to text, or leaves it as it is where styles are not wanted.
#[derive(Clone, Copy, Debug)]
pub struct Painter {
    styled: bool,
}

impl Painter {
    /// A painter that applies styles only if they are wanted.
    pub fn new(styled: bool) -> Painter {
        Painter { styled }
    }

    /// The text in a style.
    pub fn paint(self, style: Style, text: &str) -> String {
        if self.styled && !text.is_empty() {
            format!("\u{1b}[{}m{text}\u{1b}[0m", style.parameters())
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_applied_only_if_wanted() {
        assert_eq!(Painter::new(true).paint(Style::BoldRed, "a"), "\u{1b}[1;31ma\u{1b}[0m");
        assert_eq!(Painter::new(true).paint(Style::Dim, ""), "");
        assert_eq!(Painter::new(false).paint(Style::BoldRed, "a"), "a");
    }
}
