//! What is wrong with the data of a picture that decodes all the same.

use std::fmt;

/// Why the data of a picture cannot be trusted. Decoders paint something wherever data are damaged, often one flat color, and
/// a flat rank looks like empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Damage {
    /// The data end before all of the picture has been described.
    EndsEarly,
    /// Some data are none that an encoder writes: a code that is in no table, a value out of range.
    Impossible,
    /// Data are left after all of the picture has been described.
    Leftover,
    /// Restart markers, which divide the data of a JPEG into parts, are missing or out of order.
    Restart,
    /// One of the pictures that a page is made of is damaged, or cannot be decoded and is left out.
    Missing,
}

impl Damage {
    /// What is wrong, as part of a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Damage::EndsEarly => "they end before the picture does",
            Damage::Impossible => "they hold a code or value that cannot be",
            Damage::Leftover => "more of them than the picture needs",
            Damage::Restart => "a restart marker is missing or out of order",
            Damage::Missing => "a picture on the page is damaged or cannot be decoded",
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}
