//! Labels: what boards a picture has, as written in files of several forms.

use std::fmt;

use serde::Deserialize;

use crate::games::{
    chess::Color,
    placement::{Placement, PlacementError},
};

/// The boards of a picture in reading order; none where the picture has no board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The boards.
    pub boards: Vec<LabelledBoard>,
    /// The name of the picture, where the label has it.
    pub picture: Option<String>,
    /// The SHA-256 of the picture's file in small hexadecimal digits, where the label has it.
    pub sha256: Option<String>,
}

/// One board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelledBoard {
    /// Where the pieces stand.
    pub placement: Placement,
    /// The side at the bottom, where the label says it. The placement does not depend on it.
    pub orientation: Option<Color>,
}

/// Why a text is no label. Boards are counted from 1.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabelError {
    /// It is no JSON of the form of a label.
    Json(serde_json::Error),
    /// The label is of a version that is not known.
    Schema(u64),
    /// There is nothing that says which boards the picture has, not even that it has none.
    Nothing,
    /// A placement that is none.
    Placement {
        /// Which board.
        board: usize,
        /// What is written.
        text: String,
        /// What is wrong with it.
        source: PlacementError,
    },
    /// The placement and the FEN of a board differ.
    Contradiction {
        /// Which board.
        board: usize,
    },
    /// Neither `white` nor `black`.
    Orientation {
        /// Which board.
        board: usize,
        /// What is written.
        text: String,
    },
    /// There are neither as many sides as boards, nor one for all.
    Orientations {
        /// How many sides.
        sides: usize,
        /// How many boards.
        boards: usize,
    },
    /// A file name that reads as more than one position.
    Ambiguous,
}

impl fmt::Display for LabelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelError::Json(error) => error.fmt(f),
            LabelError::Schema(schema) => write!(f, "labels of schema {schema} are not known, only of 1"),
            LabelError::Nothing => f.write_str("no board is given; a picture without any is said to have none"),
            LabelError::Placement { board, text, source } => {
                write!(f, "board {board}: {text:?} is no placement of chess: {source}")
            }
            LabelError::Contradiction { board } => write!(f, "board {board}: the placement is not that of the FEN"),
            LabelError::Orientation { board, text } => {
                write!(f, "board {board}: the side at the bottom is {text:?}, it must be white or black")
            }
            LabelError::Orientations { sides, boards } => {
                write!(f, "{sides} sides at the bottom for {boards} boards, there must be one, or one a board")
            }
            LabelError::Ambiguous => f.write_str("the file name reads as more than one position"),
        }
    }
}

impl std::error::Error for LabelError {}

/// A label as JSON. What is not known is no fault, so that a record of `fenlens read --json` is a label too.
#[derive(Deserialize)]
struct File {
    schema: Option<u64>,
    picture: Option<String>,
    sha256: Option<String>,
    boards: Option<Vec<Board>>,
    #[serde(flatten)]
    single: Board,
}

#[derive(Deserialize)]
struct Board {
    placement: Option<String>,
    fen: Option<String>,
    orientation: Option<String>,
}

impl Label {
    /// The label in a JSON file: one board, `{"placement": ..., "orientation": "white"}` or `{"fen": ...}`, or any number
    /// of them, `{"boards": [...]}`. Beside these there may be `schema` (1), `picture`, the name of the picture, and
    /// `sha256`, the hash of its file. Of a FEN only the first field counts.
    ///
    /// # Errors
    /// [`LabelError`].
    pub fn from_json(text: &str) -> Result<Label, LabelError> {
        let File { schema, picture, sha256, boards, single } = serde_json::from_str(text).map_err(LabelError::Json)?;
        if let Some(schema) = schema.filter(|&schema| schema != 1) {
            return Err(LabelError::Schema(schema));
        }
        let boards = match boards {
            Some(boards) => boards,
            None if single.placement.is_none() && single.fen.is_none() => return Err(LabelError::Nothing),
            None => vec![single],
        };
        let boards = boards.iter().enumerate().map(|(n, board)| board.read(n + 1)).collect::<Result<_, _>>()?;
        Ok(Label { boards, picture, sha256: sha256.map(|hash| hash.to_ascii_lowercase()) })
    }

    /// The label in a text file: a FEN or its first field a line, a line for each board, or a single `-` for a picture
    /// without a board. Empty lines do not count.
    ///
    /// # Errors
    /// [`LabelError`].
    pub fn from_lines(text: &str) -> Result<Label, LabelError> {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let boards = match lines[..] {
            [] => return Err(LabelError::Nothing),
            ["-"] => Vec::new(),
            _ => {
                let boards = lines.iter().enumerate();
                boards.map(|(n, line)| LabelledBoard::read(n + 1, line, None)).collect::<Result<_, _>>()?
            }
        };
        Ok(Label { boards, ..Label::default() })
    }

    /// The label in a row of a table: placements and sides at the bottom, each joined by `|`. Without a placement, the
    /// picture has no board; a single side holds for all boards.
    ///
    /// # Errors
    /// [`LabelError`].
    pub fn from_columns(placements: &str, orientations: &str) -> Result<Label, LabelError> {
        let parts = |text| str::split(text, '|').map(str::trim).filter(|part| !part.is_empty()).collect();
        let (placements, sides): (Vec<&str>, Vec<&str>) = (parts(placements), parts(orientations));
        if sides.len() > 1 && sides.len() != placements.len() {
            return Err(LabelError::Orientations { sides: sides.len(), boards: placements.len() });
        }
        let side = |n: usize| if sides.len() == 1 { Some(sides[0]) } else { sides.get(n).copied() };
        let boards = placements.iter().enumerate();
        let boards = boards.map(|(n, text)| LabelledBoard::read(n + 1, text, side(n))).collect::<Result<_, _>>()?;
        Ok(Label { boards, ..Label::default() })
    }

    /// The label in the name of a file without its extension, as collections of drawn boards have it: eight ranks joined
    /// by `-` or `_`, empty squares as one digit or as many ones. Words before and after them do not matter. None when
    /// the name does not look like a position at all.
    ///
    /// # Errors
    /// [`LabelError`], when it looks like a position but is none, or more than one.
    pub fn from_file_name(stem: &str) -> Option<Result<Label, LabelError>> {
        let parts: Vec<&str> = stem.split(['-', '_']).collect();
        let is_rank = |part: &&str| !part.is_empty() && part.chars().all(|c| "12345678PNBRQKpnbrqk".contains(c));
        let mut positions = Vec::new();
        for ranks in parts.windows(8).filter(|ranks| ranks.iter().all(is_rank)) {
            positions.push(LabelledBoard::read(1, &ranks.join("/"), None));
        }
        let looks = positions.len();
        let (mut right, mut wrong) = (Vec::new(), None);
        for position in positions {
            match position {
                Ok(board) => right.push(board),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        match (looks, &right[..], wrong) {
            (0, ..) => None,
            (_, &[board], _) => Some(Ok(Label { boards: vec![board], ..Label::default() })),
            (_, [], Some(error)) => Some(Err(error)),
            _ => Some(Err(LabelError::Ambiguous)),
        }
    }
}

impl Board {
    fn read(&self, number: usize) -> Result<LabelledBoard, LabelError> {
        let text = self.placement.as_deref().or(self.fen.as_deref()).ok_or(LabelError::Nothing)?;
        let board = LabelledBoard::read(number, text, self.orientation.as_deref())?;
        if let Some(fen) = &self.fen
            && LabelledBoard::read(number, fen, None)?.placement != board.placement
        {
            return Err(LabelError::Contradiction { board: number });
        }
        Ok(board)
    }
}

impl LabelledBoard {
    /// A board of a FEN, of which the first field alone counts, and of the name of the side at the bottom.
    fn read(board: usize, fen: &str, orientation: Option<&str>) -> Result<LabelledBoard, LabelError> {
        let text = fen.split_whitespace().next().unwrap_or_default();
        let placement =
            text.parse().map_err(|source| LabelError::Placement { board, text: text.to_owned(), source })?;
        let orientation = match orientation {
            None => None,
            Some(text) => {
                let side = Color::ALL.into_iter().find(|color| color.name() == text);
                Some(side.ok_or_else(|| LabelError::Orientation { board, text: text.to_owned() })?)
            }
        };
        Ok(LabelledBoard { placement, orientation })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluate::tests::{GAME, START};

    fn boards(label: Result<Label, LabelError>) -> Vec<(String, Option<Color>)> {
        label.unwrap().boards.iter().map(|board| (board.placement.to_string(), board.orientation)).collect()
    }

    fn said(label: Result<Label, LabelError>) -> String {
        label.unwrap_err().to_string()
    }

    #[test]
    fn json_in_all_forms() {
        let game = [(GAME.to_owned(), None)];
        assert_eq!(boards(Label::from_json(&format!(r#"{{"placement": "{GAME}"}}"#))), game);
        let fen = format!("{GAME} b - - 3 20");
        assert_eq!(boards(Label::from_json(&format!(r#"{{"fen": "{fen}"}}"#))), game);
        assert_eq!(boards(Label::from_json(r#"{"boards": []}"#)), []);
        let label = Label::from_json(&format!(
            r#"{{"schema": 1, "picture": "a.png", "sha256": "AB", "boards": [
                {{"fen": "{fen}", "orientation": "black"}}, {{"placement": "{START}", "fen": "{START} w KQkq - 0 1"}}]}}"#
        ))
        .unwrap();
        assert_eq!((label.picture.as_deref(), label.sha256.as_deref()), (Some("a.png"), Some("ab")));
        assert_eq!(boards(Ok(label)), [(GAME.into(), Some(Color::Black)), (START.into(), None)]);
    }

    #[test]
    fn json_that_is_no_label_says_why() {
        assert!(said(Label::from_json("[")).contains("line 1"));
        assert_eq!(said(Label::from_json("{}")), LabelError::Nothing.to_string());
        assert_eq!(said(Label::from_json(r#"{"boards": [{}]}"#)), LabelError::Nothing.to_string());
        assert_eq!(said(Label::from_json(r#"{"schema": 2}"#)), "labels of schema 2 are not known, only of 1");
        let both = format!(r#"{{"placement": "{GAME}", "fen": "{START} w KQkq - 0 1"}}"#);
        assert_eq!(said(Label::from_json(&both)), "board 1: the placement is not that of the FEN");
        let side = format!(r#"{{"fen": "{GAME}", "orientation": "red"}}"#);
        assert_eq!(
            said(Label::from_json(&side)),
            "board 1: the side at the bottom is \"red\", it must be white or black"
        );
    }

    #[test]
    fn lines_are_boards() {
        assert_eq!(boards(Label::from_lines(&format!("{GAME} w - - 0 1\n\n {START}\r\n"))).len(), 2);
        assert_eq!(boards(Label::from_lines("-\n")), []);
        assert_eq!(said(Label::from_lines(" \n")), LabelError::Nothing.to_string());
        let bad = said(Label::from_lines(&format!("{GAME}\n8/8")));
        assert_eq!(bad, "board 2: \"8/8\" is no placement of chess: 2 ranks, there must be 8");
    }

    #[test]
    fn columns_hold_several_boards() {
        let two = format!("{GAME} | {START}");
        let sides = |text| boards(Label::from_columns(&two, text)).iter().map(|board| board.1).collect::<Vec<_>>();
        assert_eq!(sides("white | black"), [Some(Color::White), Some(Color::Black)]);
        assert_eq!(sides("black"), [Some(Color::Black); 2]);
        assert_eq!(sides(""), [None; 2]);
        assert_eq!(boards(Label::from_columns("", "")), []);
        assert!(said(Label::from_columns(GAME, "white|black")).starts_with("2 sides at the bottom for 1 boards"));
    }

    #[test]
    fn file_names_hold_a_position() {
        let name =
            |stem| Label::from_file_name(stem).map(|label| label.map(|label| label.boards[0].placement.to_string()));
        let is = |stem, placement: &str| assert_eq!(name(stem).unwrap().unwrap(), placement, "{stem}");
        is("1b1B1b2-2pK2q1-4p1rB-7k-8-8-3B4-3rb3", "1b1B1b2/2pK2q1/4p1rB/7k/8/8/3B4/3rb3");
        is("rnbqkbnr-pppppppp-11111111-11111111-11111111-11111111-PPPPPPPP-RNBQKBNR", START);
        is("scan_0012_rnbqkbnr_pppppppp_8_8_8_8_PPPPPPPP_RNBQKBNR_copy", START);
        for none in ["board-12", "", "a-b-c-d-e-f-g-h", "2024-01-02-03-04-05-06-07-page"] {
            assert!(name(none).is_none(), "{none}");
        }
        let cut_short = name("rnbqkbnr-pppppppp-8-8-8-8-PPPPPPP-RNBQKBNR").unwrap().unwrap_err().to_string();
        assert!(cut_short.ends_with("rank 2 does not fill 8 squares"), "{cut_short}");
        let nine = name("8-8-8-8-8-8-8-8-8").unwrap();
        assert!(matches!(nine, Err(LabelError::Ambiguous)), "{nine:?}");
    }

    proptest! {
        #[test]
        fn nothing_panics(text in ".{0,120}", stem in "[1-8kqP_-]{0,40}") {
            let _ = (Label::from_json(&text), Label::from_lines(&text), Label::from_columns(&text, &text));
            let _ = (Label::from_file_name(&text), Label::from_file_name(&stem));
        }
    }
}
