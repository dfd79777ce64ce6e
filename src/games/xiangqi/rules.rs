//! The rules: which pieces give check, and which positions cannot come from a game.

use super::{Color, Piece, Placement, Point, Role};

/// The pieces of `by` that could capture what stands on a point, in order of their points.
///
/// * A chariot, along an open file or rank.
/// * A cannon, along a file or rank with exactly one piece of either color between (the screen).
/// * A horse, when the point next to it along the line (its leg) is empty. The leg is beside the horse, so the attack need
///   not work in the other direction: a horse on the target may be unable to attack this one.
/// * A pawn, the point in front of it; beyond the river also from the points at its sides. Never backward.
/// * The general of the other side, along an open file (the flying general): two generals may never see each other.
///
/// Advisors and elephants never leave their side of the board, so they are left out.
pub fn attackers(placement: &Placement, target: Point, by: Color) -> Vec<Point> {
    let pieces =
        placement.pieces().filter(|&(from, piece)| piece.color == by && attacks(placement, from, piece, target));
    pieces.map(|(from, _)| from).collect()
}

/// Whether a piece could capture what stands on another point.
fn attacks(placement: &Placement, from: Point, piece: Piece, target: Point) -> bool {
    let files = target.file() as i32 - from.file() as i32;
    let ranks = target.rank() as i32 - from.rank() as i32;
    let in_line = (files == 0) != (ranks == 0);
    match piece.role {
        Role::Chariot => in_line && placement.between(from, target) == 0,
        Role::Cannon => in_line && placement.between(from, target) == 1,
        Role::Horse => {
            let leg = match (files.abs(), ranks.abs()) {
                (1, 2) => from.step(0, ranks.signum()),
                (2, 1) => from.step(files.signum(), 0),
                _ => None,
            };
            leg.is_some_and(|leg| placement.get(leg).is_none())
        }
        Role::Pawn => {
            let forward = files == 0 && ranks == piece.color.forward();
            forward || (ranks == 0 && files.abs() == 1 && from.is_across_river(piece.color))
        }
        Role::King => {
            let target_is_king = placement.get(target) == Some(Piece { color: !piece.color, role: Role::King });
            target_is_king && files == 0 && ranks != 0 && placement.between(from, target) == 0
        }
        Role::Advisor | Role::Elephant => false,
    }
}

/// The pieces that give check to the only general of `color`, in order of their points; the other general is among them
/// when it faces this one. Empty when there is not exactly one general of this color.
pub fn checkers(placement: &Placement, color: Color) -> Vec<Point> {
    placement.king(color).map_or_else(Vec::new, |king| attackers(placement, king, !color))
}

/// Whether the only general of `color` is in check, which includes facing the other general.
pub fn in_check(placement: &Placement, color: Color) -> bool {
    placement.king(color).is_some_and(|king| is_attacked(placement, king, !color))
}

fn is_attacked(placement: &Placement, target: Point, by: Color) -> bool {
    placement.pieces().any(|(from, piece)| piece.color == by && attacks(placement, from, piece, target))
}

/// A reason why a position cannot come from a game, with what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// There are no pieces.
    EmptyBoard,
    /// A side has no general.
    MissingKing {
        /// The side.
        color: Color,
    },
    /// A side has more than one general.
    TooManyKings {
        /// The side.
        color: Color,
        /// Their points.
        points: Vec<Point>,
    },
    /// The side to move could capture the other general. Generals that face each other are
    /// [`KingsFacing`](Finding::KingsFacing) instead, since that is wrong whichever side is to move.
    OpponentInCheck {
        /// The side to move.
        side: Color,
        /// The other side's general.
        king: Point,
        /// The pieces that could capture it.
        checkers: Vec<Point>,
    },
    /// The side to move is in check, and whatever the other side moved last, the check existed before that move.
    ImpossibleCheck {
        /// The general in check.
        king: Point,
        /// The pieces that give check.
        checkers: Vec<Point>,
    },
    /// All generals, advisors and elephants stand on the other side of the river: the ranks were written in reverse, or
    /// the colors were exchanged.
    UpsideDown,
    /// A general stands outside the nine points of its palace, which it may never leave.
    KingOutsidePalace {
        /// Whose general.
        color: Color,
        /// Its point.
        point: Point,
    },
    /// An advisor stands on none of the five points it can reach: the middle and the corners of its palace.
    AdvisorOffPoint {
        /// Whose advisor.
        color: Color,
        /// Its point.
        point: Point,
    },
    /// An elephant stands on its own side of the river, but on none of the seven points it can reach.
    ElephantOffPoint {
        /// Whose elephant.
        color: Color,
        /// Its point.
        point: Point,
    },
    /// An elephant stands beyond the river, which it may not cross.
    ElephantCrossedRiver {
        /// Whose elephant.
        color: Color,
        /// Its point.
        point: Point,
    },
    /// A pawn stands behind the rank from which it began; it never goes back.
    PawnBehindStart {
        /// Whose pawn.
        color: Color,
        /// Its point.
        point: Point,
    },
    /// A pawn before the river stands on one of the files b, d, f, h: it begins on another and goes only forward there.
    PawnWrongFile {
        /// Whose pawn.
        color: Color,
        /// Its point.
        point: Point,
    },
    /// Two pawns before the river stand on one file: each begins on a file of its own and cannot leave it there.
    PawnDoubledUncrossed {
        /// Whose pawns.
        color: Color,
        /// Their points.
        points: Vec<Point>,
    },
    /// A side has more pieces of a kind than it began with; nothing is promoted in xiangqi.
    TooManyOfKind {
        /// The side.
        color: Color,
        /// The kind.
        role: Role,
        /// How many there are.
        count: usize,
        /// Their points.
        points: Vec<Point>,
    },
    /// The generals stand on one file with no piece between, which is wrong whichever side is to move.
    KingsFacing {
        /// Red's general.
        red: Point,
        /// Black's general.
        black: Point,
    },
}

impl Finding {
    /// The points to check, the one that is wrong first; none where the whole board is wrong.
    pub fn points(&self) -> Vec<Point> {
        match self {
            Finding::EmptyBoard | Finding::MissingKing { .. } | Finding::UpsideDown => Vec::new(),
            Finding::TooManyKings { points, .. }
            | Finding::PawnDoubledUncrossed { points, .. }
            | Finding::TooManyOfKind { points, .. } => points.clone(),
            Finding::OpponentInCheck { king, checkers, .. } | Finding::ImpossibleCheck { king, checkers } => {
                std::iter::once(*king).chain(checkers.iter().copied()).collect()
            }
            Finding::KingOutsidePalace { point, .. }
            | Finding::AdvisorOffPoint { point, .. }
            | Finding::ElephantOffPoint { point, .. }
            | Finding::ElephantCrossedRiver { point, .. }
            | Finding::PawnBehindStart { point, .. }
            | Finding::PawnWrongFile { point, .. } => vec![*point],
            Finding::KingsFacing { red, black } => vec![*red, *black],
        }
    }
}

/// Every reason why no game leads to this position. `side` is the side to move, if known.
///
/// Findings about the position as a whole come first, then those about single pieces, in the order of the variants of
/// [`Finding`] and then of the points, a0 first.
///
/// The number of pieces that give check is not limited: with legs, screens and lines even four at once are possible.
/// Instead, the last move is examined: can it have given these checks? This is skipped when the position has other errors,
/// since the checks may follow from them.
pub fn findings(placement: &Placement, side: Option<Color>) -> Vec<Finding> {
    let counts = Counts::of(placement);
    let mut found = Vec::new();
    if counts.total() == 0 {
        found.push(Finding::EmptyBoard);
    }
    let no_king = Color::ALL.into_iter().filter(|&color| counts.get(color, Role::King) == 0);
    found.extend(no_king.map(|color| Finding::MissingKing { color }));
    for color in Color::ALL.into_iter().filter(|&color| counts.get(color, Role::King) > 1) {
        let points = placement.points_of(Piece { color, role: Role::King }).collect();
        found.push(Finding::TooManyKings { color, points });
    }
    let facing = facing(placement);
    let mut misplaced = misplaced(placement, &counts);
    if let Some(side) = side {
        found.extend(opponent_in_check(placement, side));
        if found.is_empty() && misplaced.is_empty() && facing.is_none() {
            found.extend(impossible_check(placement, &counts, side));
        }
    }
    if is_upside_down(placement) {
        found.push(Finding::UpsideDown);
    }
    found.append(&mut misplaced);
    found.extend(facing);
    found
}

/// How many pieces of each kind there are.
struct Counts([[usize; 7]; 2]);

impl Counts {
    fn of(placement: &Placement) -> Counts {
        let mut counts = Counts([[0; 7]; 2]);
        placement.pieces().for_each(|(_, piece)| counts.0[piece.color as usize][piece.role as usize] += 1);
        counts
    }

    fn get(&self, color: Color, role: Role) -> usize {
        self.0[color as usize][role as usize]
    }

    fn total(&self) -> usize {
        self.0.iter().flatten().sum()
    }
}

fn facing(placement: &Placement) -> Option<Finding> {
    let (red, black) = (placement.king(Color::Red)?, placement.king(Color::Black)?);
    let facing = red.file() == black.file() && placement.between(red, black) == 0;
    facing.then_some(Finding::KingsFacing { red, black })
}

fn opponent_in_check(placement: &Placement, side: Color) -> Option<Finding> {
    let king = placement.king(!side)?;
    let mut checkers = attackers(placement, king, side);
    checkers.retain(|&point| placement.get(point).is_some_and(|piece| piece.role != Role::King));
    (!checkers.is_empty()).then_some(Finding::OpponentInCheck { side, king, checkers })
}

/// Whether there are at least two of the pieces that never cross the river, and all of them are beyond it.
fn is_upside_down(placement: &Placement) -> bool {
    let mut never_crossing = placement
        .pieces()
        .filter(|(_, piece)| matches!(piece.role, Role::King | Role::Advisor | Role::Elephant))
        .peekable();
    let mut n = 0;
    never_crossing.all(|(point, piece)| {
        n += 1;
        point.is_across_river(piece.color)
    }) && n > 1
}

/// Whether a piece of this kind can ever come to this point.
fn can_stand(piece: Piece, point: Point) -> bool {
    let (file, rank) = (point.file(), piece.color.rank_seen(point.rank()));
    match piece.role {
        Role::King => point.is_in_palace(piece.color),
        // The middle of the palace and its corners.
        Role::Advisor => point.is_in_palace(piece.color) && (file + rank) % 2 == 1,
        // c0 g0 a2 e2 i2 c4 g4: every second rank, every fourth file, shifted by two files on rank 2.
        Role::Elephant => rank <= 4 && rank % 2 == 0 && file % 4 == if rank == 2 { 0 } else { 2 },
        Role::Horse | Role::Chariot | Role::Cannon => true,
        Role::Pawn => rank >= 5 || (rank >= 3 && file % 2 == 0),
    }
}

/// Pieces on points that they cannot reach, and pieces that are too many.
fn misplaced(placement: &Placement, counts: &Counts) -> Vec<Finding> {
    let wrong = |(point, piece): (Point, Piece)| {
        let color = piece.color;
        if can_stand(piece, point) {
            return None;
        }
        match piece.role {
            Role::King => Some(Finding::KingOutsidePalace { color, point }),
            Role::Advisor => Some(Finding::AdvisorOffPoint { color, point }),
            Role::Elephant if point.is_across_river(color) => Some(Finding::ElephantCrossedRiver { color, point }),
            Role::Elephant => Some(Finding::ElephantOffPoint { color, point }),
            Role::Pawn if color.rank_seen(point.rank()) < 3 => Some(Finding::PawnBehindStart { color, point }),
            Role::Pawn => Some(Finding::PawnWrongFile { color, point }),
            Role::Horse | Role::Chariot | Role::Cannon => None,
        }
    };
    let mut found: Vec<Finding> = placement.pieces().filter_map(wrong).collect();
    found.sort_by_key(order);
    for color in Color::ALL {
        let uncrossed = |point: &Point| matches!(color.rank_seen(point.rank()), 3 | 4);
        let pawns: Vec<Point> = placement.points_of(Piece { color, role: Role::Pawn }).filter(uncrossed).collect();
        // A single pawn on one of the other files is already wrong.
        for file in (0..Point::FILES).step_by(2) {
            let points: Vec<Point> = pawns.iter().copied().filter(|point| point.file() == file).collect();
            if points.len() > 1 {
                found.push(Finding::PawnDoubledUncrossed { color, points });
            }
        }
    }
    // Surplus generals are `TooManyKings`.
    for piece in Piece::all().filter(|piece| piece.role != Role::King) {
        let Piece { color, role } = piece;
        let count = counts.get(color, role);
        if count > role.most() {
            found.push(Finding::TooManyOfKind { color, role, count, points: placement.points_of(piece).collect() });
        }
    }
    found
}

/// The key by which findings about misplaced pieces are sorted.
fn order(finding: &Finding) -> usize {
    match finding {
        Finding::KingOutsidePalace { .. } => 0,
        Finding::AdvisorOffPoint { .. } => 1,
        Finding::ElephantOffPoint { .. } => 2,
        Finding::ElephantCrossedRiver { .. } => 3,
        Finding::PawnBehindStart { .. } => 4,
        _ => 5,
    }
}

/// A check of the side to move that no last move of the other side can have given.
fn impossible_check(placement: &Placement, counts: &Counts, side: Color) -> Option<Finding> {
    let king = placement.king(side)?;
    let checkers = attackers(placement, king, !side);
    if checkers.is_empty() {
        return None;
    }
    let mut pieces = placement.pieces().filter(|(_, piece)| piece.color != side);
    let possible = pieces.any(|(to, piece)| {
        let mut before = positions_before(placement, counts, to, piece);
        before.any(|before| !is_attacked(&before, king, !side))
    });
    (!possible).then_some(Finding::ImpossibleCheck { king, checkers })
}

/// Every position from which `piece` can have moved to `to`.
fn positions_before(
    placement: &Placement,
    counts: &Counts,
    to: Point,
    piece: Piece,
) -> impl Iterator<Item = Placement> + use<> {
    // Nothing was taken, or one of the other side's pieces that are missing and could stand here. Which one does not matter
    // to the checks, only that a piece stood here.
    let missing = |victim: &Piece| {
        let &Piece { color, role } = victim;
        color != piece.color && role != Role::King && counts.get(color, role) < role.most() && can_stand(*victim, to)
    };
    let victims = std::iter::once(None).chain(Piece::all().find(missing).map(Some));
    let after = *placement;
    victims.flat_map(move |victim| {
        Point::all().filter_map(move |from| {
            if after.get(from).is_some() || !can_stand(piece, from) {
                return None;
            }
            let mut before = after;
            before.set(to, victim);
            before.set(from, Some(piece));
            moves(&before, from, to, piece).then_some(before)
        })
    })
}

/// Whether a piece can move from one point to another, which is empty or holds one of the other side's pieces.
fn moves(placement: &Placement, from: Point, to: Point, piece: Piece) -> bool {
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let in_line = (files == 0) != (ranks == 0);
    let free = |point: Option<Point>| point.is_some_and(|point| placement.get(point).is_none());
    match piece.role {
        Role::King => files.abs() + ranks.abs() == 1 && to.is_in_palace(piece.color),
        Role::Advisor => files.abs() == 1 && ranks.abs() == 1,
        Role::Elephant => files.abs() == 2 && ranks.abs() == 2 && free(from.step(files / 2, ranks / 2)),
        Role::Horse => match (files.abs(), ranks.abs()) {
            (1, 2) => free(from.step(0, ranks.signum())),
            (2, 1) => free(from.step(files.signum(), 0)),
            _ => false,
        },
        Role::Chariot => in_line && placement.between(from, to) == 0,
        Role::Cannon => in_line && placement.between(from, to) == usize::from(placement.get(to).is_some()),
        Role::Pawn => {
            let forward = files == 0 && ranks == piece.color.forward();
            forward || (ranks == 0 && files.abs() == 1 && from.is_across_river(piece.color))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(text: &str) -> Placement {
        text.parse().unwrap()
    }

    impl Finding {
        /// The word for a kind of finding in these tests.
        fn name(&self) -> &'static str {
            match self {
                Finding::EmptyBoard => "empty-board",
                Finding::MissingKing { .. } => "missing-king",
                Finding::TooManyKings { .. } => "too-many-kings",
                Finding::OpponentInCheck { .. } => "opponent-in-check",
                Finding::ImpossibleCheck { .. } => "impossible-check",
                Finding::UpsideDown => "board-upside-down",
                Finding::KingOutsidePalace { .. } => "king-outside-palace",
                Finding::AdvisorOffPoint { .. } => "advisor-off-point",
                Finding::ElephantOffPoint { .. } => "elephant-off-point",
                Finding::ElephantCrossedRiver { .. } => "elephant-crossed-river",
                Finding::PawnBehindStart { .. } => "pawn-behind-start",
                Finding::PawnWrongFile { .. } => "pawn-wrong-file",
                Finding::PawnDoubledUncrossed { .. } => "pawn-doubled-uncrossed",
                Finding::TooManyOfKind { .. } => "too-many-of-kind",
                Finding::KingsFacing { .. } => "kings-facing",
            }
        }
    }

    fn codes(text: &str, side: Option<Color>) -> Vec<&'static str> {
        let mut codes: Vec<_> = findings(&placement(text), side).iter().map(Finding::name).collect();
        codes.dedup();
        codes
    }

    /// What is found with Red, and then with Black, to move.
    fn both(text: &str) -> [Vec<&'static str>; 2] {
        Color::ALL.map(|side| codes(text, Some(side)))
    }

    fn names(points: &[Point]) -> String {
        points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_start_is_right() {
        assert!(both(Placement::START_TEXT).iter().all(Vec::is_empty));
    }

    #[test]
    fn kings_are_counted() {
        assert_eq!(codes("9/9/9/9/9/9/9/9/9/9", None), ["empty-board", "missing-king"]);
        assert_eq!(findings(&Placement::EMPTY, None).len(), 3);
        assert_eq!(codes("9/9/9/9/9/9/9/9/9/4K4", None), ["missing-king"]);
        let two = findings(&placement("3kk4/9/9/9/9/9/9/9/9/5K3"), Some(Color::Red));
        let [Finding::TooManyKings { color: Color::Black, points }] = &two[..] else { panic!("{two:?}") };
        assert_eq!(names(points), "d9 e9");
    }

    #[test]
    fn pieces_keep_to_their_points() {
        // How many points each piece has: 9 of the palace, 5, 7, 90, 90, 90, and 45 beyond the river and 10 before it.
        for (role, points) in Role::ALL.into_iter().zip([9, 5, 7, 90, 90, 90, 55]) {
            for color in Color::ALL {
                let n = Point::all().filter(|&point| can_stand(Piece { color, role }, point)).count();
                assert_eq!(n, points, "{color} {role:?}");
            }
        }
        let of = |role| {
            let points: Vec<_> = Point::all().filter(|&p| can_stand(Piece { color: Color::Red, role }, p)).collect();
            names(&points)
        };
        assert_eq!(of(Role::Advisor), "d0 f0 e1 d2 f2");
        assert_eq!(of(Role::Elephant), "c0 g0 a2 e2 i2 c4 g4");
        let wrong = [
            ("4k4/9/9/9/9/9/9/9/9/2K6", "king-outside-palace", "c0"),
            ("9/9/9/3k5/9/9/9/9/9/4K4", "king-outside-palace", "d6"),
            ("4k4/9/9/9/9/9/9/9/3A5/5K3", "advisor-off-point", "d1"),
            ("4k4/9/9/4a4/9/9/9/9/9/5K3", "advisor-off-point", "e6"),
            ("4k4/9/9/9/9/9/9/9/1B7/5K3", "elephant-off-point", "b1"),
            ("4k4/9/9/2B6/9/9/9/9/9/5K3", "elephant-crossed-river", "c6"),
            ("3k5/9/9/9/9/9/2b6/9/9/4K4", "elephant-crossed-river", "c3"),
            ("4k4/9/9/9/9/9/9/4P4/9/5K3", "pawn-behind-start", "e2"),
            ("4k4/p8/9/9/9/9/9/9/9/5K3", "pawn-behind-start", "a8"),
            ("4k4/9/9/9/9/9/1P7/9/9/5K3", "pawn-wrong-file", "b3"),
            ("4k4/9/9/9/9/P8/P8/9/9/5K3", "pawn-doubled-uncrossed", "a3 a4"),
        ];
        for (text, code, points) in wrong {
            for side in [None, Some(Color::Red), Some(Color::Black)] {
                let found = findings(&placement(text), side);
                assert_eq!(
                    found.iter().map(|f| (f.name(), names(&f.points()))).collect::<Vec<_>>(),
                    [(code, points.to_owned())]
                );
            }
        }
        for right in ["P3k4/9/9/9/9/9/9/9/9/5K3", "4k4/9/9/1P7/1P7/9/9/9/9/5K3", "4k4/9/9/9/p8/P8/9/9/9/5K3"] {
            assert!(both(right).iter().all(Vec::is_empty), "{right}");
        }
    }

    #[test]
    fn nothing_is_promoted() {
        let found = findings(&placement("rnbakabnr/9/1c5c1/p1p1p1p1p/4P4/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"), None);
        let [Finding::TooManyOfKind { color: Color::Red, role: Role::Pawn, count: 6, points }] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(names(points), "a3 c3 e3 g3 i3 e5");
        assert_eq!(codes("4k4/9/9/9/r1r1r4/9/9/9/9/5K3", None), ["too-many-of-kind"]);
    }

    #[test]
    fn generals_may_not_face_each_other() {
        assert_eq!(both("4k4/9/9/9/9/9/9/9/9/4K4"), [["kings-facing"], ["kings-facing"]]);
        assert_eq!(codes("4k4/9/9/9/9/9/9/9/9/4K4", None), ["kings-facing"]);
        assert!(both("4k4/9/9/9/9/4P4/9/9/9/4K4").iter().all(Vec::is_empty));
        assert!(both("4k4/9/9/9/9/9/9/9/9/3K5").iter().all(Vec::is_empty));
        assert_eq!(names(&checkers(&placement("4k4/9/9/9/9/9/9/9/9/4K4"), Color::Red)), "e9");
    }

    #[test]
    fn pieces_give_check_where_they_capture() {
        let checks = [
            ("3k5/9/9/9/9/9/9/9/9/3RK4", "d0"),    // chariot on an open file
            ("3k5/3a5/9/9/9/9/9/9/9/3RK4", ""),    // a piece between
            ("3k5/9/9/9/9/9/9/9/9/3CK4", ""),      // cannon without a screen
            ("3k5/9/9/9/9/9/3p5/9/9/3CK4", "d0"),  // with one
            ("3k5/9/9/9/9/3p5/3p5/9/9/3CK4", ""),  // with two
            ("3k5/9/4N4/9/9/9/9/9/9/4K4", "e7"),   // horse, its leg e8 free
            ("3k5/4a4/4N4/9/9/9/9/9/9/4K4", ""),   // its leg blocked
            ("3k5/3a5/4N4/9/9/9/9/9/9/4K4", "e7"), // a piece beside the general does not block the horse
            ("3k5/5N3/9/9/9/9/9/9/9/4K4", "f8"),   // from the side, leg e8
            ("3k5/4aN3/9/9/9/9/9/9/9/4K4", ""),    // leg blocked
            ("3kP4/9/9/9/9/9/9/9/9/5K3", "e9"),    // pawn at the side
            ("3P5/3k5/9/9/9/9/9/9/9/5K3", ""),     // pawn behind
            ("9/3k5/3P5/9/9/9/9/9/9/5K3", "d7"),   // pawn before
            ("3k5/2P6/9/9/9/9/9/9/9/5K3", ""),     // a pawn does not attack along a diagonal
            ("3k5/4B4/9/9/9/9/9/9/9/5K3", ""),     // elephants and advisors never check
        ];
        for (text, expected) in checks {
            let board = placement(text);
            assert_eq!(names(&checkers(&board, Color::Black)), expected, "{text}");
            assert_eq!(in_check(&board, Color::Black), !expected.is_empty());
            // The same with the sides exchanged.
            let swapped = board.half_turn().colors_swapped();
            assert_eq!(in_check(&swapped, Color::Red), !expected.is_empty(), "{text}");
            let reported = codes(text, Some(Color::Red)).contains(&"opponent-in-check");
            assert_eq!(reported, !expected.is_empty(), "{text}");
        }
        // A pawn before the river does not attack sideways.
        assert!(!in_check(&placement("3k5/9/9/9/9/9/9/9/9/4Kp3"), Color::Black));
        assert!(attackers(&placement("9/9/9/9/9/r1P6/9/9/9/9"), "b4".parse().unwrap(), Color::Red).is_empty());
    }

    #[test]
    fn a_check_needs_a_last_move() {
        let impossible = |text: &str| codes(text, Some(Color::Black)) == ["impossible-check"];
        // Two pawns at the sides: whichever moved last, the other gave check before.
        assert!(impossible("3PkP3/9/9/9/9/9/9/9/9/3K5"));
        // One pawn moved forward.
        assert!(!impossible("3Pk4/9/9/9/9/9/9/9/9/3K5"));
        // The horse left the file of the chariot and checks too.
        assert!(!impossible("4k4/9/3N5/9/9/9/9/9/9/4RK3"));
        // Two chariots on one file: the one before took a piece that had closed the file.
        assert!(!impossible("4k4/9/9/9/4R4/9/9/9/9/4RK3"));
        // The same when no piece is missing that could have been taken there.
        assert!(impossible("rnbakabnr/4R4/1c5c1/p1p3p1p/4R4/p8/9/9/9/5K3"));
        // One on a file and one on a rank: neither can have opened the line of the other.
        assert!(impossible("R3k4/9/9/9/9/9/9/9/9/4RK3"));
        // The threefold check by two horses with one leg, d8, which the chariot left for e8.
        assert!(!impossible("4k4/2N1R4/3N5/9/9/9/9/9/9/5K3"));
        // Four pieces check, and no move can have given all.
        assert!(impossible("R3k4/6N2/3N5/9/9/9/9/9/9/4RK3"));
        // With other errors on the board the check is not examined.
        assert_eq!(codes("3PkP3/9/9/9/9/9/9/9/4A4/1A1K5", Some(Color::Black)), ["advisor-off-point"]);
        // Not when the side is unknown.
        assert!(codes("3PkP3/9/9/9/9/9/9/9/9/3K5", None).is_empty());
    }

    #[test]
    fn boards_upside_down_are_found() {
        let start = Placement::start();
        let [red, black] = [start.ranks_reversed(), start.half_turn()]
            .map(|board| findings(&board, Some(Color::Red)).iter().map(Finding::name).collect::<Vec<_>>());
        assert_eq!(red[..4], ["board-upside-down", "king-outside-palace", "king-outside-palace", "advisor-off-point"]);
        assert_eq!(red, black);
        assert!(!codes("9/9/9/3k5/9/9/9/9/9/4K4", None).contains(&"board-upside-down"));
        assert!(!codes("4K4/9/9/9/9/9/9/9/9/9", None).contains(&"board-upside-down"));
    }

    /// Nothing is found in positions of games, here played at random from a fixed seed.
    #[test]
    fn games_are_without_findings() {
        let mut state = 11u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut checks = 0;
        for _ in 0..12 {
            let (mut board, mut side) = (Placement::start(), Color::Red);
            for _ in 0..150 {
                let mut next = Vec::new();
                for (from, piece) in board.pieces().filter(|(_, piece)| piece.color == side) {
                    let free = |to: &Point| board.get(*to).is_none_or(|other| other.color != side);
                    for to in
                        Point::all().filter(free).filter(|&to| moves(&board, from, to, piece) && can_stand(piece, to))
                    {
                        let mut after = board;
                        after.set(from, None);
                        after.set(to, Some(piece));
                        if !in_check(&after, side) {
                            next.push(after);
                        }
                    }
                }
                if next.is_empty() {
                    break;
                }
                // Checks are rare among moves at random.
                let checking: Vec<Placement> = next.iter().copied().filter(|after| in_check(after, !side)).collect();
                let choice = if checking.is_empty() || random(3) == 0 { next } else { checking };
                board = choice[random(choice.len())];
                side = !side;
                checks += usize::from(in_check(&board, side));
                assert_eq!(findings(&board, Some(side)), [], "{board} {}", side.letter());
            }
        }
        assert!(checks > 50, "{checks} checks");
    }
}
