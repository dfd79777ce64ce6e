//! What a reading leaves open, and how a person or a program settles it.
//!
//! A picture shows the pieces and little else of a position. [`questions`] lists what is open after a reading: the flagged
//! squares and the side at the bottom, the side to move, the castling rights, the en passant square. Only answers that can be
//! true are offered. A [`Completion`] gives the answers: a closure, a list of [`Answer`]s, [`Answers`], or a type of your own.
//! [`settle`] asks it one question after the other and interprets the board again after every answer, so that an answer that
//! changes what is open (a corrected rook, a turned board) changes what is asked next.
//!
//! ```
//! use fenlens::{
//!     BoardReading, Options,
//!     recognize::questions::{Question, Reply, settle},
//! };
//!
//! /// Takes the most probable answer to every question.
//! fn guess(board: BoardReading, options: &Options) -> Option<BoardReading> {
//!     let mut best = |_: &BoardReading, question: &Question| Reply::Answer(question.choices[0].answer);
//!     settle(board, options, &mut best).map(|settled| settled.board)
//! }
//! ```

pub use super::answers::{Answer, Answers, Refused, Topic};
use super::{
    answers::objection,
    complete::Field,
    interpret::BoardReading,
    options::Options,
    orient::Orientation,
    provenance::Source,
    trust::{TrustOptions, Verdict},
};
use crate::{
    fen::{self, Castling, CastlingRight, EnPassantStatus},
    games::chess::{Piece, Square},
};

/// One answer that a question offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The answer.
    pub answer: Answer,
    /// How probable it is by the picture, where the picture says anything.
    pub probability: Option<f32>,
}

/// Something that a picture leaves open.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What it is about.
    pub topic: Topic,
    /// Every answer that can be true, the most probable first; at least two.
    pub choices: Vec<Choice>,
}

/// The reply to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// This is so.
    Answer(Answer),
    /// Nobody knows; what was read or assumed stays.
    Unknown,
    /// No more questions, and the board is not wanted.
    Leave,
}

/// A person or a program that knows more than the picture shows.
pub trait Completion {
    /// What is known without a question, and is not asked for. Answers about the placement are taken first, the others once
    /// the placement is settled.
    fn known(&self, _board: &BoardReading) -> Vec<Answer> {
        Vec::new()
    }

    /// Answers a question about a board as it is read so far.
    fn reply(&mut self, board: &BoardReading, question: &Question) -> Reply;
}

impl<F: FnMut(&BoardReading, &Question) -> Reply> Completion for F {
    fn reply(&mut self, board: &BoardReading, question: &Question) -> Reply {
        self(board, question)
    }
}

impl Completion for Vec<Answer> {
    fn known(&self, _board: &BoardReading) -> Vec<Answer> {
        self.clone()
    }

    fn reply(&mut self, _board: &BoardReading, _question: &Question) -> Reply {
        Reply::Unknown
    }
}

impl Completion for Answers {
    fn known(&self, board: &BoardReading) -> Vec<Answer> {
        // The answer about the bottom is taken before those about squares.
        let orientation = self.bottom.map_or(board.orientation, Orientation::given);
        let square = |&(tile, piece)| Answer::Square(orientation.square(tile), piece);
        let placement = self.bottom.map(Answer::Bottom).into_iter().chain(self.tiles.iter().map(square));
        let side = self.side.map(Answer::Side);
        let castling = self.castling.map(Answer::Castling);
        let en_passant = self.en_passant.map(Answer::EnPassant);
        let counters = self.counters.map(|(halfmoves, fullmoves)| Answer::Counters(halfmoves, fullmoves));
        placement.chain([side, castling, en_passant, counters].into_iter().flatten()).collect()
    }

    fn reply(&mut self, _board: &BoardReading, _question: &Question) -> Reply {
        Reply::Unknown
    }
}

/// A board after all questions.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The board with every answer that can be true.
    pub board: BoardReading,
    /// The answers that cannot.
    pub refused: Vec<Refused>,
}

/// Asks every open question about a board, one after the other: first those about the placement, then those about the other
/// fields. `None` when the reply is [`Reply::Leave`].
pub fn settle(board: BoardReading, options: &Options, completion: &mut (impl Completion + ?Sized)) -> Option<Settled> {
    let mut settled = Settled { board, refused: Vec::new() };
    let mut asked = Vec::new();
    // The counters come last: whether they can be true depends on who moves and on the en passant square.
    let phases: [fn(Topic) -> bool; 3] = [
        Topic::is_about_placement,
        |topic| !topic.is_about_placement() && topic != Topic::Counters,
        |topic| topic == Topic::Counters,
    ];
    for phase in phases {
        for answer in completion.known(&settled.board).into_iter().filter(|answer| phase(answer.topic())) {
            settled.take(answer, options);
        }
        let open = |board: &BoardReading, asked: &[Topic]| {
            questions(board, &options.trust)
                .into_iter()
                .find(|question| phase(question.topic) && !asked.contains(&question.topic))
        };
        while let Some(question) = open(&settled.board, &asked) {
            asked.push(question.topic);
            match completion.reply(&settled.board, &question) {
                Reply::Answer(answer) => settled.take(answer, options),
                Reply::Unknown => {}
                Reply::Leave => return None,
            }
        }
    }
    Some(settled)
}

impl Settled {
    /// Takes an answer as far as it can be true: of castling rights, those that can be held.
    fn take(&mut self, answer: Answer, options: &Options) {
        match (self.board.answered(answer, options), answer) {
            (Ok(board), _) => self.board = board,
            (Err(_), Answer::Castling(rights)) => {
                let possible = Castling::possible(&self.board.fen.placement);
                let (held, wrong): (Vec<CastlingRight>, Vec<CastlingRight>) =
                    Vec::from(rights).into_iter().partition(|right| Vec::from(possible).contains(right));
                let wrong = self.board.answered(Answer::Castling(Castling::from(&wrong[..])), options);
                self.refused.extend(wrong.err());
                if !held.is_empty() {
                    self.take(Answer::Castling(Castling::from(&held[..])), options);
                }
            }
            (Err(refused), _) => self.refused.push(refused),
        }
    }
}

/// Everything that is open about a board, in the order in which it should be asked: an answer can change the questions
/// after it, but none before it. A field is open when it is less probable than [`TrustOptions::square`]. A refused board has
/// no questions: setting up the position by hand is quicker.
pub fn questions(board: &BoardReading, options: &TrustOptions) -> Vec<Question> {
    if board.trust.verdict == Verdict::Refuse {
        return Vec::new();
    }
    let mut open = Vec::new();
    if board.trust.orientation_flagged {
        let (best, sure) = (board.orientation.bottom, board.orientation.confidence);
        let choices = [(best, sure), (!best, 1.0 - sure)];
        open.push(Question { topic: Topic::Bottom, choices: choices.map(|(c, p)| seen(Answer::Bottom(c), p)).into() });
    }
    let flagged = board.reading.squares.iter().zip(&board.trust.flagged).filter(|(_, flagged)| **flagged);
    open.extend(flagged.map(|(square, _)| about_square(board, square.square)));
    let fields = &board.fields;
    if is_open(fields.side, options) {
        let side = board.fen.side;
        let sure = Some(fields.side.confidence).filter(|_| fields.side.source == Source::Picture);
        let choices = [(side, sure), (!side, sure.map(|sure| 1.0 - sure))];
        let choices = choices.map(|(side, probability)| Choice { answer: Answer::Side(side), probability });
        open.push(Question { topic: Topic::Side, choices: choices.into() });
    }
    if is_open(fields.castling, options) {
        let choices: Vec<Choice> =
            castlings(board).into_iter().map(|rights| unseen(Answer::Castling(rights))).collect();
        open.push(Question { topic: Topic::Castling, choices });
    }
    if is_open(fields.en_passant, options) {
        let capturable = Square::all().filter(|&square| {
            fen::en_passant_status(&board.fen.placement, board.fen.side, square) == EnPassantStatus::Capturable
                && objection(&board.fen, Answer::EnPassant(Some(square))).is_none()
        });
        let mut squares: Vec<Option<Square>> = std::iter::once(None).chain(capturable.map(Some)).collect();
        squares.sort_by_key(|&square| square != board.fen.en_passant);
        let choices = squares.into_iter().map(|square| unseen(Answer::EnPassant(square))).collect();
        open.push(Question { topic: Topic::EnPassant, choices });
    }
    // A topic with a single answer is no question: a pawn that cannot be captured en passant makes no difference.
    open.retain(|question| question.choices.len() > 1);
    open
}

/// The question what stands on a square, whether or not it is flagged.
pub fn about_square(board: &BoardReading, square: Square) -> Question {
    let classes = board.game().classes().chars().map(Piece::from_letter);
    let read = board.reading.placement.get(square);
    let mut choices: Vec<Choice> =
        classes.map(|piece| seen(Answer::Square(square, piece), board.probability(square, piece))).collect();
    // What was read comes first, even where the rules preferred it to a more probable piece.
    choices.sort_by(|a, b| {
        let other = |choice: &Choice| choice.answer != Answer::Square(square, read);
        other(a).cmp(&other(b)).then(b.probability.unwrap_or(0.0).total_cmp(&a.probability.unwrap_or(0.0)))
    });
    Question { topic: Topic::Square(square), choices }
}

fn seen(answer: Answer, probability: f32) -> Choice {
    Choice { answer, probability: Some(probability) }
}

fn unseen(answer: Answer) -> Choice {
    Choice { answer, probability: None }
}

fn is_open(field: Field, options: &TrustOptions) -> bool {
    !matches!(field.source, Source::User | Source::Rule) && field.confidence < options.square
}

/// Every set of rights that can be held. What was read comes first; otherwise all rights, since only one in twenty game
/// positions with a king and a rook at home has no right left ([`complete`](mod@super::complete)), and a composed position has
/// all of them by convention.
fn castlings(board: &BoardReading) -> Vec<Castling> {
    let possible: Vec<CastlingRight> = Castling::possible(&board.fen.placement).into();
    let mut sets: Vec<Castling> = (0..1usize << possible.len())
        .map(|chosen| {
            let held = possible.iter().enumerate().filter(|(n, _)| chosen & (1 << n) != 0).map(|(_, right)| *right);
            Castling::from(&held.collect::<Vec<CastlingRight>>()[..])
        })
        .collect();
    sets.sort_by_key(|&rights| std::cmp::Reverse(Vec::from(rights).len()));
    if board.fen.castling != Castling::NONE {
        sets.sort_by_key(|&rights| rights != board.fen.castling);
    }
    sets
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        fen::Severity,
        games::{chess::Color, game::Tile, placement::Placement},
        image::{geometry::Corners, picture::Picture},
        recognize::{classify::Scores, interpret::tests::reading_of, place::tests::scores_with},
    };

    /// A board as a picture of it would be read: `others` are pieces that may be on a square as well, with their probability.
    fn board(placement: &str, others: &[(&str, char, f32)]) -> BoardReading {
        read(scores_with(&placement.parse().unwrap(), 0.9999, others))
    }

    fn read(scores: Scores) -> BoardReading {
        let corners = Corners::from_rect(0.0, 0.0, 80.0, 80.0);
        reading_of(&Picture::filled(80, 80, [0; 3]), corners, scores, Answers::default())
    }

    fn topics(board: &BoardReading) -> Vec<String> {
        questions(board, &TrustOptions::default()).iter().map(|question| question.topic.to_string()).collect()
    }

    fn answers(question: &Question) -> Vec<Answer> {
        question.choices.iter().map(|choice| choice.answer).collect()
    }

    /// What is left of a FEN after the placement.
    fn rest(board: &BoardReading) -> String {
        board.fen.to_string().split_once(' ').unwrap().1.to_owned()
    }

    fn known(board: &BoardReading, answers: &[Answer]) -> Settled {
        settle(board.clone(), &Options::default(), &mut answers.to_vec()).unwrap()
    }

    /// No opening, so castling is open: of Black's pieces only seven are at home.
    const GAME: &str = "r2qk2r/1p2bpp1/p1n1bn1p/3pP3/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    fn rights(text: &str) -> Castling {
        Castling::from(&text.chars().filter_map(CastlingRight::from_letter).collect::<Vec<_>>()[..])
    }

    #[test]
    fn only_what_is_open_is_asked_and_only_what_can_be_is_offered() {
        let open = board(GAME, &[]);
        assert_eq!(topics(&open), ["side to move", "castling", "en passant"]);
        let [side, castling, passed] = &questions(&open, &TrustOptions::default())[..] else {
            panic!("three questions")
        };
        assert_eq!(answers(side), [Answer::Side(Color::White), Answer::Side(Color::Black)]);
        assert_eq!(answers(castling), ["kq", "k", "q", ""].map(|text| Answer::Castling(rights(text))));
        assert_eq!(answers(passed), [None, Some("d6")].map(|s| Answer::EnPassant(s.map(|s| s.parse().unwrap()))));
        // With Black to move no white pawn can be taken in passing.
        let black = open.answered(Answer::Side(Color::Black), &Options::default()).unwrap();
        assert_eq!(topics(&black), ["castling"]);
        // A king in check is to move.
        assert_eq!(topics(&board("r5k1/pp3ppp/8/8/8/5P2/PPP3PP/R4rK1", &[])), Vec::<String>::new());
        assert!(topics(&board("8/8/4k3/8/8/3K4/8/8", &[])).contains(&"side at the bottom".to_owned()));
    }

    /// The bound below which a field is asked for is the caller's, not a copy of the default.
    #[test]
    fn the_bound_of_the_caller_decides_what_is_open() {
        let open = |square: f32| {
            let options = TrustOptions { square, ..TrustOptions::default() };
            questions(&board(GAME, &[]), &options).iter().map(|question| question.topic).collect::<Vec<_>>()
        };
        assert_eq!(open(0.98), [Topic::Side, Topic::Castling, Topic::EnPassant]);
        // No castling is assumed with a confidence of 4.6 %, White to move with 50.1 %, no en passant with 95.4 %.
        assert_eq!(open(0.9), [Topic::Side, Topic::Castling]);
        assert_eq!(open(0.3), [Topic::Castling]);
        assert_eq!(open(0.01), []);
    }

    #[test]
    fn a_doubtful_square_is_asked_with_the_likeliest_pieces_first() {
        let open = board(GAME, &[("e2", 'N', 0.3), ("e2", 'Q', 0.1)]);
        let question = &questions(&open, &TrustOptions::default())[0];
        let letter = |choice: &Choice| match choice.answer {
            Answer::Square(_, piece) => piece.map_or('.', Piece::letter),
            _ => '?',
        };
        let pieces: String = question.choices.iter().map(letter).collect();
        assert_eq!((question.topic, &pieces[..3]), (Topic::Square("e2".parse().unwrap()), "BNQ"));
        assert_eq!(pieces.len(), 13);
        let told = open.answered(question.choices[1].answer, &Options::default()).unwrap();
        assert_eq!(told.fen.placement.to_string(), GAME.replace("PPP1BPPP", "PPP1NPPP"));
        let e2 = told.reading.squares.iter().find(|square| square.square.to_string() == "e2").unwrap();
        assert_eq!((e2.source, e2.confidence, e2.runner_up), (Source::User, 1.0, Piece::from_letter('B')));
        assert!(!told.trust.flagged.contains(&true) && told.trust.verdict == Verdict::Accept);
    }

    #[test]
    fn a_turned_board_keeps_its_corrections() {
        let options = Options::default();
        let d4 = "d4".parse().unwrap();
        let told = board(GAME, &[]).answered(Answer::Square(d4, Piece::from_letter('P')), &options).unwrap();
        let turned = told.answered(Answer::Bottom(Color::Black), &options).unwrap();
        let expected: Placement = told.fen.placement.half_turn();
        assert_eq!((turned.fen.placement, turned.orientation.source), (expected, Source::User));
        assert_eq!(turned.answered(Answer::Bottom(Color::White), &options).unwrap().fen, told.fen);
    }

    #[test]
    fn what_is_known_is_not_asked() {
        let mut said = Answers { side: Some(Color::Black), castling: Some(rights("k")), ..Answers::default() };
        let settled = settle(board(GAME, &[]), &Options::default(), &mut said).unwrap();
        assert_eq!(rest(&settled.board), "b k - 0 1");
        assert!(settled.refused.is_empty());
        // Tiles are those of the picture, whichever side is at the bottom.
        let tile = Tile { row: 0, col: 0 };
        let mut said = Answers { bottom: Some(Color::Black), tiles: vec![(tile, None)], ..Answers::default() };
        let board_seen_from_white = board("Q6k/8/8/8/8/8/8/K6q", &[]);
        let settled = settle(board_seen_from_white, &Options::default(), &mut said.clone()).unwrap();
        assert_eq!(settled.board.answers, said);
        assert_eq!(settled.board.fen.placement.to_string(), "q6K/8/8/8/8/8/8/k7");
        said.bottom = Some(Color::White);
        let again = settle(settled.board, &Options::default(), &mut said.clone()).unwrap();
        assert_eq!((again.board.fen.placement.to_string().as_str(), again.board.answers), ("7k/8/8/8/8/8/8/K6q", said));
        // That nothing was passed is an answer, too.
        let settled = known(&board(GAME, &[]), &[Answer::EnPassant(None), Answer::Counters(3, 20)]);
        assert_eq!(topics(&settled.board), ["side to move", "castling"]);
        assert_eq!((rest(&settled.board).as_str(), settled.board.fields.counters.source), ("w - - 3 20", Source::User));
    }

    #[test]
    fn what_cannot_be_is_said_and_not_written() {
        let reasons = |placement: &str, answers: &[Answer]| {
            let settled = known(&board(placement, &[]), answers);
            let reasons: Vec<String> = settled.refused.iter().map(Refused::to_string).collect();
            (rest(&settled.board), reasons.join("\n"))
        };
        let e_pawn = |square: &str| Answer::EnPassant(Some(square.parse().unwrap()));
        assert_eq!(
            reasons(GAME, &[Answer::Castling(rights("Kkq"))]),
            ("w kq - 0 1".into(), "castling not taken: K: the white king is not on e1; K: no white rook on h1".into())
        );
        let (fen, reason) = reasons(GAME, &[Answer::Castling(rights("K"))]);
        assert!(fen == "w - - 0 1" && reason.contains("K: no white rook on h1"), "{fen} {reason}");
        let (fen, reason) = reasons("6k1/5ppp/8/8/8/8/5PPP/3r2K1", &[Answer::Side(Color::Black)]);
        assert_eq!(fen, "w - - 0 1");
        assert_eq!(reason, "side to move not taken: Black is to move, but the king on g1 is in check from d1");
        let (fen, reason) = reasons(GAME, &[e_pawn("e6")]);
        assert!(fen == "w - - 0 1" && reason.starts_with("en passant not taken: e6: no black pawn on e5"), "{reason}");
        let (fen, reason) = reasons(GAME, &[e_pawn("d6"), Answer::Counters(4, 9)]);
        assert_eq!(fen, "w - d6 0 1");
        assert!(reason.starts_with("counters not taken: a pawn has just moved"), "{reason}");
        let (fen, reason) = reasons(GAME, &[Answer::Counters(9, 2)]);
        assert!(fen == "w - - 0 1" && reason.contains("9 quiet half-moves"), "{fen} {reason}");
        // A check that a double step cannot have given.
        let (fen, reason) = reasons("8/8/8/1k6/3Pp3/8/8/4KQ2", &[e_pawn("d3")]);
        assert!(fen == "b - - 0 1" && reason.contains("no last move"), "{fen} {reason}");
    }

    #[test]
    fn somebody_may_not_know_or_leave() {
        let mut asked = Vec::new();
        let mut nobody = |_: &BoardReading, question: &Question| {
            asked.push(question.topic);
            Reply::Unknown
        };
        let settled = settle(board(GAME, &[]), &Options::default(), &mut nobody).unwrap();
        assert_eq!(rest(&settled.board), "w - - 0 1");
        assert_eq!(asked, [Topic::Side, Topic::Castling, Topic::EnPassant]);
        let mut gone = |_: &BoardReading, _: &Question| Reply::Leave;
        assert!(settle(board(GAME, &[]), &Options::default(), &mut gone).is_none());
    }

    fn pieces() -> impl Strategy<Value = Option<Piece>> {
        prop::option::of((0..12usize).prop_map(|piece| Piece::all().nth(piece).unwrap()))
    }

    fn squares() -> impl Strategy<Value = Square> {
        (0..Square::COUNT).prop_map(Square::from_index)
    }

    fn any_answer() -> impl Strategy<Value = Answer> {
        let color = || prop::bool::ANY.prop_map(|white| Color::ALL[usize::from(white)]);
        let castling = prop::sample::subsequence(vec!['K', 'Q', 'k', 'q'], 0..=4)
            .prop_map(|letters| Answer::Castling(rights(&letters.into_iter().collect::<String>())));
        prop_oneof![
            color().prop_map(Answer::Bottom),
            (squares(), pieces()).prop_map(|(square, piece)| Answer::Square(square, piece)),
            color().prop_map(Answer::Side),
            castling,
            prop::option::of(squares()).prop_map(Answer::EnPassant),
            (0..9u32, 1..9u32).prop_map(|(halfmoves, fullmoves)| Answer::Counters(halfmoves, fullmoves)),
        ]
    }

    /// Boards on which rights and double steps are common: homes and pawns side by side, with some pieces changed.
    fn boards() -> impl Strategy<Value = Placement> {
        let start = prop::sample::select(vec![
            "r3k2r/8/8/3pPp2/2pPp3/8/8/R3K2R",
            "rnbqkbnr/pp1ppppp/8/2pP4/4Pp2/8/PPP2PPP/RNBQKBNR",
            GAME,
            "4k3/8/8/8/8/8/8/4K3",
        ]);
        (start, prop::collection::vec((squares(), pieces()), 0..8)).prop_map(|(text, changes)| {
            let mut placement: Placement = text.parse().unwrap();
            changes.into_iter().for_each(|(square, piece)| placement.set(square, piece));
            placement
        })
    }

    /// The errors of a record that its placement alone does not have.
    fn errors_beyond_placement(board: &BoardReading) -> Vec<String> {
        use crate::fen::Fen;

        let of_placement = Fen { en_passant: None, castling: Castling::NONE, ..board.fen }.issues();
        let wrong = |issue: &&fen::Issue| {
            issue.severity() == Severity::Error && !of_placement.iter().any(|other| other.code == issue.code)
        };
        board.fen.issues().iter().filter(wrong).map(ToString::to_string).collect()
    }

    proptest! {
        #[test]
        fn no_answer_makes_a_record_impossible(
            placement in boards(), answers in prop::collection::vec(any_answer(), 0..12), sure in 0.5f32..1.0
        ) {
            let options = Options::default();
            let mut board = read(scores_with(&placement, sure, &[]));
            for answer in answers {
                if let Ok(told) = board.answered(answer, &options) {
                    board = told;
                }
                prop_assert_eq!(errors_beyond_placement(&board), Vec::<String>::new(), "{} after {:?}", board.fen, answer);
                let rights = board.fen.castling;
                prop_assert_eq!(rights.and(Castling::possible(&board.fen.placement)), rights);
            }
        }

        #[test]
        fn every_choice_offered_is_taken(placement in boards(), picks in prop::collection::vec(0..64usize, 80)) {
            let options = Options::default();
            let mut picks = picks.into_iter();
            let board = read(scores_with(&placement, 0.99, &[]));
            let mut pick = |_: &BoardReading, question: &Question| {
                let choices = &question.choices;
                Reply::Answer(choices[picks.next().unwrap_or(0) % choices.len()].answer)
            };
            let settled = settle(board, &options, &mut pick).unwrap();
            prop_assert!(settled.refused.is_empty(), "{:?}", settled.refused);
            prop_assert_eq!(errors_beyond_placement(&settled.board), Vec::<String>::new());
            prop_assert!(questions(&settled.board, &TrustOptions::default()).is_empty());
        }

        #[test]
        fn known_answers_end_in_a_record_or_a_reason(
            placement in boards(), answers in prop::collection::vec(any_answer(), 0..6)
        ) {
            let options = Options::default();
            let board = read(scores_with(&placement, 0.9999, &[]));
            let settled = settle(board, &options, &mut answers.clone()).unwrap();
            prop_assert_eq!(errors_beyond_placement(&settled.board), Vec::<String>::new());
            // The last answer on who moves holds, or it is among those refused.
            if let Some(&Answer::Side(side)) = answers.iter().rfind(|answer| answer.topic() == Topic::Side) {
                let refused = settled.refused.iter().any(|refused| refused.answer == Answer::Side(side));
                prop_assert!(settled.board.fen.side == side || refused);
            }
        }
    }
}
