//! Whether a game can lead to what a record states: whether castling rights, en passant target, counters and pieces fit each
//! other.

use super::{attacks::attackers, castling, en_passant, pawns, pieces::Pieces, retraction};
use crate::{
    fen::{
        issue::{
            Field, Issue, Operand,
            code::{Code, Stage},
            field_of,
        },
        setup::{Board, Setup, xiangqi_color},
    },
    games::{
        chess::{Color, File, Piece, Rank, Role, Square},
        game::Game,
        material::Limit,
        placement::Placement,
        xiangqi,
        xiangqi::Finding,
    },
};

/// Half-moves after which a draw may be claimed and after which the game is drawn (FIDE 9.3, 9.6.2), and those of the
/// natural limit of xiangqi.
const FIFTY_MOVES: u32 = 100;
const SEVENTY_FIVE_MOVES: u32 = 150;
const NATURAL_LIMIT: u32 = 120;
/// The longest game under the 75-move rule, in moves.
const LONGEST_GAME: u32 = 8849;

/// Which fields of a setup are known; unknown ones are not examined.
#[derive(Clone, Copy, Debug)]
pub(in crate::fen) struct KnownFields {
    pub side: bool,
    pub castling: bool,
    pub en_passant: bool,
}

impl KnownFields {
    pub const ALL: KnownFields = KnownFields { side: true, castling: true, en_passant: true };

    /// Whether all are known.
    pub fn all(self) -> bool {
        self.side && self.castling && self.en_passant
    }
}

/// Everything that is wrong with a position, and what is worth knowing about it.
pub(in crate::fen) fn examine(setup: &Setup, known: KnownFields, chess960: bool) -> Vec<Issue> {
    let mut issues = Vec::new();
    match &setup.board {
        Board::Chess(placement) => {
            if known.castling {
                castling::examine(placement, &setup.rights, chess960, &mut issues);
            }
            let target = setup.en_passant.filter(|_| known.en_passant && known.side);
            let mut passed = None;
            if let Some(target) = target {
                en_passant::examine(placement, setup.side, target, setup.halfmoves, &mut issues);
                let is_error = |issue: &Issue| issue.code.is_illegal() && issue.code.stage() == Stage::EnPassant;
                passed = Some(target).filter(|_| !issues.iter().any(is_error));
            }
            let side = known.side.then_some(setup.side);
            // Rights that are possible only in Chess960 suggest that the game did not begin with the usual first rank.
            let any_start = chess960 || issues.iter().any(|issue| issue.code == Code::Chess960Rights);
            position(placement, side, passed, any_start, &mut issues);
        }
        Board::Xiangqi(placement) => {
            let side = known.side.then_some(xiangqi_color(setup.side));
            issues.extend(xiangqi::findings(placement, side).iter().map(of_finding));
        }
    }
    for issue in &mut issues {
        issue.field = issue.field.or(field_of(issue.code.stage()));
    }
    issues
}

/// Reports counters that contradict each other or a rule that ends the game.
pub(in crate::fen) fn counters(
    game: Game,
    side: Option<Color>,
    halfmoves: Option<u32>,
    fullmoves: Option<u32>,
    issues: &mut Vec<Issue>,
) {
    if let Some(n) = halfmoves {
        let limit = match game {
            Game::Chess if n >= SEVENTY_FIVE_MOVES => Some(Code::SeventyFiveMoveReached),
            Game::Chess if n >= FIFTY_MOVES => Some(Code::FiftyMoveReached),
            Game::Xiangqi if n >= NATURAL_LIMIT => Some(Code::NaturalLimitReached),
            _ => None,
        };
        issues.extend(limit.map(|code| Issue::new(code).field(Field::Halfmove).with("n", n)));
        if let (Some(side), Some(fullmoves)) = (side, fullmoves) {
            let plies = 2 * u64::from(fullmoves.saturating_sub(1)) + u64::from(side == Color::Black);
            if u64::from(n) > plies {
                let issue = Issue::new(Code::HalfmoveExceedsGame).field(Field::Halfmove).with("n", n);
                issues.push(issue.with("plies", Operand::Number(plies)));
            }
        }
    }
    if let Some(n) = fullmoves.filter(|&n| n > LONGEST_GAME && game == Game::Chess) {
        issues.push(Issue::new(Code::FullmoveImplausible).field(Field::Fullmove).with("n", n));
    }
}

/// Reports what is wrong with the pieces and the side to move.
fn position(
    placement: &Placement,
    side: Option<Color>,
    target: Option<Square>,
    any_start: bool,
    issues: &mut Vec<Issue>,
) {
    let pieces = &Pieces::of(placement);
    if pieces.list.is_empty() {
        issues.push(Issue::new(Code::EmptyBoard));
    }
    kings(pieces, issues);
    let [white, black] = Color::ALL.map(|color| pieces.king(color));
    let mut adjacent = false;
    if let (Some(a), Some(b)) = (white, black) {
        let files = a.file().index().abs_diff(b.file().index());
        let ranks = a.rank().index().abs_diff(b.rank().index());
        adjacent = files.max(ranks) == 1;
        if adjacent {
            issues.push(Issue::new(Code::KingsAdjacent).with("a", a).with("b", b).at([a, b]));
        }
    }
    if let Some(side) = side {
        checks(placement, pieces, side, target, any_start, adjacent, issues);
    }
    pawns::examine(placement, pieces, any_start, issues);
    if is_mirrored(placement) {
        let home = |color, file| Square::new(File::new(file), Rank::new(0).seen_by(color));
        let homes = Color::ALL.into_iter().flat_map(|color| [home(color, 3), home(color, 4)]);
        issues.push(Issue::new(Code::BoardMirrored).at(homes));
    }
}

/// A side has exactly one king.
fn kings(pieces: &Pieces, issues: &mut Vec<Issue>) {
    for color in Color::ALL.into_iter().filter(|&color| pieces.material.excess(Limit::OneKing, color) > 0) {
        let operand = Operand::Color(color.into());
        let kings: Vec<Square> = pieces.squares_of(color, Role::King).collect();
        if kings.is_empty() {
            issues.push(Issue::new(Code::MissingKing).with("color", operand));
        } else {
            let issue = Issue::new(Code::TooManyKings).with("n", kings.len()).with("color", operand);
            issues.push(issue.with("squares", &kings[..]).at(kings));
        }
    }
}

/// Reports checks of the side that does not move, and checks that no last move can have given.
fn checks(
    placement: &Placement,
    pieces: &Pieces,
    side: Color,
    target: Option<Square>,
    any_start: bool,
    adjacent: bool,
    issues: &mut Vec<Issue>,
) {
    if let Some(king) = pieces.king(!side) {
        let checkers = attackers(placement, king, side);
        if !checkers.is_empty() {
            issues.push(
                Issue::new(Code::OpponentInCheck)
                    .with("side", Operand::Player(side.into()))
                    .with("square", king)
                    .with("checkers", &checkers[..])
                    .at(std::iter::once(king).chain(checkers)),
            );
            return;
        }
    }
    let Some(king) = pieces.king(side).filter(|_| !adjacent) else { return };
    let checkers = attackers(placement, king, !side);
    let king_and_checkers = || std::iter::once(king).chain(checkers.iter().copied());
    match checkers.len() {
        0 => {}
        1 | 2 => {
            if !retraction::has_last_move(placement, pieces, (king, side), &checkers, target, any_start) {
                issues.push(Issue::new(Code::ImpossibleCheck).with("checkers", &checkers[..]).at(king_and_checkers()));
            }
        }
        n => {
            let issue = Issue::new(Code::TooManyCheckers).with("n", n).with("checkers", &checkers[..]);
            issues.push(issue.at(king_and_checkers()));
        }
    }
}

/// Both kings on the d-file and both queens on the e-file, at home.
pub(in crate::fen) fn is_mirrored(placement: &Placement) -> bool {
    Color::ALL.into_iter().all(|color| {
        let home = |file| Square::new(File::new(file), Rank::new(0).seen_by(color));
        placement.get(home(3)) == Some(Piece { color, role: Role::King })
            && placement.get(home(4)) == Some(Piece { color, role: Role::Queen })
    })
}

/// The issue for a finding of the rules of xiangqi.
fn of_finding(finding: &Finding) -> Issue {
    let issue = Issue::new(code_of(finding)).at(finding.points());
    let operand = |color: xiangqi::Color| Operand::Color(color.into());
    match finding {
        Finding::MissingKing { color } => issue.with("color", operand(*color)),
        Finding::TooManyKings { color, points } => {
            issue.with("n", points.len()).with("color", operand(*color)).with("squares", &points[..])
        }
        Finding::OpponentInCheck { side, king, checkers } => {
            issue.with("side", Operand::Player((*side).into())).with("square", *king).with("checkers", &checkers[..])
        }
        Finding::ImpossibleCheck { checkers, .. } => issue.with("checkers", &checkers[..]),
        Finding::KingOutsidePalace { color, point }
        | Finding::AdvisorOffPoint { color, point }
        | Finding::ElephantOffPoint { color, point }
        | Finding::ElephantCrossedRiver { color, point }
        | Finding::PawnBehindStart { color, point }
        | Finding::PawnWrongFile { color, point } => issue.with("color", operand(*color)).with("square", *point),
        Finding::PawnDoubledUncrossed { color, points } => {
            let file = points.first().map_or(' ', |point| point.file_letter());
            issue.with("color", operand(*color)).with("file", file)
        }
        Finding::TooManyOfKind { color, role, count, .. } => issue
            .with("n", *count)
            .with("color", operand(*color))
            .with("kind", Operand::Words(plural(*role), role.name_zh()))
            .with("max", role.most()),
        Finding::KingsFacing { red, .. } => issue.with("file", red.file_letter()),
        Finding::EmptyBoard | Finding::UpsideDown => issue,
    }
}

fn code_of(finding: &Finding) -> Code {
    match finding {
        Finding::EmptyBoard => Code::EmptyBoard,
        Finding::MissingKing { .. } => Code::MissingKing,
        Finding::TooManyKings { .. } => Code::TooManyKings,
        Finding::OpponentInCheck { .. } => Code::OpponentInCheck,
        Finding::ImpossibleCheck { .. } => Code::ImpossibleCheck,
        Finding::UpsideDown => Code::BoardUpsideDown,
        Finding::KingOutsidePalace { .. } => Code::KingOutsidePalace,
        Finding::AdvisorOffPoint { .. } => Code::AdvisorOffPoint,
        Finding::ElephantOffPoint { .. } => Code::ElephantOffPoint,
        Finding::ElephantCrossedRiver { .. } => Code::ElephantCrossedRiver,
        Finding::PawnBehindStart { .. } => Code::PawnBehindStart,
        Finding::PawnWrongFile { .. } => Code::PawnWrongFile,
        Finding::PawnDoubledUncrossed { .. } => Code::PawnDoubledUncrossed,
        Finding::TooManyOfKind { .. } => Code::TooManyOfKind,
        Finding::KingsFacing { .. } => Code::KingsFacing,
    }
}

fn plural(role: xiangqi::Role) -> &'static str {
    match role {
        xiangqi::Role::King => "generals",
        xiangqi::Role::Advisor => "advisors",
        xiangqi::Role::Elephant => "elephants",
        xiangqi::Role::Horse => "horses",
        xiangqi::Role::Chariot => "chariots",
        xiangqi::Role::Cannon => "cannons",
        xiangqi::Role::Pawn => "pawns",
    }
}
