//! Labels: which boards a picture has, read from files of several forms.

use serde::Deserialize;
use thiserror::Error;

use crate::games::{
    chess::Color,
    placement::{Placement, PlacementError},
};

/// What is on a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The boards in reading order; empty when the picture has none.
    pub boards: Vec<LabeledBoard>,
    /// The name of the picture, if the label has it.
    pub picture: Option<String>,
    /// The SHA-256 of the picture's file in lower-case hexadecimal digits, if the label has it.
    pub sha256: Option<String>,
}

/// One board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LabeledBoard {
    /// The pieces.
    pub placement: Placement,
    /// The side at the bottom, if the label says it. The placement does not depend on it.
    pub orientation: Option<Color>,
}

/// Why a text is not a valid label. Boards are counted from 1.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The text is not JSON of the form of a label.
    #[error(transparent)]
    Json(Box<dyn std::error::Error + Send + Sync>),
    /// The label is of an unknown version.
    #[error("labels of schema {0} are not known, only of 1")]
    Schema(u64),
    /// The text neither gives a board nor says that there is none.
    #[error("no board is given; a picture without any is said to have none")]
    Nothing,
    /// A placement that is not valid.
    #[error("board {board}: {text:?} is no placement of chess: {source}")]
    Placement {
        /// The number of the board.
        board: usize,
        /// What is written.
        text: String,
        /// What is wrong with it.
        source: PlacementError,
    },
    /// The placement and the FEN of a board differ.
    #[error("board {board}: the placement is not that of the FEN")]
    Contradiction {
        /// The number of the board.
        board: usize,
    },
    /// The side at the bottom is neither `white` nor `black`.
    #[error("board {board}: the side at the bottom is {text:?}, it must be white or black")]
    Orientation {
        /// The number of the board.
        board: usize,
        /// What is written.
        text: String,
    },
    /// The number of sides at the bottom is neither 1 nor that of the boards.
    #[error("{sides} sides at the bottom for {boards} boards, there must be one, or one a board")]
    Orientations {
        /// How many sides.
        sides: usize,
        /// How many boards.
        boards: usize,
    },
    /// A file name that can be read as more than one position.
    #[error("the file name reads as more than one position")]
    Ambiguous,
}

/// A label as JSON. Unknown fields are allowed, so that a record of `fenlens read --json` is a label too.
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
    /// Reads the label in a JSON file: one board, `{"placement": ..., "orientation": "white"}` or `{"fen": ...}`, or any
    /// number of boards, `{"boards": [...]}`. `schema` (1), `picture` (the name of the picture) and `sha256` (the hash of
    /// its file) may be given, too. Only the first field of a FEN counts.
    ///
    /// # Errors
    /// [`LabelError`].
    pub fn from_json(text: &str) -> Result<Label, LabelError> {
        let File { schema, picture, sha256, boards, single } =
            serde_json::from_str(text).map_err(|error| LabelError::Json(error.into()))?;
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

    /// Reads the label in a text file: one line for each board, with a FEN or its first field, or a single `-` for a picture
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
                boards.map(|(n, line)| LabeledBoard::read(n + 1, line, None)).collect::<Result<_, _>>()?
            }
        };
        Ok(Label { boards, ..Label::default() })
    }

    /// Reads the label in a row of a table: placements and sides at the bottom, several of them separated by `|`. Without a
    /// placement the picture has no board. A single side counts for all boards.
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
        let boards = boards.map(|(n, text)| LabeledBoard::read(n + 1, text, side(n))).collect::<Result<_, _>>()?;
        Ok(Label { boards, ..Label::default() })
    }

    /// Reads the label in the name of a file, without the extension, as in collections of drawn boards: eight ranks
    /// separated by `-` or `_`, with empty squares as one digit or as several ones. Words before and after them do not
    /// matter. `None` if the name does not have the form of a position at all.
    ///
    /// # Errors
    /// [`LabelError`], if it has the form of a position but is not valid, or has that of more than one.
    pub fn from_file_name(stem: &str) -> Option<Result<Label, LabelError>> {
        let parts: Vec<&str> = stem.split(['-', '_']).collect();
        let is_rank = |part: &&str| !part.is_empty() && part.chars().all(|c| "12345678PNBRQKpnbrqk".contains(c));
        let mut positions = Vec::new();
        for ranks in parts.windows(8).filter(|ranks| ranks.iter().all(is_rank)) {
            positions.push(LabeledBoard::read(1, &ranks.join("/"), None));
        }
        let (mut valid, mut first_error) = (Vec::new(), None);
        for position in positions {
            match position {
                Ok(board) => valid.push(board),
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match (&valid[..], first_error) {
            ([], None) => None,
            ([], Some(error)) => Some(Err(error)),
            (&[board], _) => Some(Ok(Label { boards: vec![board], ..Label::default() })),
            _ => Some(Err(LabelError::Ambiguous)),
        }
    }
}

impl Board {
    fn read(&self, number: usize) -> Result<LabeledBoard, LabelError> {
        let text = self.placement.as_deref().or(self.fen.as_deref()).ok_or(LabelError::Nothing)?;
        let board = LabeledBoard::read(number, text, self.orientation.as_deref())?;
        if let Some(fen) = &self.fen
            && LabeledBoard::read(number, fen, None)?.placement != board.placement
        {
            return Err(LabelError::Contradiction { board: number });
        }
        Ok(board)
    }
}

impl LabeledBoard {
    /// Reads a board from a FEN, of which only the first field counts, and from the name of the side at the bottom.
    fn read(board: usize, fen: &str, orientation: Option<&str>) -> Result<LabeledBoard, LabelError> {
        let text = fen.split_whitespace().next().unwrap_or_default();
        let placement =
            text.parse().map_err(|source| LabelError::Placement { board, text: text.to_owned(), source })?;
        let side = |text: &str| {
            let side = Color::ALL.into_iter().find(|color| color.name() == text);
            side.ok_or_else(|| LabelError::Orientation { board, text: text.to_owned() })
        };
        Ok(LabeledBoard { placement, orientation: orientation.map(side).transpose()? })
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
