//! Something about a record that a person should know.

pub mod code;

use std::{fmt, ops::Range};

use self::code::{Code, Severity, Stage};
use crate::games::{chess, xiangqi};

/// A language in which issues are described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// Where the pieces stand (PGN standard 16.1.3.1).
    Placement,
    /// Who moves (16.1.3.2).
    Side,
    /// Castling rights (16.1.3.3); always `-` in xiangqi.
    Castling,
    /// En passant target (16.1.3.4); always `-` in xiangqi.
    EnPassant,
    /// Half-move clock (16.1.3.5).
    Halfmove,
    /// Number of the move (16.1.3.6).
    Fullmove,
}

impl Field {
    /// All six in the order of a record.
    pub const ALL: [Field; 6] =
        [Field::Placement, Field::Side, Field::Castling, Field::EnPassant, Field::Halfmove, Field::Fullmove];

    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Field::Placement => "placement",
            Field::Side => "side",
            Field::Castling => "castling",
            Field::EnPassant => "ep",
            Field::Halfmove => "halfmove",
            Field::Fullmove => "fullmove",
        }
    }

    fn name_zh(self) -> &'static str {
        match self {
            Field::Placement => "布局",
            Field::Side => "行棋方",
            Field::Castling => "易位权",
            Field::EnPassant => "过路兵",
            Field::Halfmove => "半回合数",
            Field::Fullmove => "回合数",
        }
    }
}

/// Where something is on a board: a square of chess or a point of xiangqi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// Of chess.
    Square(chess::Square),
    /// Of xiangqi.
    Point(xiangqi::Point),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Square(square) => square.fmt(f),
            Location::Point(point) => point.fmt(f),
        }
    }
}

impl From<chess::Square> for Location {
    fn from(square: chess::Square) -> Location {
        Location::Square(square)
    }
}

impl From<xiangqi::Point> for Location {
    fn from(point: xiangqi::Point) -> Location {
        Location::Point(point)
    }
}

/// A color of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyColor {
    /// Of chess.
    Chess(chess::Color),
    /// Of xiangqi.
    Xiangqi(xiangqi::Color),
}

impl From<chess::Color> for AnyColor {
    fn from(color: chess::Color) -> AnyColor {
        AnyColor::Chess(color)
    }
}

impl From<xiangqi::Color> for AnyColor {
    fn from(color: xiangqi::Color) -> AnyColor {
        AnyColor::Xiangqi(color)
    }
}

/// The value of a word in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operand {
    /// As it is.
    Text(String),
    /// Another text in each language.
    Words(&'static str, &'static str),
    /// A number.
    Number(u64),
    /// A color as an adjective: white, 白.
    Color(AnyColor),
    /// A color as a player: White, 白方.
    Player(AnyColor),
    /// Squares or points.
    Locations(Vec<Location>),
    /// Fields of a record.
    Fields(Vec<Field>),
}

impl Operand {
    fn write(&self, language: Language, text: &mut String) {
        let chinese = language == Language::Chinese;
        match self {
            Operand::Text(words) => text.push_str(words),
            Operand::Words(english, zh) => text.push_str(if chinese { zh } else { english }),
            Operand::Number(n) => text.push_str(&n.to_string()),
            Operand::Color(color) | Operand::Player(color) => {
                let player = matches!(self, Operand::Player(_));
                text.push_str(match (color, language, player) {
                    (AnyColor::Chess(color), Language::English, false) => color.name(),
                    (AnyColor::Xiangqi(color), Language::English, false) => color.name(),
                    (AnyColor::Chess(chess::Color::White), Language::English, true) => "White",
                    (AnyColor::Chess(chess::Color::White), Language::Chinese, _) => "白",
                    (AnyColor::Xiangqi(xiangqi::Color::Red), Language::English, true) => "Red",
                    (AnyColor::Xiangqi(xiangqi::Color::Red), Language::Chinese, _) => "红",
                    (_, Language::English, true) => "Black",
                    (_, Language::Chinese, _) => "黑",
                });
                if player && chinese {
                    text.push('方');
                }
            }
            Operand::Locations(locations) => join(locations.iter().map(Location::to_string), chinese, text),
            Operand::Fields(fields) => {
                let name = |field: &Field| if chinese { field.name_zh() } else { field.name() };
                join(fields.iter().map(|field| name(field).to_owned()), chinese, text);
            }
        }
    }
}

fn join(parts: impl Iterator<Item = String>, chinese: bool, text: &mut String) {
    for (index, part) in parts.enumerate() {
        if index > 0 {
            text.push_str(if chinese { "、" } else { ", " });
        }
        text.push_str(&part);
    }
}

impl From<&str> for Operand {
    fn from(text: &str) -> Operand {
        Operand::Text(text.into())
    }
}

impl From<String> for Operand {
    fn from(text: String) -> Operand {
        Operand::Text(text)
    }
}

impl From<char> for Operand {
    fn from(letter: char) -> Operand {
        Operand::Text(letter.into())
    }
}

impl From<usize> for Operand {
    fn from(n: usize) -> Operand {
        Operand::Number(n as u64)
    }
}

impl From<u32> for Operand {
    fn from(n: u32) -> Operand {
        Operand::Number(n.into())
    }
}

impl From<chess::Square> for Operand {
    fn from(square: chess::Square) -> Operand {
        Operand::Locations(vec![square.into()])
    }
}

impl From<xiangqi::Point> for Operand {
    fn from(point: xiangqi::Point) -> Operand {
        Operand::Locations(vec![point.into()])
    }
}

impl<P: Copy + Into<Location>> From<&[P]> for Operand {
    fn from(locations: &[P]) -> Operand {
        Operand::Locations(locations.iter().map(|&location| location.into()).collect())
    }
}

/// Something about a record that a person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What kind of thing.
    pub code: Code,
    /// The field it is about; none when it is about the record as a whole.
    pub field: Option<Field>,
    /// Where in the text, in bytes; none when it is about something that is not there, or there is no text.
    pub range: Option<Range<usize>>,
    /// The squares or points to check, the one that is wrong first.
    pub locations: Vec<Location>,
    operands: Vec<(&'static str, Operand)>,
}

impl Issue {
    /// An issue about the record as a whole.
    pub(super) fn new(code: Code) -> Issue {
        Issue { code, field: None, range: None, locations: Vec::new(), operands: Vec::new() }
    }

    pub(super) fn field(mut self, field: Field) -> Issue {
        self.field = Some(field);
        self
    }

    pub(super) fn range(mut self, range: Range<usize>) -> Issue {
        self.range = Some(range);
        self
    }

    pub(super) fn at(mut self, locations: impl IntoIterator<Item = impl Into<Location>>) -> Issue {
        self.locations.extend(locations.into_iter().map(Into::into));
        self
    }

    pub(super) fn with(mut self, name: &'static str, operand: impl Into<Operand>) -> Issue {
        self.operands.push((name, operand.into()));
        self
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// What is wrong or worth knowing.
    pub fn message(&self, language: Language) -> String {
        let words = match language {
            Language::English => self.code.english(),
            Language::Chinese => self.code.chinese(),
        };
        self.fill(words.message, language)
    }

    /// What to do about it, if anything.
    pub fn fix(&self, language: Language) -> Option<String> {
        let words = match language {
            Language::English => self.code.english(),
            Language::Chinese => self.code.chinese(),
        };
        (!words.fix.is_empty()).then(|| self.fill(words.fix, language))
    }

    /// Whether the text departs from the spelling of the PGN standard.
    pub(super) fn breaks_syntax(&self) -> bool {
        // A target on any but the third and the sixth rank is misspelled. Which of these two it must be depends on the side
        // to move, and is not a question of spelling.
        let wrong_rank = |location: &Location| match location {
            Location::Square(square) => !matches!(square.rank().index(), 2 | 5),
            Location::Point(_) => false,
        };
        self.code.breaks_syntax() || (self.code == Code::EpWrongRank && self.locations.iter().any(wrong_rank))
    }

    fn fill(&self, template: &str, language: Language) -> String {
        let mut text = String::with_capacity(template.len() + 16);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            if let Some((_, operand)) = self.operands.iter().find(|operand| operand.0 == name) {
                operand.write(language, &mut text);
            } else {
                debug_assert!(false, "{}: no operand {name}", self.code);
            }
            rest = after;
        }
        text.push_str(rest);
        text
    }
}

impl fmt::Display for Issue {
    /// The message in English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(Language::English))
    }
}

/// Sorts issues in the order in which a record is read: by code, then by their ranges in the text.
pub(super) fn sort(issues: &mut [Issue]) {
    issues.sort_by_key(|issue| (issue.code, issue.range.as_ref().map(|range| range.start)));
}

/// The field that the codes of a stage are about, where that is one.
pub(super) fn field_of(stage: Stage) -> Option<Field> {
    match stage {
        Stage::Placement | Stage::Position | Stage::Xiangqi => Some(Field::Placement),
        Stage::Side => Some(Field::Side),
        Stage::Castling => Some(Field::Castling),
        Stage::EnPassant => Some(Field::EnPassant),
        Stage::Record | Stage::CastlingOrEp | Stage::Counters => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::Color;

    #[test]
    fn messages_are_filled_in_both_languages() {
        let issue = Issue::new(Code::MissingKing).with("color", Operand::Color(Color::White.into()));
        assert_eq!(issue.message(Language::English), "no white king");
        assert_eq!(issue.message(Language::Chinese), "缺白王（将、帅）");
        assert_eq!(issue.fix(Language::Chinese).as_deref(), Some("找出被误读的王"));
        assert_eq!(Issue::new(Code::EmptyBoard).fix(Language::English), None);
    }
}
