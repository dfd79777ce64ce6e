//! Stage 7, complete: a [`Placement`], the [`Cues`] of the picture and the user's [`Answers`] to a [`Fen`], each field with
//! its [`Source`].
//!
//! The placement is one field of six. The side to move comes, in this order, from the user, a king in check, the highlight
//! of the last move, a mark beside the board, and in the first moves of a game from the number of moves that each side has
//! made. When nothing tells it, or when the evidence contradicts itself, White is assumed, and the field says so. A
//! highlighted double step of a pawn gives the en passant square. No castling is assumed to be possible, except in an
//! [opening](is_opening); the counters are assumed to be `0 1`. The confidence of an assumption is how often it is true in
//! 30,000 positions of master games. No right and no en passant square is ever written that the placement rules out.

use std::fmt;

use super::{
    answers::Answers,
    cues::{last_move::LastMove, turn_marker::TurnMarker},
    place::Placement,
    provenance::Source,
};
use crate::{
    fen::{Castling, Fen, is_in_check, side_by_moves_made},
    games::chess::{Color, File, Piece, Rank, Role, Square},
};

/// Where a field comes from, why, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Where it comes from.
    pub source: Source,
    /// What speaks for it, where the source alone does not say.
    pub evidence: Option<Reason>,
    /// The probability that it is right.
    pub confidence: f32,
}

impl Field {
    const USER: Field = Field { source: Source::User, evidence: None, confidence: 1.0 };

    fn rule(reason: Reason) -> Field {
        Field { source: Source::Rule, evidence: Some(reason), confidence: 1.0 }
    }

    fn assumed(confidence: f32) -> Field {
        Field { source: Source::Assumed, evidence: None, confidence }
    }
}

/// What speaks for a field. Its text is what [`Display`](fmt::Display) gives.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// The king of the side to move is in check.
    Check,
    /// The number of moves that each side has made.
    MovesMade,
    /// The position is clearly one of the opening: of every side that can castle, at least eight pieces stand on their squares
    /// of the start.
    Opening,
    /// No king stands at home with a rook at home.
    NobodyCanCastle,
    /// No pawn can have just moved two squares.
    NoDoubleStep,
    /// The last move is highlighted.
    LastMove(LastMove),
    /// A mark beside the board.
    Mark(TurnMarker),
    /// The evidence contradicts itself: the side in check, if one is, and what the picture shows.
    Conflict(Option<Color>, Cues),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Check => f.write_str("the king is in check"),
            Reason::MovesMade => f.write_str("the number of moves made"),
            Reason::Opening => f.write_str("opening"),
            Reason::NobodyCanCastle => f.write_str("no king and rook at home"),
            Reason::NoDoubleStep => f.write_str("no pawn can have just moved two squares"),
            Reason::LastMove(last) => last.fmt(f),
            Reason::Mark(mark) => mark.fmt(f),
            Reason::Conflict(check, cues) => {
                let check = check.map(|color| format!("the {color} king is in check"));
                let evidence = [check, cues.last_move.map(|l| l.to_string()), cues.mark.map(|m| m.to_string())];
                write!(f, "conflict: {}", evidence.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Reason {
    /// Whether the evidence contradicts itself.
    pub fn is_conflict(&self) -> bool {
        matches!(self, Reason::Conflict(..))
    }
}

/// What a picture shows beside the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cues {
    /// The highlight of the last move.
    pub last_move: Option<LastMove>,
    /// A mark beside the board that tells the side to move.
    pub mark: Option<TurnMarker>,
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

/// In 30,000 positions of 965 games: the share with White to move, the share without castling rights among positions that
/// have a king and a rook at home and are no openings, and the share in which no pawn has just moved two squares.
const WHITE_MOVES: f32 = 0.501;
const NO_CASTLING: f32 = 0.046;
const NO_EN_PASSANT: f32 = 0.954;

/// The share of [openings](is_opening) among them in which every right that can be held is held: 5,093 of 5,106.
const OPENING_CASTLING: f32 = 0.997;

/// The confidence of a side to move whose evidence contradicts itself.
const CONTRADICTED: f32 = 0.5;

/// Completes a placement. An answer that cannot be true of the placement has no effect; its field is then what it would be
/// without the answer.
pub fn complete(placement: &Placement, cues: &Cues, answers: &Answers) -> (Fen, Fields) {
    let (side, side_field) = match answers.side {
        Some(side) => (side, Field::USER),
        None => side_to_move(placement, cues, answers.castling),
    };
    // A highlight counts as long as the side to move agrees with it.
    let conflict = side_field.evidence.is_some_and(|reason| reason.is_conflict());
    let last = cues.last_move.filter(|last| last.mover == !side && !conflict);
    let (castling, castling_field) = castling_rights(placement, last, answers.castling);
    let (en_passant, en_passant_field) = en_passant(placement, side, last, answers.en_passant);
    // The number of moves made cannot be guessed: both counters are at their start in the first move only.
    let (counters, counters_field) =
        answers.counters.map_or(((0, 1), Field::assumed(0.0)), |counters| (counters, Field::USER));

    let fen = Fen { placement: *placement, side, castling, en_passant, halfmoves: counters.0, fullmoves: counters.1 };
    let fields =
        Fields { side: side_field, castling: castling_field, en_passant: en_passant_field, counters: counters_field };
    (fen, fields)
}

/// The side to move by everything that a board shows.
fn side_to_move(placement: &Placement, cues: &Cues, castling: Option<Castling>) -> (Color, Field) {
    let mut checked = Color::ALL.into_iter().filter(|&color| is_in_check(placement, color));
    // Both kings in check tell nothing, and the issues report it.
    let check = checked.next().filter(|_| checked.next().is_none());
    let evidence = [
        check.map(|color| (color, Field::rule(Reason::Check))),
        cues.last_move.map(|last| (!last.mover, seen(Reason::LastMove(last), last.confidence))),
        cues.mark.map(|mark| (mark.side, seen(Reason::Mark(mark), mark.confidence))),
    ];
    let mut evidence = evidence.into_iter().flatten();
    let Some((side, field)) = evidence.next() else { return side_by_counting(placement, castling) };
    if evidence.any(|(other, _)| other != side) {
        let conflict = Some(Reason::Conflict(check, *cues));
        return (side, Field { source: Source::Assumed, evidence: conflict, confidence: CONTRADICTED });
    }
    (side, field)
}

/// The side to move by the number of moves that each side has made, or else White, assumed.
fn side_by_counting(placement: &Placement, castling: Option<Castling>) -> (Color, Field) {
    let possible = Castling::possible(placement);
    let rights = match castling {
        Some(said) => said.and(possible),
        None if is_opening(placement) => possible,
        None => Castling::NONE,
    };
    match side_by_moves_made(placement, rights).filter(|_| rights != Castling::NONE) {
        // As sure as it is that the rights are held.
        Some(side) => (side, Field { confidence: OPENING_CASTLING, ..Field::rule(Reason::MovesMade) }),
        None => (Color::White, Field::assumed(WHITE_MOVES)),
    }
}

/// A field that the picture shows.
fn seen(reason: Reason, confidence: f32) -> Field {
    Field { source: Source::Picture, evidence: Some(reason), confidence }
}

fn castling_rights(placement: &Placement, last: Option<LastMove>, answer: Option<Castling>) -> (Castling, Field) {
    let possible = without_moved(Castling::possible(placement), last.and_then(|last| last.squares));
    match answer {
        _ if possible == Castling::NONE => (Castling::NONE, Field::rule(Reason::NobodyCanCastle)),
        Some(rights) => (rights.and(possible), Field::USER),
        None if is_opening(placement) => {
            (possible, Field { evidence: Some(Reason::Opening), ..Field::assumed(OPENING_CASTLING) })
        }
        None => (Castling::NONE, Field::assumed(NO_CASTLING)),
    }
}

fn en_passant(
    placement: &Placement,
    side: Color,
    last: Option<LastMove>,
    answer: Option<Option<Square>>,
) -> (Option<Square>, Field) {
    let can_have_passed = |&square: &Square| can_have_passed(placement, side, square);
    if let Some(square) = answer.flatten().filter(can_have_passed) {
        return (Some(square), Field::USER);
    }
    if !Square::all().any(|square| can_have_passed(&square)) {
        return (None, Field::rule(Reason::NoDoubleStep));
    }
    match last.filter(|last| last.squares.is_some()) {
        // That no pawn has passed a square is an answer as well.
        _ if answer == Some(None) => (None, Field::USER),
        Some(last) => {
            let passed = last.passed(placement).filter(can_have_passed);
            (passed, seen(Reason::LastMove(last), last.confidence))
        }
        None => (None, Field::assumed(NO_EN_PASSANT)),
    }
}

/// Whether a position is clearly one of the opening: of every side that can have a castling right at all, at least eight of
/// the sixteen pieces stand on their squares of the start. In games nearly all rights that can be held are held then.
pub fn is_opening(placement: &Placement) -> bool {
    const BACK: [Role; 8] =
        [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
    let possible = Castling::possible(placement);
    let sides = [
        (Color::White, possible.white_king || possible.white_queen),
        (Color::Black, possible.black_king || possible.black_queen),
    ];
    let at_home = |color: Color| {
        let stands = |file, rank: usize, role| {
            let square = Square::new(File::new(file), Rank::new(rank).seen_by(color));
            usize::from(placement.get(square) == Some(Piece { color, role }))
        };
        (0..8).map(|file| stands(file, 0, BACK[file]) + stands(file, 1, Role::Pawn)).sum::<usize>()
    };
    sides.iter().any(|side| side.1) && sides.iter().all(|&(color, can_castle)| !can_castle || at_home(color) >= 8)
}

/// The rights without those that the last move has ended.
fn without_moved(rights: Castling, moved: Option<(Square, Square)>) -> Castling {
    let stays = |file: usize, color: Color| {
        let home = |file| Square::new(File::new(file), Rank::new(0).seen_by(color));
        moved.is_none_or(|(_, to)| to != home(file) && to != home(4))
    };
    rights.and(Castling {
        white_king: stays(7, Color::White),
        white_queen: stays(0, Color::White),
        black_king: stays(7, Color::Black),
        black_queen: stays(0, Color::Black),
    })
}

/// Whether a pawn of the side that is not to move can have passed a square by a double step just now.
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
    use proptest::prelude::*;

    use super::*;
    use crate::{
        fen::{EnPassantStatus, en_passant_status},
        recognize::cues::turn_marker::Shape,
    };

    fn text(placement: &str, answers: Answers) -> (String, Fields) {
        let (fen, fields) = complete(&placement.parse().unwrap(), &Cues::default(), &answers);
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

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn moved(mover: Color, from: &str, to: &str) -> Cues {
        let squares = Some((from.parse().unwrap(), to.parse().unwrap()));
        Cues { last_move: Some(LastMove { mover, squares, confidence: 0.99 }), mark: None }
    }

    fn shown(placement: &str, shown: &Cues, answers: &Answers) -> (String, Fields) {
        let (fen, fields) = complete(&placement.parse().unwrap(), shown, answers);
        (fen.to_string().split_once(' ').unwrap().1.to_owned(), fields)
    }

    #[test]
    fn a_highlight_tells_side_and_en_passant() {
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        let (text, fields) = shown(e4, &moved(Color::White, "e2", "e4"), &Answers::default());
        assert_eq!(text, "b KQkq e3 0 1");
        assert_eq!([fields.side, fields.en_passant].map(|f| (f.source, f.confidence)), [(Source::Picture, 0.99); 2]);
        assert_eq!(fields.side.evidence.unwrap().to_string(), "last-move highlight e2-e4");
        // Another move of the same side: nothing was passed, and that is seen as well.
        let (text, fields) = shown(HOME, &moved(Color::White, "d1", "e1"), &Answers::default());
        assert_eq!((text.as_str(), fields.en_passant.source), ("b - - 0 1", Source::Picture));
        // A user who says otherwise is believed, and the highlight says nothing more.
        let answers = Answers { side: Some(Color::White), ..Answers::default() };
        let (text, fields) = shown(e4, &moved(Color::White, "e2", "e4"), &answers);
        assert_eq!((text.as_str(), fields.en_passant.source), ("w KQkq - 0 1", Source::Rule));
    }

    #[test]
    fn several_possible_moves_tell_the_side_only() {
        let last_move = Some(LastMove { mover: Color::White, squares: None, confidence: 0.99 });
        let (text, fields) = shown(HOME, &Cues { last_move, mark: None }, &Answers::default());
        assert_eq!(text, "b - - 0 1");
        assert_eq!((fields.side.source, fields.en_passant.source), (Source::Picture, Source::Assumed));
    }

    #[test]
    fn contradictions_are_told() {
        let check = "4k3/8/8/8/8/8/4R3/4K3";
        let (text, fields) = shown(check, &moved(Color::Black, "d8", "e8"), &Answers::default());
        assert_eq!((&text[..1], fields.side.source), ("b", Source::Assumed));
        let reason = fields.side.evidence.unwrap();
        assert!(reason.is_conflict() && fields.side.confidence <= 0.5);
        assert_eq!(reason.to_string(), "conflict: the black king is in check, last-move highlight d8-e8");
        let mark = Some(TurnMarker { side: Color::White, shape: Shape::Circle, confidence: 0.98 });
        let both = Cues { mark, ..moved(Color::White, "e2", "e4") };
        let (text, fields) = shown("4k3/8/8/8/3pP3/8/8/4K3", &both, &Answers::default());
        assert_eq!(text, "b - - 0 1");
        assert_eq!((fields.side.source, fields.en_passant.source), (Source::Assumed, Source::Assumed));
        let agreed = Cues { mark: mark.map(|mark| TurnMarker { side: Color::Black, ..mark }), ..both };
        let (text, fields) = shown("4k3/8/8/8/3pP3/8/8/4K3", &agreed, &Answers::default());
        assert_eq!((text.as_str(), fields.side.source), ("b - e3 0 1", Source::Picture));
        let alone = Cues { mark, last_move: None };
        let (text, fields) = shown("4k3/8/8/8/8/8/4R3/K7", &alone, &Answers::default());
        assert!(fields.side.evidence.unwrap().is_conflict(), "{text}");
        let (_, fields) = shown("4k3/8/8/8/8/8/3R4/K7", &alone, &Answers::default());
        assert_eq!(fields.side.evidence.unwrap().to_string(), "open circle beside the board");
    }

    #[test]
    fn openings_have_their_rights() {
        let text = |placement: &str| text(placement, Answers::default());
        let (start, fields) = text(START);
        assert_eq!((start.as_str(), fields.castling.source), ("w KQkq - 0 1", Source::Assumed));
        // Without the rights rooks may have moved as well, and the number of moves is not known.
        let denied = Answers { castling: Some(Castling::NONE), ..Answers::default() };
        assert_eq!(complete(&START.parse().unwrap(), &Cues::default(), &denied).1.side.source, Source::Assumed);
        // Without a rook behind closed pawns, only knights have moved.
        assert_eq!(fields.side.source, Source::Rule);
        assert_eq!(text("rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R").0, "w KQkq - 0 1");
        assert_eq!(text("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R").0, "b KQkq - 0 1");
        assert_eq!(text("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1").0, "w kq - 0 1");
        // One side that can castle is no longer in the opening: nothing is assumed of the other either.
        assert_eq!(text("r3k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR").0, "w - - 0 1");
    }

    proptest! {
        #[test]
        fn nothing_impossible_is_written(
            placement in crate::recognize::place::tests::placements(),
            home in any::<bool>(),
            side in prop::option::of(any::<bool>()),
            rights in prop::option::of(any::<[bool; 4]>()),
            passed in prop::option::of(0..64usize),
            squares in prop::option::of((0..64usize, 0..64usize)),
            mover in any::<bool>(),
            seen in any::<[bool; 2]>(),
        ) {
            let color = |white: bool| if white { Color::White } else { Color::Black };
            let mut placement = placement;
            if home {
                for letters in [("a1", 'R'), ("e1", 'K'), ("h1", 'R'), ("a8", 'r'), ("e8", 'k'), ("h8", 'r')] {
                    placement.set(letters.0.parse().unwrap(), Piece::from_letter(letters.1));
                }
            }
            let castling = rights.map(|[white_king, white_queen, black_king, black_queen]| Castling {
                white_king, white_queen, black_king, black_queen,
            });
            let en_passant = passed.map(Square::from_index);
            let answers = Answers { side: side.map(color), castling, en_passant: en_passant.map(Some), ..Answers::default() };
            let squares = squares.map(|(from, to)| (Square::from_index(from), Square::from_index(to)));
            let last_move = seen[0].then_some(LastMove { mover: color(mover), squares, confidence: 0.99 });
            let mark = seen[1].then_some(TurnMarker { side: color(!mover), shape: Shape::Square, confidence: 0.98 });
            let (fen, fields) = complete(&placement, &Cues { last_move, mark }, &answers);
            prop_assert_eq!(fen.castling, fen.castling.and(Castling::possible(&placement)));
            if let Some(square) = fen.en_passant {
                prop_assert!(en_passant_status(&placement, fen.side, square) > EnPassantStatus::Impossible);
                prop_assert!(fields.en_passant.source != Source::Assumed);
            }
            let impossible =
                ["castling-without-king", "castling-without-rook", "ep-wrong-rank", "ep-no-pawn", "ep-square-occupied", "ep-origin-occupied"];
            let codes: Vec<_> = fen.issues().iter().map(|issue| issue.code.name()).collect();
            prop_assert!(!codes.iter().any(|code| impossible.contains(code)), "{} {codes:?}", fen);
        }
    }

    #[test]
    fn rules_leave_no_choice() {
        let (_, fields) = text("4k3/8/8/8/8/8/8/4K3", Answers::default());
        assert_eq!((fields.castling.source, fields.en_passant.source), (Source::Rule, Source::Rule));
    }

    #[test]
    fn a_king_in_check_moves() {
        let side = |placement: &str| {
            let (fen, fields) = complete(&placement.parse().unwrap(), &Cues::default(), &Answers::default());
            (fen.side, fields.side.source)
        };
        assert_eq!(side("4k3/8/8/8/8/8/4R3/4K3"), (Color::Black, Source::Rule));
        assert_eq!(side("4k3/8/8/8/8/8/4r3/4K3"), (Color::White, Source::Rule));
        // Both cannot be: then nothing is known, and the issues say so.
        let (both, source) = side("3k4/8/8/b7/8/3R4/8/4K3");
        assert_eq!((both, source), (Color::White, Source::Assumed));
        // A user is believed, even against the rules.
        let answers = Answers { side: Some(Color::White), ..Answers::default() };
        assert_eq!(
            complete(&"4k3/8/8/8/8/8/4R3/4K3".parse().unwrap(), &Cues::default(), &answers).0.side,
            Color::White
        );
    }

    #[test]
    fn answers_are_taken_where_they_can_be_true() {
        let all = Castling { white_king: true, white_queen: true, black_king: true, black_queen: true };
        let answers = Answers {
            side: Some(Color::Black),
            castling: Some(all),
            en_passant: Some("e3".parse().ok()),
            counters: Some((0, 20)),
            ..Answers::default()
        };
        let (said, fields) = text(HOME, answers.clone());
        assert_eq!(said, "b Kq e3 0 20");
        assert_eq!([fields.side, fields.castling, fields.en_passant].map(|f| f.source), [Source::User; 3]);
        let (said, fields) = text(HOME, Answers { en_passant: Some("d3".parse().ok()), ..answers });
        assert_eq!((said.as_str(), fields.en_passant.source), ("b Kq - 0 20", Source::Assumed));
    }
}
