//! What a person should know about a board, in words.

use fenlens::{
    BoardReading, Verdict,
    fen::Castling,
    games::chess::Piece,
    recognize::{Evidence, Sight, Source},
};

/// The remarks on a board. Flagged squares are listed unless they are `marked` on a diagram already.
pub fn remarks(board: &BoardReading, marked: bool) -> Vec<String> {
    if board.trust.verdict == Verdict::Refuse {
        return vec![format!("refused; the best guess is {}", board.fen)];
    }
    let mut remarks = Vec::new();
    let turns = board.observation.quarter_turns;
    if turns > 0 {
        remarks.push(format!("turned clockwise by {} degrees to set the pieces upright", 90 * turns));
    }
    if !marked {
        remarks.extend(flagged_squares(board));
    }
    remarks.extend(board.issues.iter().map(|issue| format!("{}: {issue}", issue.severity().name())));
    remarks.extend(orientation(board));
    if board.trust.verdict == Verdict::Check && remarks.is_empty() && !marked {
        remarks.push(format!("look at the whole board: {:.1} % sure", board.trust.confidence * 100.0));
    }
    remarks.extend(assumptions(board));
    remarks
}

fn flagged_squares(board: &BoardReading) -> Option<String> {
    let name = |piece: Option<Piece>| piece.map_or("empty".into(), |piece| piece.to_string());
    // Those that are covered are named by an issue.
    let flagged = (board.reading.squares.iter().zip(&board.trust.flagged))
        .filter(|(square, flagged)| **flagged && square.sight != Sight::Covered);
    let squares: Vec<String> = flagged
        .map(|(square, _)| {
            let percent = square.confidence * 100.0;
            format!("{} {} ({percent:.0} %, else {})", square.square, name(square.piece), name(square.runner_up))
        })
        .collect();
    (!squares.is_empty()).then(|| format!("look at {}", squares.join(", ")))
}

fn orientation(board: &BoardReading) -> Option<String> {
    let bottom = board.orientation.bottom;
    let percent = board.orientation.confidence * 100.0;
    board.trust.orientation_flagged.then(|| match board.orientation.evidence {
        Some(Evidence::MirroredCoordinates) => {
            format!("look whether the picture is mirrored: its letters and digits contradict each other ({bottom} at the bottom?)")
        }
        _ => format!("look which side is at the bottom: {bottom} ({percent:.0} %)"),
    })
}

fn assumptions(board: &BoardReading) -> Option<String> {
    let castling = match board.fen.castling {
        Castling::NONE => "no castling".to_owned(),
        rights => format!("castling {rights}"),
    };
    let fields = [
        (board.orientation.source, format!("{} at the bottom", board.orientation.bottom)),
        (board.fields.side.source, format!("{} to move", board.fen.side)),
        (board.fields.castling.source, castling),
        (board.fields.en_passant.source, "no en passant".to_owned()),
        (board.fields.counters.source, "counters 0 1".to_owned()),
    ];
    let assumed: Vec<String> =
        fields.into_iter().filter(|(source, _)| *source == Source::Assumed).map(|(_, what)| what).collect();
    (!assumed.is_empty()).then(|| format!("assumed: {}", assumed.join(", ")))
}
