//! Positions of random games against another library: no false error, and the same record.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cozy_chess::{Board, GameStatus, Move};
use fenlens::fen::{CheckOptions, EnPassantPolicy, Legal, Record, Severity, check};

/// Positions to look at; games are added until there are as many.
const POSITIONS: usize = 100_000;

/// Games longer than this are given up, so that not all positions are of bare kings.
const MOST_PLIES: usize = 160;

/// A small generator of random numbers (xorshift64*), so that the games are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

#[test]
fn positions_of_games_are_legal_and_written_the_same() {
    let mut random = Random(0x5eed);
    let mut seen = 0;
    let (mut checks, mut targets, mut captures_ready) = (0, 0, 0);
    while seen < POSITIONS {
        let mut board = Board::default();
        for _ in 0..MOST_PLIES {
            let text = board.to_string();
            let checked = check(&text, &CheckOptions::default());
            assert!(checked.valid_syntax, "{text}");
            assert_eq!(checked.legal, Legal::Yes, "{text}: {:?}", checked.issues);
            let worst = checked.issues.iter().map(|issue| issue.severity()).max();
            let odd = checked.issues.iter().any(|issue| issue.severity() == Severity::Error);
            assert!(!odd && worst <= Some(Severity::Warning), "{text}: {:?}", checked.issues);
            assert_eq!(checked.normalized.as_ref(), Some(&text));
            let Some(Record::Chess(fen)) = checked.record else { panic!("{text}: no record") };
            assert_eq!(fen.to_string(), text);
            assert_eq!(Board::from_fen(&fen.to_string(), false).unwrap(), board);
            // Both write a target after every double step, as the standard has it.
            assert_eq!(fen.with_en_passant(EnPassantPolicy::Standard), fen, "{text}");
            let takes = |m: &Move| {
                board.piece_on(m.from) == Some(cozy_chess::Piece::Pawn)
                    && m.from.file() != m.to.file()
                    && board.piece_on(m.to).is_none()
            };
            let moves = moves(&board);
            let legal_target = fen.with_en_passant(EnPassantPolicy::Legal).en_passant.is_some();
            assert_eq!(legal_target, moves.iter().any(takes), "{text}");
            targets += usize::from(fen.en_passant.is_some());
            captures_ready += usize::from(legal_target);
            checks += usize::from(!board.checkers().is_empty());
            seen += 1;
            if board.status() != GameStatus::Ongoing || moves.is_empty() {
                break;
            }
            board.play(moves[random.below(moves.len())]);
        }
    }
    // The games hold what they are meant to hold.
    assert!(checks > 1000 && targets > 100 && captures_ready > 50, "{checks} {targets} {captures_ready}");
}
