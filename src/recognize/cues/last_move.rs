//! Reads the highlight of the last move: [`BoardImage`], [`Orientation`] and [`Reading`] to [`LastMove`].
//!
//! Programs paint the square that the last piece left and the one he came to: a tint over both, a frame, or a glow along
//! their edges. So the ground of each square is compared with what is usual on squares of its shade, where pieces hardly
//! reach. Two squares are the last move when they stand out alike, one of them is empty, and the piece on the other can
//! have come from there. Other marks are told apart by that, and by the colors in which the large sites paint a chosen
//! piece, a move made in advance, or what a user marks. What still allows moves of both sides says nothing.
//!
//! Nothing is said of grey pictures: a print has hatching and stains, but no tint.

use std::fmt;

use crate::{
    fen::{can_be_last_move, is_in_check, last_castling_moves},
    games::{
        chess::{Color, Role, Square},
        game::Tile,
        placement::Placement,
    },
    image::picture::Picture,
    recognize::{orient::Orientation, place::Reading, rectify::BoardImage},
};

/// The last move as a picture shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastMove {
    /// Who moved.
    pub mover: Color,
    /// From where to where his piece moved (the king when he castled); none when the picture allows several of his moves.
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
        let is_pawn = placement.get(to).is_some_and(|piece| piece.role == Role::Pawn);
        let (low, high) = (from.index().min(to.index()), from.index().max(to.index()));
        (is_pawn && high - low == 16).then(|| Square::from_index(low + 8))
    }
}

/// How often what is said here is right where the pieces are read right: on 2,456 drawn screens that the rules were not
/// tuned on, 1,800 times of 1,810; all ten were screens without a highlighted move, drawn to look as if they had one.
const CONFIDENCE: f32 = 0.994;

/// Looks for a highlighted last move.
pub fn last_move(image: &BoardImage, orientation: &Orientation, reading: &Reading) -> Option<LastMove> {
    let board = Board::new(image, orientation)?;
    let placement = &reading.placement;
    let ways = board.marked().iter().find_map(|marked| ways(&board, marked, placement))?;
    let sure = |square: Square| {
        let read = reading.squares.iter().find(|read| read.square == square);
        read.map_or(0.0, |read| read.confidence)
    };
    let sure = ways.iter().map(|way| sure(way.from) * sure(way.to)).fold(1.0, f32::min);
    let way = <&[Way; 1]>::try_from(&ways[..]).ok().map(|[way]| (way.from, way.to));
    let mover = ways[0].mover;
    (sure >= LEAST_SURE).then_some(LastMove { mover, way, confidence: CONFIDENCE * sure })
}

/// When the pieces on the two squares are less surely read than this, the highlight tells nothing.
const LEAST_SURE: f32 = 0.5;

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

/// A difference of colors without what is common to all three: what is left of it when light and shade are not
/// counted.
fn chroma(a: Rgb) -> Rgb {
    let grey = a.iter().sum::<f32>() / 3.0;
    a.map(|v| v - grey)
}

/// How much a difference of colors counts: light and shade not at all, since pieces, shadows and print differ by these.
fn strength(a: Rgb) -> f32 {
    norm(chroma(a))
}

fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// The mean color of a part of a picture.
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
    /// The color around the piece.
    color: Rgb,
    /// By what the outermost three pixels along the four edges differ from that.
    edges: [Rgb; 4],
}

/// Corners of the patches that tell the ground of a square of 32 pixels, each 4 x 4: first the corners, then two on
/// every edge. The outermost two pixels are left to corners that err and to lines between squares.
const PATCHES: [(usize, usize); 12] =
    [(2, 2), (26, 2), (2, 26), (26, 26), (8, 2), (20, 2), (8, 26), (20, 26), (2, 8), (2, 20), (26, 8), (26, 20)]; // as x, y

/// Patches closer than this in color show the same ground, texture and compression allowed for.
const ALIKE: f32 = 18.0;

impl Ground {
    fn new(picture: &Picture, tile: Tile, square: Square) -> Ground {
        let (left, top) = BoardImage::corner_of(tile);
        let patches = PATCHES.map(|(x, y)| mean(picture, left + x, top + y, 4, 4));
        // Pieces, letters, arrows and badges hide some of the patches, but each in its own color: the ground is what most
        // agree on. Pieces reach the corners least, so these count twice.
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
        let color = sum.map(|v| v / count);
        let last = BoardImage::CELL - 3;
        let edges = [(4, 0, 24, 3), (4, last, 24, 3), (0, 4, 3, 24), (last, 4, 3, 24)];
        let edges = edges.map(|(x, y, width, height)| minus(mean(picture, left + x, top + y, width, height), color));
        Ground { square, shade: (tile.row + tile.col) % 2, color, edges }
    }
}

/// A square that stands out.
#[derive(Clone, Copy, Debug)]
struct Mark {
    square: Square,
    shade: usize,
    /// By what its color differs from the usual one.
    change: Rgb,
    strength: f32,
    known: Known,
}

/// What a large site means by a color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    LastMove,
    /// A chosen piece, a move in advance, a user's mark.
    Other,
    Nothing,
}

/// Tints as (colors over light and over dark squares, opacity, meaning). A site that lets users choose colors may use
/// any other.
const TINTS: [([Rgb; 2], f32, Known); 14] = [
    ([[205.0, 209.0, 106.0], [170.0, 162.0, 59.0]], 1.0, Known::LastMove),
    ([[246.0, 246.0, 105.0], [186.0, 202.0, 68.0]], 1.0, Known::LastMove),
    ([[155.0, 199.0, 0.0]; 2], 0.41, Known::LastMove),
    ([[0.0, 155.0, 199.0]; 2], 0.41, Known::LastMove),
    ([[255.0, 255.0, 51.0]; 2], 0.5, Known::LastMove),
    ([[20.0, 85.0, 30.0]; 2], 0.5, Known::Other),
    ([[20.0, 85.0, 30.0]; 2], 0.3, Known::Other),
    ([[20.0, 30.0, 85.0]; 2], 0.5, Known::Other),
    ([[20.0, 30.0, 85.0]; 2], 0.2, Known::Other),
    ([[244.0, 42.0, 50.0]; 2], 0.5, Known::Other),
    ([[235.0, 97.0, 80.0]; 2], 0.8, Known::Other),
    ([[255.0, 170.0, 0.0]; 2], 0.8, Known::Other),
    ([[172.0, 206.0, 89.0]; 2], 0.8, Known::Other),
    ([[82.0, 176.0, 220.0]; 2], 0.8, Known::Other),
];

/// How far a color may be from a known one: this much, or this part of its strength.
const KNOWN_WITHIN: (f32, f32) = (10.0, 0.08);

/// The same for two colors of one tint.
const ONE_TINT_WITHIN: (f32, f32) = (10.0, 0.4);

/// A tint weaker than this is never told from compression.
const LEAST_STRENGTH: f32 = 7.0;

/// How many times as much as most squares one must differ, to stand out.
const OVER_NOISE: f32 = 3.5;

/// The last move must stand out this many times as much as any square that does not count as standing out.
const MARGIN: f32 = 1.4;

/// The most squares that stand out where a last move can still be told: two, a chosen piece, a move in advance, some
/// marks.
const MOST_MARKS: usize = 8;

/// The most of the same tint beside the two.
const MOST_SAME: usize = 2;

/// Two squares of different tints are a move where no third stands out by this part of the weaker one.
const ALONE: f32 = 0.8;

/// A frame this many times as strong as the ground within it is all there is.
const SPILL: f32 = 3.0;

/// Edges differ alike when the cosine between their differences is at least this.
const ALIKE_EDGES: f32 = 0.7;

/// The grounds of all squares and what is usual for each shade.
struct Board {
    grounds: Vec<Ground>,
    usual: [Rgb; 2],
    usual_edge: [Rgb; 2],
}

/// What stands out on a board, in one way of standing out, the strongest first.
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
        let usual = |of: fn(&Ground) -> &[Rgb]| {
            [0, 1].map(|shade| {
                let colors: Vec<&Rgb> = grounds.iter().filter(|g| g.shade == shade).flat_map(of).collect();
                std::array::from_fn(|i| median(colors.iter().map(|color| color[i]).collect()))
            })
        };
        let usual_edge = usual(|ground| &ground.edges);
        Some(Board { usual: usual(|ground| std::slice::from_ref(&ground.color)), usual_edge, grounds })
    }

    /// Squares whose ground stands out, and squares with a frame, each in one of the two lists. The edges of a painted
    /// square differ by what spills over from its neighbours, and the ground within a thick frame by what spills over
    /// from the frame.
    fn marked(&self) -> [Marked; 2] {
        let (mut painted, mut framed) = (self.painted(), self.framed());
        let all = framed.marks.clone();
        let same = |marks: &[Mark], square| marks.iter().find(|mark| mark.square == square).copied();
        framed.marks.retain(|frame| {
            let paint = same(&painted.marks, frame.square);
            paint.is_none_or(|paint| paint.known != Known::Other && paint.strength <= frame.strength)
        });
        painted.marks.retain(|paint| {
            let frame = same(&all, paint.square);
            frame.is_none_or(|frame| frame.strength <= SPILL * paint.strength)
        });
        [painted, framed]
    }

    /// Squares whose ground stands out.
    fn painted(&self) -> Marked {
        self.standing_out(|ground| minus(ground.color, self.usual[ground.shade]), |mark| self.known(mark))
    }

    /// Squares of which three edges at least differ from the ground within, and alike. The fourth may be spoilt by a
    /// piece, and a neighbour's frame or a corner that errs makes one or two.
    fn framed(&self) -> Marked {
        let change = |ground: &Ground| {
            let mut changes = ground.edges.map(|edge| minus(edge, self.usual_edge[ground.shade]));
            changes.sort_by(|a, b| strength(*b).total_cmp(&strength(*a)));
            let third = changes[2];
            let alike = |&c: &Rgb| dot(c, third) > ALIKE_EDGES * norm(c) * norm(third);
            let mean = std::array::from_fn(|i| changes[..3].iter().map(|c| c[i]).sum::<f32>() / 3.0);
            if changes[..2].iter().all(alike) { mean } else { [0.0; 3] }
        };
        self.standing_out(change, |_| Known::Nothing)
    }

    fn standing_out(&self, change: impl Fn(&Ground) -> Rgb, known: impl Fn(&Mark) -> Known) -> Marked {
        let mark = |ground: &Ground| {
            let change = change(ground);
            let Ground { square, shade, .. } = *ground;
            Mark { square, shade, change, strength: strength(change), known: Known::Nothing }
        };
        let mut marks: Vec<Mark> = self.grounds.iter().map(mark).collect();
        marks.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        // A third of the squares may stand out before what is usual is not.
        let noise = marks[marks.len() / 3].strength;
        let least = LEAST_STRENGTH.max(OVER_NOISE * noise);
        let count = marks.iter().filter(|mark| mark.strength >= least).count();
        let rest = marks.get(count).map_or(0.0, |mark| mark.strength);
        marks.truncate(count);
        marks.iter_mut().for_each(|mark| mark.known = known(mark));
        Marked { marks, rest }
    }

    /// What a large site means by the color of a mark.
    fn known(&self, mark: &Mark) -> Known {
        let usual = self.usual[mark.shade];
        let off = |(tints, opacity, _): &([Rgb; 2], f32, Known)| {
            norm(minus(mark.change, minus(tints[mark.shade], usual).map(|v| v * opacity)))
        };
        let within = KNOWN_WITHIN.0.max(KNOWN_WITHIN.1 * mark.strength);
        let nearest = TINTS.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.filter(|tint| off(tint) < within).map_or(Known::Nothing, |tint| tint.2)
    }

    /// Whether two marks can be of one tint, that is, the same part of the way to the same color.
    fn of_one_tint(&self, a: &Mark, b: &Mark) -> bool {
        let within = ONE_TINT_WITHIN.0.max(ONE_TINT_WITHIN.1 * a.strength.max(b.strength));
        let apart = minus(a.change, b.change);
        if a.shade == b.shade {
            return norm(apart) < within;
        }
        // Over a tint of opacity t the difference between the shades shrinks to 1 - t of itself.
        let contrast = minus(self.usual[b.shade], self.usual[a.shade]);
        let opacity = (dot(apart, contrast) / dot(contrast, contrast).max(1.0)).clamp(0.1, 1.0);
        norm(minus(apart, contrast.map(|v| v * opacity))) < within
    }
}

/// The moves that marks can show, all of one side.
fn ways(board: &Board, marked: &Marked, placement: &Placement) -> Option<Vec<Way>> {
    let Marked { marks, rest } = marked;
    if marks.len() < 2 || marks.len() > MOST_MARKS {
        return None;
    }
    let may_be = |mark: &&Mark| mark.known != Known::Other && !is_glow(placement, mark);
    let candidates: Vec<&Mark> = marks.iter().filter(may_be).collect();
    let mut found = Vec::new();
    for (i, a) in candidates.iter().enumerate() {
        for b in &candidates[i + 1..] {
            let weaker = a.strength.min(b.strength);
            let others = candidates.iter().filter(|m| ![a.square, b.square].contains(&m.square));
            let same = others.clone().filter(|m| board.of_one_tint(a, m)).count();
            // Some programs paint the two squares in colors of their own; then nothing else may be painted.
            let belong = board.of_one_tint(a, b) || others.clone().all(|m| m.strength < ALONE * weaker);
            let known = a.known == Known::LastMove && b.known == Known::LastMove;
            if belong && same <= MOST_SAME && weaker > MARGIN * rest {
                found.extend(way(placement, a.square, b.square).map(|way| (way, known)));
            }
        }
    }
    if found.iter().any(|&(_, known)| known) {
        found.retain(|&(_, known)| known);
    }
    let mut ways: Vec<Way> = found.into_iter().map(|(way, _)| way).collect();
    // Nobody leaves his own king in check, if that decides it.
    let lawful = |way: &Way| !is_in_check(placement, way.mover);
    if ways.iter().any(lawful) {
        ways.retain(lawful);
    }
    let mover = ways.first()?.mover;
    ways.iter().all(|way| way.mover == mover).then_some(ways)
}

/// A move that two marks can show.
#[derive(Clone, Copy, Debug)]
struct Way {
    mover: Color,
    from: Square,
    to: Square,
}

fn way(placement: &Placement, a: Square, b: Square) -> Option<Way> {
    let either = [(a, b), (b, a)];
    let came = either.into_iter().find(|&(from, to)| can_be_last_move(placement, from, to));
    if let Some((from, to)) = came {
        return placement.get(to).map(|piece| Way { mover: piece.color, from, to });
    }
    // Castling is told by some programs as the king taking his rook.
    Color::ALL.into_iter().find_map(|mover| {
        let way = last_castling_moves(placement, mover).find(|way| either.contains(&(way.king_from, way.rook_from)))?;
        Some(Way { mover, from: way.king_from, to: way.king_to })
    })
}

/// Whether a mark is the red glow behind a king in check.
fn is_glow(placement: &Placement, mark: &Mark) -> bool {
    let Some(king) = placement.get(mark.square).filter(|piece| piece.role == Role::King) else { return false };
    let [red, green, blue] = mark.change;
    is_in_check(placement, king.color) && red > green.max(blue) + 10.0 && green < 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::game::Game,
        image::geometry::Corners,
        recognize::place::{PlaceOptions, place, tests::scores_of},
    };

    const LIGHT: [u8; 3] = [240, 217, 181];
    const DARK: [u8; 3] = [181, 136, 99];
    const SITE: ([u8; 3], f32) = ([155, 199, 0], 0.41);
    const RED: ([u8; 3], f32) = ([235, 97, 80], 0.8);

    /// A board of flat squares, seen from White's side, discs in place of pieces, with tints over some squares.
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
                let piece =
                    reading.placement.get(square).map(|piece| if piece.color == Color::White { 250 } else { 20 });
                for y in 0..40 {
                    for x in 0..40 {
                        let inside = (x as f32 - 19.5).hypot(y as f32 - 19.5) < 15.0;
                        let at_edge = x.min(y) < 3 || x.max(y) > 36;
                        let color = match piece {
                            Some(shade) if inside => [shade; 3],
                            _ if at_edge && self.frames.contains(&name.as_str()) => [0, 160, 0],
                            _ => ground,
                        };
                        picture.set_pixel(tile.col * 40 + x, tile.row * 40 + y, color);
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
        // No piece comes this way, or nobody stands there, or somebody stands on both.
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
        // A piece chosen in the color of the last move may have made it himself.
        assert_eq!(board("7k/8/8/8/8/r3R3/8/4K3", &[("c3", SITE), ("e3", SITE), ("a3", SITE)]).says(), "nothing");
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
