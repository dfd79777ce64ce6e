//! What a person should look at in a board, in words, from its record.

use fenlens::{
    Record, Verdict,
    output::record::{BoardRecord, SquareRecord},
};

/// The name of a piece, or that there is none.
fn name(piece: Option<&str>) -> &str {
    piece.unwrap_or("empty")
}

/// A doubtful square in words.
pub fn of_square(square: &SquareRecord) -> String {
    let SquareRecord { square, piece, confidence, runner_up, .. } = square;
    let percent = confidence * 100.0;
    format!("{square} {} ({percent:.0} %, else {})", name(piece.as_deref()), name(runner_up.as_deref()))
}

/// Everything that is doubtful about a board. Never empty for a board that is not accepted.
pub fn of_board(board: &BoardRecord) -> Vec<String> {
    if board.verdict == Verdict::Accept {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    // Those that are not visible are named by an issue.
    let doubtful = board.squares.iter().filter(|square| square.flagged && square.visible);
    let squares: Vec<String> = doubtful.map(of_square).collect();
    if !squares.is_empty() {
        doubts.push(format!("look at {}", squares.join(", ")));
    }
    let orientation = &board.fields.orientation;
    if orientation.flagged {
        let percent = orientation.confidence * 100.0;
        doubts.push(format!("look which side is at the bottom: {} ({percent:.0} %)", board.orientation));
    }
    doubts.extend(board.issues.iter().map(|issue| format!("{}: {}", issue.severity, issue.message)));
    if doubts.is_empty() {
        doubts.push(format!("look at the whole board: {:.1} % sure", board.confidence * 100.0));
    }
    doubts
}

/// Where a board is from: file, page, and number of the diagram where there may be several.
pub fn origin(record: &Record, board: usize) -> String {
    let diagram = format!("diagram {}", board + 1);
    match record.page {
        Some(page) => format!("{}, page {page}, {diagram}", record.path),
        None if record.boards.len() > 1 => format!("{}, {diagram}", record.path),
        None => record.path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use fenlens::{
        games::{chess::Color, game::Game},
        output::record::{FieldRecord, FieldsRecord},
        recognize::Source,
    };

    use super::*;

    fn board(flagged: bool, confidence: f64) -> BoardRecord {
        let field = |flagged| FieldRecord { source: Source::Picture, evidence: None, confidence, flagged };
        BoardRecord {
            diagram: None,
            fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".into(),
            placement: "4k3/8/8/8/8/8/8/4K3".into(),
            game: Game::Chess,
            orientation: Color::White,
            verdict: Verdict::Check,
            confidence,
            corners: [[0.0; 2]; 4],
            turned: 0,
            squares: Vec::new(),
            fields: FieldsRecord {
                orientation: field(flagged),
                side: field(false),
                castling: field(false),
                en_passant: field(false),
                counters: field(false),
            },
            issues: Vec::new(),
        }
    }

    /// What is doubtful was decided with the options of the run, and is in the record.
    #[test]
    fn the_orientation_is_doubtful_when_the_record_says_so() {
        assert_eq!(of_board(&board(true, 0.99)), ["look which side is at the bottom: white (99 %)"]);
        assert_eq!(of_board(&board(false, 0.9)), ["look at the whole board: 90.0 % sure"]);
    }
}
