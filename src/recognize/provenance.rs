//! Where a value of a reading comes from. Every stage that decides something says so with a [`Source`].

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Seen in the picture.
    Picture,
    /// The rules of the game leave no choice.
    Rule,
    /// The user said so.
    User,
    /// An assumption that is the same for every picture.
    Assumed,
}

impl Source {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Source::Picture => "picture",
            Source::Rule => "rule",
            Source::User => "user",
            Source::Assumed => "assumed",
        }
    }
}
