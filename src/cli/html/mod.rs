//! What the pages of HTML share: the skeleton, the style sheet, and how they show boards and pictures.

pub mod picture;

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use fenlens::{
    games::{
        chess::{Color, Square},
        placement::Placement,
    },
    output::diagram::Diagram,
};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");

/// Where the pictures of a page are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    /// In the page itself. It then fetches nothing, and its content security policy forbids it to.
    Embedded,
    /// In files beside the page. Its content security policy allows pictures from where the page is.
    Files,
}

impl Pictures {
    /// Where pictures may come from, for the content security policy. A page that is opened as a file has no origin of its
    /// own, and is allowed files.
    fn sources(self) -> &'static str {
        match self {
            Pictures::Embedded => "data:",
            Pictures::Files => "'self' file:",
        }
    }
}

/// A page, apart from its body. It is written in parts, so that a long one need not be held in memory.
pub struct Page {
    /// The title.
    pub title: String,
    /// Style rules for this page only.
    pub rules: String,
    /// The script of the page.
    pub script: Option<&'static str>,
    /// Where the pictures are.
    pub pictures: Pictures,
}

impl Page {
    /// The page up to its body: the head, and the header with the heading.
    pub fn begin(&self, header: &Markup) -> String {
        let style = format!("{STYLE}{}", self.rules);
        let head = html! {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&style, self.script, self.pictures));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { (self.title) }
                style { (PreEscaped(style)) }
            }
        };
        let header = html! { header.top { (header) } };
        let (doctype, head, header) = (DOCTYPE.into_string(), head.into_string(), header.into_string());
        format!("{doctype}<html lang=\"en\">{head}<body>{header}<main>\n")
    }

    /// The page after its body. The footer names the program and the models, if they are known, and ends with `words`.
    pub fn end(&self, models: Option<&str>, words: &str) -> String {
        let footer = html! {
            footer {
                p {
                    "Made by fenlens " (env!("CARGO_PKG_VERSION")) @if let Some(models) = models { " (models " (models) ")" } ". "
                    (words)
                }
            }
        };
        let script = self.script.map_or_else(String::new, |script| format!("<script>{script}</script>"));
        format!("</main>\n{}{script}</body></html>\n", footer.into_string())
    }
}

/// A content security policy that allows this style, this script and pictures from there, and nothing else.
fn policy(style: &str, script: Option<&str>, pictures: Pictures) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)));
    let script = script.map_or_else(|| "'none'".to_owned(), hash);
    let (style, pictures) = (hash(style), pictures.sources());
    format!(
        "default-src 'none'; img-src {pictures}; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"
    )
}

/// The diagram of a position, with one side at the bottom and some squares flagged.
pub fn diagram(placement: &Placement, bottom: Color, flagged: impl IntoIterator<Item = Square>) -> Diagram {
    let mut diagram = Diagram::of_chess(placement).flipped(bottom == Color::Black);
    flagged.into_iter().for_each(|square| diagram.flag_square(square));
    diagram
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(pictures: Pictures, script: Option<&'static str>) -> String {
        let page = Page { title: "a < b".into(), rules: ".q{--hot:1}".into(), script, pictures };
        page.begin(&html! { h1 { "Heading" } }) + &page.end(Some("m"), "Words.")
    }

    #[test]
    fn a_page_has_a_heading_and_a_footer() {
        let page = page(Pictures::Files, None);
        assert!(page.contains("<title>a &lt; b</title>") && page.contains("<header class=\"top\"><h1>Heading</h1>"));
        let made = format!("<footer><p>Made by fenlens {} (models m). Words.</p></footer>", env!("CARGO_PKG_VERSION"));
        assert!(page.contains(&made) && page.ends_with("</body></html>\n"), "{page}");
    }

    #[test]
    fn a_policy_allows_only_the_style_and_script_of_its_page() {
        let hash = |text: &str| BASE64.encode(Sha256::digest(text));
        let with_script = page(Pictures::Embedded, Some("run()"));
        assert!(with_script.contains(&format!("style-src 'sha256-{}'", hash(&format!("{STYLE}.q{{--hot:1}}")))));
        assert!(with_script.contains(&format!("script-src 'sha256-{}'", hash("run()"))));
        assert!(with_script.contains("<script>run()</script>"));
        let without = page(Pictures::Embedded, None);
        assert!(without.contains("script-src 'none'") && !without.contains("<script"));
        assert!(without.contains("default-src 'none'; img-src data:; "));
        assert!(page(Pictures::Files, None).contains("default-src 'none'; img-src 'self' file:; "));
    }
}
