//! Stage 7, complete: a [`Placement`] and the user's [`Answers`] to a [`Fen`], each field with its [`Source`].
//!
//! A picture of a board shows the first field only. In this version the side to move is that whose king is in check, or
//! else assumed `w`, castling `-`, en passant `-` and the counters `0 1`, unless the user says otherwise or the rules
//! leave no choice. The confidence of an assumption is how often it is true in 30,000 positions of master games, so it
//! is nearly nothing for castling.

use crate::{
    chess::{Color, Piece, Rank, Role, Square},
    fen::{Castling, Fen, is_in_check},
    position::Placement,
};

/// Where a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Seen in the picture.
    Picture,
    /// The rules of the game leave no choice.
    Rule,
    /// The user said so.
    User,
    /// A guess that is the same for every picture.
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

/// Where a field comes from, why, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Where it comes from.
    pub source: Source,
    /// What speaks for it, where the source alone does not say.
    pub evidence: Option<&'static str>,
    /// The probability that it is right.
    pub confidence: f32,
}

/// The sources of the five fields that a picture of a board does not show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fields {
    /// Of the side to move.
    pub side: Field,
    /// Of the castling rights.
    pub castling: Field,
    /// Of the en passant square.
    pub en_passant: Field,
    /// Of both counters.
    pub counters: Field,
}

/// What the user knows about a position. An answer that cannot be true of the placement is dropped, and the field is then
/// what it would be without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Who moves next.
    pub side: Option<Color>,
    /// Which rights are held; those whose king or rook is not at home are dropped.
    pub castling: Option<Castling>,
    /// The square a pawn has just passed; dropped when no pawn can have.
    pub en_passant: Option<Square>,
    /// Half-move clock and move number.
    pub counters: Option<(u32, u32)>,
}

/// Share of White to move, of no right among positions with a king and a rook at home, and of no pawn having just moved two
/// squares, in 30,000 positions of 965 games.
const WHITE_MOVES: f32 = 0.501;
const NO_CASTLING: f32 = 0.013;
const NO_EN_PASSANT: f32 = 0.954;

/// Completes a placement.
pub fn complete(placement: &Placement, answers: &Answers) -> (Fen, Fields) {
    let assumed = |confidence| Field { source: Source::Assumed, evidence: None, confidence };
    let user = Field { source: Source::User, evidence: None, confidence: 1.0 };
    let rule = |evidence| Field { source: Source::Rule, evidence: Some(evidence), confidence: 1.0 };

    let checked: Vec<Color> = Color::ALL.into_iter().filter(|&color| is_in_check(placement, color)).collect();
    let (side, side_field) = match (answers.side, &checked[..]) {
        (Some(side), _) => (side, user),
        (None, &[color]) => (color, rule("the king is in check")),
        (None, _) => (Color::White, assumed(WHITE_MOVES)),
    };
    let possible = Castling::possible(placement);
    let (castling, castling_field) = match answers.castling {
        _ if possible == Castling::NONE => (Castling::NONE, rule("no king and rook at home")),
        Some(rights) => (rights.and(possible), user),
        None => (Castling::NONE, assumed(NO_CASTLING)),
    };
    let any = Square::all().any(|square| can_have_passed(placement, side, square));
    let said = answers.en_passant.filter(|&square| can_have_passed(placement, side, square));
    let (en_passant, en_passant_field) = match said {
        Some(square) => (Some(square), user),
        None if !any => (None, rule("no pawn can have just moved two squares")),
        None => (None, assumed(NO_EN_PASSANT)),
    };
    // How far a game has gone cannot be guessed: that both counters are at their start is true of the first move only.
    let (counters, counters_field) = answers.counters.map_or(((0, 1), assumed(0.0)), |counters| (counters, user));

    let fen = Fen { placement: *placement, side, castling, en_passant, halfmoves: counters.0, fullmoves: counters.1 };
    let fields =
        Fields { side: side_field, castling: castling_field, en_passant: en_passant_field, counters: counters_field };
    (fen, fields)
}

/// Whether a pawn of the side that does not move can have passed a square by two steps just now.
fn can_have_passed(placement: &Placement, side: Color, square: Square) -> bool {
    let mover = !side;
    let at = |rank: usize| Square::new(square.file(), Rank::new(rank).seen_by(mover));
    square == at(2)
        && placement.get(at(1)).is_none()
        && placement.get(at(2)).is_none()
        && placement.get(at(3)) == Some(Piece { color: mover, role: Role::Pawn })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(placement: &str, answers: Answers) -> (String, Fields) {
        let (fen, fields) = complete(&placement.parse().unwrap(), &answers);
        let text = fen.to_string();
        (text.split_once(' ').unwrap().1.to_owned(), fields)
    }

    const HOME: &str = "r3k3/8/8/8/3pP3/8/8/4K2R";

    #[test]
    fn assumptions_are_marked() {
        let (text, fields) = text(HOME, Answers::default());
        assert_eq!(text, "w - - 0 1");
        assert_eq!([fields.side, fields.castling, fields.counters].map(|f| f.source), [Source::Assumed; 3]);
        assert_eq!(fields.en_passant.source, Source::Rule);
    }

    #[test]
    fn rules_leave_no_choice() {
        let (_, fields) = text("4k3/8/8/8/8/8/8/4K3", Answers::default());
        assert_eq!((fields.castling.source, fields.en_passant.source), (Source::Rule, Source::Rule));
    }

    #[test]
    fn a_king_in_check_moves() {
        let side = |placement: &str| {
            let (fen, fields) = complete(&placement.parse().unwrap(), &Answers::default());
            (fen.side, fields.side.source)
        };
        assert_eq!(side("4k3/8/8/8/8/8/4R3/4K3"), (Color::Black, Source::Rule));
        assert_eq!(side("4k3/8/8/8/8/8/4r3/4K3"), (Color::White, Source::Rule));
        // Both cannot be: then nothing is known, and the issues say so.
        let (both, source) = side("3k4/8/8/b7/8/3R4/8/4K3");
        assert_eq!((both, source), (Color::White, Source::Assumed));
        // A user is believed, even against the rules.
        let answers = Answers { side: Some(Color::White), ..Answers::default() };
        assert_eq!(complete(&"4k3/8/8/8/8/8/4R3/4K3".parse().unwrap(), &answers).0.side, Color::White);
    }

    #[test]
    fn answers_are_taken_where_they_can_be_true() {
        let all = Castling { white_king: true, white_queen: true, black_king: true, black_queen: true };
        let answers = Answers {
            side: Some(Color::Black),
            castling: Some(all),
            en_passant: "e3".parse().ok(),
            counters: Some((0, 20)),
        };
        let (said, fields) = text(HOME, answers);
        assert_eq!(said, "b Kq e3 0 20");
        assert_eq!([fields.side, fields.castling, fields.en_passant].map(|f| f.source), [Source::User; 3]);
        let (said, fields) = text(HOME, Answers { en_passant: "d3".parse().ok(), ..answers });
        assert_eq!((said.as_str(), fields.en_passant.source), ("b Kq - 0 20", Source::Assumed));
    }
}
