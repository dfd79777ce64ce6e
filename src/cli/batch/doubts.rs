//! What a person should look at in a board, in words, from its record.

use fenlens::{
    Record,
    output::record::{BoardRecord, SquareRecord},
    recognize::trust::TrustOptions,
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

/// Everything that is doubtful about a board. Never empty for one that is not accepted.
pub fn of_board(board: &BoardRecord) -> Vec<String> {
    if board.verdict == "accept" {
        return Vec::new();
    }
    let mut doubts = Vec::new();
    let squares: Vec<String> = board.squares.iter().filter(|square| square.flagged).map(of_square).collect();
    if !squares.is_empty() {
        doubts.push(format!("look at {}", squares.join(", ")));
    }
    let orientation = &board.fields.orientation;
    if orientation.confidence < f64::from(TrustOptions::default().orientation) {
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
