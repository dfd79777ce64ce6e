//! Reads the highlight of the last move: [`BoardImage`], [`Orientation`] and [`Reading`] to [`LastMove`].
//!
//! Programs paint the square that the last man left and the one he came to: a tint over both, a frame, or a glow along
//! their edges. So the ground of each square is compared with what is usual on squares of its shade, where men hardly reach. Two
//! squares are the last move when they stand out alike, one of them is empty, and the man on the other can have come from
//! there. Other marks are told apart by that, and by the colours in which the large sites paint a chosen man, a
//! move made in advance, or what a user marks. What still allows moves of both sides says nothing.
//!
//! Nothing is said of grey pictures: a print has hatching and stains, but no tint.

use std::fmt;

use crate::{
    chess::{Color, Role, Square},
    fen::{can_have_come, castled, is_in_check},
    game::Tile,
    orient::Orientation,
    picture::Picture,
    placement::Placement,
    position::Reading,
    rectify::BoardImage,
};

/// The last move as a picture shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastMove {
    /// Who moved.
    pub mover: Color,
    /// From where to where his man moved (the king when he castled); none when the picture allows several of his moves.
    pub way: Option<(Square, Square)>,
    /// The probability that the mover is right.
    pub confidence: f32,
}

impl fmt::Display for LastMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.way {
            Some((from, to)) => write!(f, "last-move highlight {from}-{to}"),
            None => f.write_str("last-move highlight"),
        }
    }
}

impl LastMove {
    /// The square that a pawn has passed by two steps, if that was the move.
    pub fn passed(&self, placement: &Placement) -> Option<Square> {
        let (from, to) = self.way?;
        let is_pawn = placement.get(to).is_some_and(|man| man.role == Role::Pawn);
        let (low, high) = (from.index().min(to.index()), from.index().max(to.index()));
        (is_pawn && high - low == 16).then(|| Square::from_index(low + 8))
    }
}

/// How often what is said here is right: of 1,300 drawn boards on which something was said, 1,299 (see
/// `scripts/check_side.py`); the next may be the second that is not.
const CONFIDENCE: f32 = 0.998;

/// A man on a highlighted square who is less sure than this may be of the other side.
const LEAST_SURE: f32 = 0.9;

/// Looks for a highlighted last move.
pub fn last_move(image: &BoardImage, orientation: &Orientation, reading: &Reading) -> Option<LastMove> {
    let board = Board::new(image, orientation)?;
    let (mover, ways) = [board.painted(), board.framed()].iter().find_map(|marked| mover(&board, marked, reading))?;
    let way = <[_; 1]>::try_from(ways).ok().map(|[way]| way);
    Some(LastMove { mover, way, confidence: CONFIDENCE })
}

type Rgb = [f32; 3];

fn minus(a: Rgb, b: Rgb) -> Rgb {
    std::array::from_fn(|i| a[i] - b[i])
}

fn dot(a: Rgb, b: Rgb) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: Rgb) -> f32 {
    dot(a, a).sqrt()
}

/// A difference of colours without what is common to all three: what is left of it when light and shade are not counted.
fn chroma(a: Rgb) -> Rgb {
    let grey = a.iter().sum::<f32>() / 3.0;
    a.map(|v| v - grey)
}

/// How much a difference of colours counts: light and shade for half.
fn strength(a: Rgb) -> f32 {
    let colour = norm(chroma(a));
    let light = (dot(a, a) - colour * colour).max(0.0).sqrt();
    colour.hypot(light / 2.0)
}

fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// The mean colour of a part of a picture.
fn mean(picture: &Picture, left: usize, top: usize, width: usize, height: usize) -> Rgb {
    let mut sums = [0u32; 3];
    for y in top..top + height {
        let at = (y * picture.width() + left) * 3;
        for rgb in picture.data()[at..at + width * 3].chunks_exact(3) {
            sums.iter_mut().zip(rgb).for_each(|(sum, &value)| *sum += u32::from(value));
        }
    }
    sums.map(|sum| sum as f32 / (width * height) as f32)
}

/// What is seen of one square.
#[derive(Clone, Copy)]
struct Ground {
    square: Square,
    /// 0 on light squares, 1 on dark ones.
    shade: usize,
    /// The colour around the man.
    colour: Rgb,
    /// The colours along the four edges.
    edges: [Rgb; 4],
}

/// Corners of the patches that tell the ground of a square of 32 pixels, each 4 x 4: first the corners, then two on every
/// edge. The outermost two pixels are left to corners that err and to lines between squares.
const PATCHES: [(usize, usize); 12] =
    [(2, 2), (26, 2), (2, 26), (26, 26), (8, 2), (20, 2), (8, 26), (20, 26), (2, 8), (2, 20), (26, 8), (26, 20)]; // as x, y

/// Patches closer than this in colour show the same ground, texture and compression allowed for.
const ALIKE: f32 = 18.0;

impl Ground {
    fn new(picture: &Picture, tile: Tile, square: Square) -> Ground {
        let (left, top) = BoardImage::corner_of(tile);
        let patches = PATCHES.map(|(x, y)| mean(picture, left + x, top + y, 4, 4));
        // Men, letters, arrows and badges hide some of the patches, but each in its own colour: the ground is what most
        // agree on. Men reach the corners least, so these count twice.
        let votes = patches.map(|a| {
            let weigh = |(i, &b): (usize, &Rgb)| {
                let near = norm(minus(a, b)) < ALIKE;
                if near { if i < 4 { 2 } else { 1 } } else { 0 }
            };
            patches.iter().enumerate().map(weigh).sum::<u32>()
        });
        let best = (0..patches.len()).rev().max_by_key(|&i| votes[i]).unwrap_or(0);
        let agreeing = patches.iter().filter(|&&b| norm(minus(patches[best], b)) < ALIKE);
        let count = agreeing.clone().count() as f32;
        let sum = agreeing.fold([0.0; 3], |sum: Rgb, patch| std::array::from_fn(|i| sum[i] + patch[i]));
        let last = BoardImage::CELL - 2;
        let edges = [(4, 1, 24, 1), (4, last, 24, 1), (1, 4, 1, 24), (last, 4, 1, 24)];
        Ground {
            square,
            shade: (tile.row + tile.col) % 2,
            colour: sum.map(|v| v / count),
            edges: edges.map(|(x, y, width, height)| mean(picture, left + x, top + y, width, height)),
        }
    }
}

/// A square that stands out.
#[derive(Clone, Copy, Debug)]
struct Mark {
    square: Square,
    shade: usize,
    /// By what its colour differs from the usual one.
    change: Rgb,
    strength: f32,
    known: Known,
}

/// What a large site means by a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    LastMove,
    /// A chosen man, a move in advance, a user's mark.
    Other,
    Nothing,
}

/// Tints as (colour, opacity) by meaning. A site that lets users choose colours may use any other.
const TINTS: [(Rgb, f32, Known); 12] = [
    ([155.0, 199.0, 0.0], 0.41, Known::LastMove),
    ([0.0, 155.0, 199.0], 0.41, Known::LastMove),
    ([255.0, 255.0, 51.0], 0.5, Known::LastMove),
    ([20.0, 85.0, 30.0], 0.5, Known::Other),
    ([20.0, 85.0, 30.0], 0.3, Known::Other),
    ([20.0, 30.0, 85.0], 0.5, Known::Other),
    ([20.0, 30.0, 85.0], 0.2, Known::Other),
    ([244.0, 42.0, 50.0], 0.5, Known::Other),
    ([235.0, 97.0, 80.0], 0.8, Known::Other),
    ([255.0, 170.0, 0.0], 0.8, Known::Other),
    ([172.0, 206.0, 89.0], 0.8, Known::Other),
    ([82.0, 176.0, 220.0], 0.8, Known::Other),
];

/// How far a colour may be from a known one.
const KNOWN_WITHIN: f32 = 9.0;

/// A tint weaker than this is never told from compression.
const LEAST_STRENGTH: f32 = 9.0;

/// How many times as much as most squares one must differ, to stand out.
const OVER_NOISE: f32 = 3.5;

/// How much more colour, light and shade aside, a highlighted square must have than is usual.
const LEAST_CHROMA: f32 = 6.0;

/// The last move must stand out this many times as much as any square that does not count as standing out.
const MARGIN: f32 = 1.4;

/// The most squares that stand out where a last move can still be told: two, a chosen man, a move in advance, some marks.
const MOST_MARKS: usize = 8;

/// The grounds of all squares and what is usual.
struct Board {
    grounds: Vec<Ground>,
    usual: [Rgb; 2],
    usual_edges: [Rgb; 2],
}

/// What stands out on a board, in one way of standing out.
struct Marked {
    marks: Vec<Mark>,
    /// The strength of the strongest square that does not stand out.
    rest: f32,
}

impl Board {
    fn new(image: &BoardImage, orientation: &Orientation) -> Option<Board> {
        if image.game().grid().len() != Square::COUNT {
            return None;
        }
        let tiles = image.game().grid().tiles();
        let grounds: Vec<_> = tiles.map(|tile| Ground::new(image.picture(), tile, orientation.square(tile))).collect();
        let usual = |of: fn(&Ground) -> Vec<Rgb>| {
            [0, 1].map(|shade| {
                let colours: Vec<Rgb> = grounds.iter().filter(|g| g.shade == shade).flat_map(of).collect();
                std::array::from_fn(|i| median(colours.iter().map(|colour| colour[i]).collect()))
            })
        };
        let (usual, usual_edges) = (usual(|ground| vec![ground.colour]), usual(|ground| ground.edges.to_vec()));
        Some(Board { grounds, usual, usual_edges })
    }

    /// Squares whose ground stands out.
    fn painted(&self) -> Marked {
        self.standing_out(|ground| minus(ground.colour, self.usual[ground.shade]), |mark| self.known(mark))
    }

    /// Squares of which three edges at least stand out alike.
    fn framed(&self) -> Marked {
        let change = |ground: &Ground| {
            let mut changes = ground.edges.map(|edge| minus(edge, self.usual_edges[ground.shade]));
            // A neighbour's frame lends one edge, and corners that err spoil one or two.
            changes.sort_by(|a, b| strength(*b).total_cmp(&strength(*a)));
            let third = changes[2];
            let alike = changes[..2].iter().all(|&c| norm(minus(c, third)) < 0.5 * norm(third).max(ALIKE));
            if alike { third } else { [0.0; 3] }
        };
        self.standing_out(change, |_| Known::Nothing)
    }

    fn standing_out(&self, change: impl Fn(&Ground) -> Rgb, known: impl Fn(&Mark) -> Known) -> Marked {
        let mut all: Vec<Mark> = self
            .grounds
            .iter()
            .map(|ground| {
                let change = change(ground);
                let Ground { square, shade, .. } = *ground;
                Mark { square, shade, change, strength: strength(change), known: Known::Nothing }
            })
            .collect();
        all.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        let noise = all[all.len() / 3].strength;
        let least = LEAST_STRENGTH.max(OVER_NOISE * noise);
        let count = all.iter().filter(|mark| mark.strength >= least).count();
        let rest = all.get(count).map_or(0.0, |mark| mark.strength);
        all.truncate(count);
        all.iter_mut().for_each(|mark| mark.known = known(mark));
        Marked { marks: all, rest }
    }

    /// What a large site means by the colour of a mark.
    fn known(&self, mark: &Mark) -> Known {
        let usual = self.usual[mark.shade];
        let off =
            |&(tint, opacity, _): &(Rgb, f32, Known)| norm(minus(mark.change, minus(tint, usual).map(|v| v * opacity)));
        let nearest = TINTS.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.filter(|tint| off(tint) < KNOWN_WITHIN).map_or(Known::Nothing, |tint| tint.2)
    }

    /// Whether two marks can be of one tint, that is, the same part of the way to the same colour.
    fn of_one_tint(&self, a: &Mark, b: &Mark) -> bool {
        let allowed = (0.25 * a.strength.max(b.strength)).max(10.0);
        let apart = minus(a.change, b.change);
        if a.shade == b.shade {
            return norm(apart) < allowed;
        }
        // Over a tint of opacity t the difference between the shades shrinks to 1 - t of itself.
        let contrast = minus(self.usual[b.shade], self.usual[a.shade]);
        let opacity = (dot(apart, contrast) / dot(contrast, contrast).max(1.0)).clamp(0.1, 1.0);
        norm(minus(apart, contrast.map(|v| v * opacity))) < allowed
    }
}

/// Who made the last move that marks show, and which moves it can have been.
fn mover(board: &Board, marked: &Marked, reading: &Reading) -> Option<(Color, Vec<(Square, Square)>)> {
    let placement = &reading.placement;
    let Marked { marks, rest } = marked;
    if marks.len() < 2 || marks.len() > MOST_MARKS {
        return None;
    }
    let candidates: Vec<&Mark> =
        marks.iter().filter(|mark| mark.known != Known::Other && !is_glow(placement, mark)).collect();
    let mut pairs = Vec::new();
    for (i, a) in candidates.iter().enumerate() {
        for b in &candidates[i + 1..] {
            let clear = [a, b].iter().all(|m| norm(chroma(m.change)) >= LEAST_CHROMA && m.strength > MARGIN * rest);
            let alike = board.of_one_tint(a, b);
            // Some programs paint the two squares in colours of their own; then nothing else may be painted.
            let Some(way) = way(placement, a.square, b.square).filter(|_| clear && (alike || marks.len() == 2)) else {
                continue;
            };
            let others = candidates.iter().filter(|m| ![a.square, b.square].contains(&m.square));
            let same = others.filter(|m| board.of_one_tint(a, m)).count();
            let known = a.known == Known::LastMove && b.known == Known::LastMove;
            if same <= 2 {
                pairs.push((way, known));
            }
        }
    }
    if pairs.iter().any(|&(_, known)| known) {
        pairs.retain(|&(_, known)| known);
    }
    let mut ways: Vec<_> = pairs.into_iter().map(|(way, _)| way).collect();
    // Nobody leaves his own king in check, if that decides it.
    let lawful = |way: &Way| !is_in_check(placement, way.mover);
    if ways.iter().any(lawful) {
        ways.retain(lawful);
    }
    let mover = ways.first()?.mover;
    let sure = reading.squares.iter().filter(|read| ways.iter().any(|way| [way.from, way.to].contains(&read.square)));
    let sure = sure.clone().all(|read| read.confidence >= LEAST_SURE);
    (sure && ways.iter().all(|way| way.mover == mover)).then(|| (mover, ways.iter().map(|w| (w.from, w.to)).collect()))
}

/// A move that two marks can show.
#[derive(Clone, Copy, Debug)]
struct Way {
    mover: Color,
    from: Square,
    to: Square,
}

fn way(placement: &Placement, a: Square, b: Square) -> Option<Way> {
    for (from, to) in [(a, b), (b, a)] {
        if let Some(man) = placement.get(to).filter(|_| can_have_come(placement, from, to)) {
            return Some(Way { mover: man.color, from, to });
        }
    }
    // Castling is told by some programs as the king taking his rook.
    Color::ALL.into_iter().find_map(|mover| {
        let castled = castled(placement, mover).find(|way| [(a, b), (b, a)].contains(&(way.king_from, way.rook_from)));
        castled.map(|way| Way { mover, from: way.king_from, to: way.king_to })
    })
}

/// Whether a mark is the red glow behind a king in check.
fn is_glow(placement: &Placement, mark: &Mark) -> bool {
    let Some(king) = placement.get(mark.square).filter(|man| man.role == Role::King) else { return false };
    let [red, green, blue] = mark.change;
    is_in_check(placement, king.color) && red > green.max(blue) + 10.0 && green < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Game,
        geometry::Corners,
        position::{PlaceOptions, place, tests::scores_of},
    };

    const LIGHT: [u8; 3] = [240, 217, 181];
    const DARK: [u8; 3] = [181, 136, 99];
    const SITE: ([u8; 3], f32) = ([155, 199, 0], 0.41);
    const RED: ([u8; 3], f32) = ([235, 97, 80], 0.8);

    /// A board of flat squares, seen from White's side, discs in place of men, with tints over some squares.
    struct Drawn {
        placement: &'static str,
        light: [u8; 3],
        dark: [u8; 3],
        tints: Vec<(&'static str, ([u8; 3], f32))>,
        frames: Vec<&'static str>,
    }

    fn board(placement: &'static str, tints: &[(&'static str, ([u8; 3], f32))]) -> Drawn {
        Drawn { placement, light: LIGHT, dark: DARK, tints: tints.to_vec(), frames: Vec::new() }
    }

    impl Drawn {
        fn read(&self) -> Option<LastMove> {
            let orientation = Orientation::given(Color::White);
            let reading = place(&scores_of(self.placement, 0.999), &orientation, &PlaceOptions::default());
            let picture = self.picture(&orientation, &reading);
            let image = BoardImage::cut(&picture, &Corners::from_rect(0.0, 0.0, 320.0, 320.0), Game::Chess).unwrap();
            last_move(&image, &orientation, &reading)
        }

        fn picture(&self, orientation: &Orientation, reading: &Reading) -> Picture {
            let mut picture = Picture::filled(320, 320, [0; 3]);
            for tile in Game::Chess.grid().tiles() {
                let square = orientation.square(tile);
                let name = square.to_string();
                let mut ground = if (tile.row + tile.col) % 2 == 0 { self.light } else { self.dark };
                for (_, (tint, part)) in self.tints.iter().filter(|(of, _)| *of == name) {
                    let over = |i: usize| f32::from(ground[i]) + part * (f32::from(tint[i]) - f32::from(ground[i]));
                    ground = [over(0) as u8, over(1) as u8, over(2) as u8];
                }
                let man = reading.placement.get(square).map(|man| if man.color == Color::White { 250 } else { 20 });
                for y in 0..40 {
                    for x in 0..40 {
                        let inside = (x as f32 - 19.5).hypot(y as f32 - 19.5) < 15.0;
                        let at_edge = x.min(y) < 3 || x.max(y) > 36;
                        let colour = match man {
                            Some(shade) if inside => [shade; 3],
                            _ if at_edge && self.frames.contains(&name.as_str()) => [0, 160, 0],
                            _ => ground,
                        };
                        picture.set_pixel(tile.col * 40 + x, tile.row * 40 + y, colour);
                    }
                }
            }
            picture
        }

        fn says(&self) -> String {
            self.read().map_or("nothing".into(), |last| {
                let way = last.way.map_or("?".into(), |(from, to)| format!("{from}-{to}"));
                format!("{} {way}", last.mover)
            })
        }
    }

    const MIDDLE: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    #[test]
    fn two_tinted_squares_are_a_move() {
        assert_eq!(board(MIDDLE, &[("d4", SITE), ("b3", SITE)]).says(), "white d4-b3");
        assert_eq!(board(MIDDLE, &[("d7", SITE), ("d5", SITE)]).says(), "black d7-d5");
        assert_eq!(board(MIDDLE, &[]).says(), "nothing");
        // No man comes this way, or nobody stands there, or somebody stands on both.
        assert_eq!(board(MIDDLE, &[("e4", SITE), ("b3", SITE)]).says(), "nothing");
        assert_eq!(board(MIDDLE, &[("e4", SITE), ("d4", SITE)]).says(), "nothing");
        assert_eq!(board(MIDDLE, &[("a1", SITE), ("b3", SITE)]).says(), "nothing");
        let double = board("4k3/8/8/8/4P3/8/8/4K3", &[("e2", SITE), ("e4", SITE)]);
        let passed = double.read().and_then(|last| last.passed(&double.placement.parse().unwrap()));
        assert_eq!(passed, "e3".parse().ok());
    }

    #[test]
    fn castling_may_be_told_by_the_rook() {
        assert_eq!(board(MIDDLE, &[("e1", SITE), ("h1", SITE)]).says(), "white e1-g1");
        assert_eq!(board(MIDDLE, &[("e8", SITE), ("g8", SITE)]).says(), "black e8-g8");
    }

    #[test]
    fn frames_are_highlights() {
        let mut framed = board(MIDDLE, &[]);
        framed.frames = vec!["d4", "b3"];
        assert_eq!(framed.says(), "white d4-b3");
    }

    #[test]
    fn other_marks_do_not_mislead() {
        let chosen = ([20, 85, 30], 0.5);
        assert_eq!(board(MIDDLE, &[("d4", SITE), ("b3", SITE), ("c6", chosen)]).says(), "white d4-b3");
        assert_eq!(board(MIDDLE, &[("d4", RED), ("b3", RED)]).says(), "nothing");
        assert_eq!(board(MIDDLE, &[("d4", SITE), ("b3", SITE), ("h6", RED), ("a4", RED)]).says(), "white d4-b3");
        // A man chosen in the colour of the last move may have made it himself.
        assert_eq!(board("4k3/8/8/8/8/r3R3/8/4K3", &[("c3", SITE), ("e3", SITE), ("a3", SITE)]).says(), "nothing");
        let all: Vec<_> = ["a3", "b4", "c5", "d6", "e5", "f4", "g3", "h4", "g5", "h6"].map(|s| (s, SITE)).to_vec();
        assert_eq!(board(MIDDLE, &all).says(), "nothing");
    }

    #[test]
    fn grey_pictures_say_nothing() {
        let grey = ([90, 90, 90], 0.5);
        let mut print = board(MIDDLE, &[("d4", grey), ("b3", grey)]);
        (print.light, print.dark) = ([250; 3], [180; 3]);
        assert_eq!(print.says(), "nothing");
        print.tints = vec![("d4", SITE), ("b3", SITE)];
        assert_eq!(print.says(), "white d4-b3");
    }
}
