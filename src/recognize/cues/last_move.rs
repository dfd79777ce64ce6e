//! Reads the highlight of the last move: [`BoardImage`], [`Orientation`] and [`Reading`] to [`LastMove`].
//!
//! Programs highlight the square that the last piece left and the one it moved to: a tint over both, a frame, or a glow
//! along their edges. So the background of each square is compared, where pieces hardly reach, with what is usual on
//! squares of its shade. Two squares are the last move when they stand out alike, one of them is empty, and the piece on
//! the other can have moved there from it. Other highlights are told apart by that, and by the colors in which the large
//! sites paint a selected piece, a premove, or a user's own marks. Where moves of both sides remain possible, there is no
//! result.
//!
//! There is no result for gray pictures either: a print has hatching and stains, but no tint.

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
#[non_exhaustive]
pub struct LastMove {
    /// The side that moved.
    pub mover: Color,
    /// The squares that the piece moved from and to (the king's when castling); none when the picture allows several moves
    /// of that side.
    pub squares: Option<(Square, Square)>,
    /// The probability that the mover is right.
    pub confidence: f32,
}

impl fmt::Display for LastMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.squares {
            Some((from, to)) => write!(f, "last-move highlight {from}-{to}"),
            None => f.write_str("last-move highlight"),
        }
    }
}

impl LastMove {
    /// The square that a pawn passed over, if the move was a pawn's two steps.
    pub fn passed(&self, placement: &Placement) -> Option<Square> {
        let (from, to) = self.squares?;
        let is_pawn = placement.get(to).is_some_and(|piece| piece.role == Role::Pawn);
        let (low, high) = (from.index().min(to.index()), from.index().max(to.index()));
        (is_pawn && high - low == 16).then(|| Square::from_index(low + 8))
    }
}

/// How often the result is right where the pieces are read right: on 2,456 drawn screens that the rules were not tuned on,
/// 1,800 times of 1,810; all ten errors were screens without a highlighted move, drawn as if they had one.
const CONFIDENCE: f32 = 0.994;

/// Finds the last move by its highlight.
pub fn find_last_move(image: &BoardImage, orientation: &Orientation, reading: &Reading) -> Option<LastMove> {
    let board = Board::new(image, orientation)?;
    let placement = &reading.placement;
    let candidates = board.highlights().iter().find_map(|highlights| candidate_moves(&board, highlights, placement))?;
    let sure = |square: Square| {
        let read = reading.squares.iter().find(|read| read.square == square);
        read.map_or(0.0, |read| read.confidence)
    };
    let sure = candidates.iter().map(|candidate| sure(candidate.from) * sure(candidate.to)).fold(1.0, f32::min);
    let mover = candidates[0].mover;
    let squares = match &candidates[..] {
        [only] => Some((only.from, only.to)),
        _ => None,
    };
    (sure >= LEAST_SURE).then_some(LastMove { mover, squares, confidence: CONFIDENCE * sure })
}

/// When the pieces on the two squares are read with less confidence than this, the highlight is not used.
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

/// A difference of colors without what is common to red, green and blue, so without the difference in lightness.
fn chroma(a: Rgb) -> Rgb {
    let gray = a.iter().sum::<f32>() / 3.0;
    a.map(|v| v - gray)
}

/// How much a difference of colors counts: lightness not at all, since pieces, shadows and print differ by that.
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
struct Background {
    square: Square,
    /// 0 on light squares, 1 on dark ones.
    shade: usize,
    /// The color around the piece.
    color: Rgb,
    /// The difference between that and the outermost three pixels along each of the four edges.
    edges: [Rgb; 4],
}

/// The top left corners, as x and y, of the patches that tell the background of a square of 32 pixels, each 4 x 4: first
/// the four in the corners, then two on every edge. The outermost two pixels are left out, because the board's corners
/// may be a little off and there may be lines between squares.
const PATCHES: [(usize, usize); 12] =
    [(2, 2), (26, 2), (2, 26), (26, 26), (8, 2), (20, 2), (8, 26), (20, 26), (2, 8), (2, 20), (26, 8), (26, 20)];

/// Patches closer than this in color show the same background, with allowance for texture and compression.
const ALIKE: f32 = 18.0;

impl Background {
    fn new(picture: &Picture, tile: Tile, square: Square) -> Background {
        let (left, top) = BoardImage::corner_of(tile);
        let patches = PATCHES.map(|(x, y)| mean(picture, left + x, top + y, 4, 4));
        // Pieces, letters, arrows and badges hide some of the patches, each in another color: the background is what most
        // patches agree on. Pieces reach the corners least, so these count twice.
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
        Background { square, shade: (tile.row + tile.col) % 2, color, edges }
    }
}

/// A square that stands out.
#[derive(Clone, Copy, Debug)]
struct Highlight {
    square: Square,
    shade: usize,
    /// The difference between its color and the usual one.
    change: Rgb,
    strength: f32,
    known: Known,
}

/// What a large site means by a color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    LastMove,
    /// A selected piece, a premove, a user's mark.
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

/// A tint weaker than this cannot be told from compression artifacts.
const LEAST_STRENGTH: f32 = 7.0;

/// A square stands out when it differs this many times as much as most squares do.
const OVER_NOISE: f32 = 3.5;

/// The last move must stand out this many times as much as any square that does not count as standing out.
const MARGIN: f32 = 1.4;

/// With more highlights than this no last move is found. Enough for the two squares, a selected piece, a premove and a few
/// marks.
const MOST_HIGHLIGHTS: usize = 8;

/// The most other squares that may have the same tint as the two.
const MOST_SAME: usize = 2;

/// Two squares of different tints are a move only where no third square is this part as strong as the weaker one.
const ALONE: f32 = 0.8;

/// Where a frame is this many times as strong as the background within it, the background counts as usual.
const SPILL: f32 = 3.0;

/// Edges differ alike when the cosine between their differences is at least this.
const ALIKE_EDGES: f32 = 0.7;

/// The backgrounds of all squares and what is usual for each shade.
struct Board {
    backgrounds: Vec<Background>,
    usual: [Rgb; 2],
    usual_edge: [Rgb; 2],
}

/// The squares that stand out on a board, either by their background or by their edges.
struct Highlights {
    /// The strongest first.
    squares: Vec<Highlight>,
    /// The strength of the strongest square that does not stand out.
    rest: f32,
}

impl Board {
    fn new(image: &BoardImage, orientation: &Orientation) -> Option<Board> {
        if image.game().grid().len() != Square::COUNT {
            return None;
        }
        let tiles = image.game().grid().tiles();
        let backgrounds: Vec<_> =
            tiles.map(|tile| Background::new(image.picture(), tile, orientation.square(tile))).collect();
        let usual = |of: fn(&Background) -> &[Rgb]| {
            [0, 1].map(|shade| {
                let colors: Vec<&Rgb> = backgrounds.iter().filter(|b| b.shade == shade).flat_map(of).collect();
                std::array::from_fn(|i| median(colors.iter().map(|color| color[i]).collect()))
            })
        };
        let usual_edge = usual(|background| &background.edges);
        let usual = usual(|background| std::slice::from_ref(&background.color));
        Some(Board { backgrounds, usual, usual_edge })
    }

    /// Squares whose background stands out, and squares with a frame; each is in one of the two lists. The edges of a
    /// painted square differ by what spills over from its neighbors, and the background within a thick frame by what
    /// spills over from the frame.
    fn highlights(&self) -> [Highlights; 2] {
        let (mut painted, mut framed) = (self.painted(), self.framed());
        let all = framed.squares.clone();
        let same = |highlights: &[Highlight], square| highlights.iter().find(|h| h.square == square).copied();
        framed.squares.retain(|frame| {
            let paint = same(&painted.squares, frame.square);
            paint.is_none_or(|paint| paint.known != Known::Other && paint.strength <= frame.strength)
        });
        painted.squares.retain(|paint| {
            let frame = same(&all, paint.square);
            frame.is_none_or(|frame| frame.strength <= SPILL * paint.strength)
        });
        [painted, framed]
    }

    /// Squares whose background stands out.
    fn painted(&self) -> Highlights {
        self.standing_out(|background| minus(background.color, self.usual[background.shade]), |h| self.known(h))
    }

    /// Squares of which at least three edges differ from the background, and alike. A piece may hide the fourth, and a
    /// neighbor's frame or a corner that errs changes one or two.
    fn framed(&self) -> Highlights {
        let change = |background: &Background| {
            let mut changes = background.edges.map(|edge| minus(edge, self.usual_edge[background.shade]));
            changes.sort_by(|a, b| strength(*b).total_cmp(&strength(*a)));
            let third = changes[2];
            let alike = |&c: &Rgb| dot(c, third) > ALIKE_EDGES * norm(c) * norm(third);
            let mean = std::array::from_fn(|i| changes[..3].iter().map(|c| c[i]).sum::<f32>() / 3.0);
            if changes[..2].iter().all(alike) { mean } else { [0.0; 3] }
        };
        self.standing_out(change, |_| Known::Nothing)
    }

    fn standing_out(&self, change: impl Fn(&Background) -> Rgb, known: impl Fn(&Highlight) -> Known) -> Highlights {
        let highlight = |background: &Background| {
            let change = change(background);
            let Background { square, shade, .. } = *background;
            Highlight { square, shade, change, strength: strength(change), known: Known::Nothing }
        };
        let mut squares: Vec<Highlight> = self.backgrounds.iter().map(highlight).collect();
        squares.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        // Up to a third of the squares may stand out; what is usual is taken from the rest.
        let noise = squares[squares.len() / 3].strength;
        let least = LEAST_STRENGTH.max(OVER_NOISE * noise);
        let count = squares.iter().filter(|h| h.strength >= least).count();
        let rest = squares.get(count).map_or(0.0, |h| h.strength);
        squares.truncate(count);
        squares.iter_mut().for_each(|h| h.known = known(h));
        Highlights { squares, rest }
    }

    /// What a large site means by the color of a highlight.
    fn known(&self, highlight: &Highlight) -> Known {
        let usual = self.usual[highlight.shade];
        let off = |(tints, opacity, _): &([Rgb; 2], f32, Known)| {
            norm(minus(highlight.change, minus(tints[highlight.shade], usual).map(|v| v * opacity)))
        };
        let within = KNOWN_WITHIN.0.max(KNOWN_WITHIN.1 * highlight.strength);
        let nearest = TINTS.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.filter(|tint| off(tint) < within).map_or(Known::Nothing, |tint| tint.2)
    }

    /// Whether two highlights can be of one tint, that is, the same part of the difference to the same color.
    fn of_one_tint(&self, a: &Highlight, b: &Highlight) -> bool {
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

/// A move that two highlights can show.
#[derive(Clone, Copy, Debug)]
struct CandidateMove {
    mover: Color,
    from: Square,
    to: Square,
}

/// The moves that highlights can show, all of one side.
fn candidate_moves(board: &Board, highlights: &Highlights, placement: &Placement) -> Option<Vec<CandidateMove>> {
    let Highlights { squares, rest } = highlights;
    if squares.len() < 2 || squares.len() > MOST_HIGHLIGHTS {
        return None;
    }
    let may_be = |h: &&Highlight| h.known != Known::Other && !is_check_glow(placement, h);
    let possible: Vec<&Highlight> = squares.iter().filter(may_be).collect();
    let mut found = Vec::new();
    for (i, a) in possible.iter().enumerate() {
        for b in &possible[i + 1..] {
            let weaker = a.strength.min(b.strength);
            let others = possible.iter().filter(|h| ![a.square, b.square].contains(&h.square));
            let same = others.clone().filter(|h| board.of_one_tint(a, h)).count();
            // Some programs paint the two squares in different colors; then nothing else may be painted.
            let belong = board.of_one_tint(a, b) || others.clone().all(|h| h.strength < ALONE * weaker);
            let known = a.known == Known::LastMove && b.known == Known::LastMove;
            if belong && same <= MOST_SAME && weaker > MARGIN * rest {
                found.extend(candidate_move(placement, a.square, b.square).map(|candidate| (candidate, known)));
            }
        }
    }
    if found.iter().any(|&(_, known)| known) {
        found.retain(|&(_, known)| known);
    }
    let mut candidates: Vec<CandidateMove> = found.into_iter().map(|(candidate, _)| candidate).collect();
    // A move that leaves its own king in check is illegal, if that decides between the candidates.
    let legal = |candidate: &CandidateMove| !is_in_check(placement, candidate.mover);
    if candidates.iter().any(legal) {
        candidates.retain(legal);
    }
    let mover = candidates.first()?.mover;
    candidates.iter().all(|candidate| candidate.mover == mover).then_some(candidates)
}

/// The move between two squares, in the direction that the pieces on them allow.
fn candidate_move(placement: &Placement, a: Square, b: Square) -> Option<CandidateMove> {
    let either = [(a, b), (b, a)];
    let moved = either.into_iter().find(|&(from, to)| can_be_last_move(placement, from, to));
    if let Some((from, to)) = moved {
        return placement.get(to).map(|piece| CandidateMove { mover: piece.color, from, to });
    }
    // Some programs highlight castling as the king taking its rook.
    Color::ALL.into_iter().find_map(|mover| {
        let castling = last_castling_moves(placement, mover)
            .find(|castling| either.contains(&(castling.king_from, castling.rook_from)))?;
        Some(CandidateMove { mover, from: castling.king_from, to: castling.king_to })
    })
}

/// Whether a highlight is the red glow behind a king in check.
fn is_check_glow(placement: &Placement, highlight: &Highlight) -> bool {
    let Some(king) = placement.get(highlight.square).filter(|piece| piece.role == Role::King) else { return false };
    let [red, green, blue] = highlight.change;
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

    /// A board of flat squares, seen from White's side, with discs for pieces, and tints over some squares.
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
            find_last_move(&image, &orientation, &reading)
        }

        fn picture(&self, orientation: &Orientation, reading: &Reading) -> Picture {
            let mut picture = Picture::filled(320, 320, [0; 3]);
            for tile in Game::Chess.grid().tiles() {
                let square = orientation.square(tile);
                let name = square.to_string();
                let mut background = if (tile.row + tile.col) % 2 == 0 { self.light } else { self.dark };
                for (_, (tint, part)) in self.tints.iter().filter(|(of, _)| *of == name) {
                    let over =
                        |i: usize| f32::from(background[i]) + part * (f32::from(tint[i]) - f32::from(background[i]));
                    background = [over(0) as u8, over(1) as u8, over(2) as u8];
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
                            _ => background,
                        };
                        picture.set_pixel(tile.col * 40 + x, tile.row * 40 + y, color);
                    }
                }
            }
            picture
        }

        fn says(&self) -> String {
            self.read().map_or("nothing".into(), |last| {
                let squares = last.squares.map_or("?".into(), |(from, to)| format!("{from}-{to}"));
                format!("{} {squares}", last.mover)
            })
        }
    }

    const MIDDLE: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    #[test]
    fn two_tinted_squares_are_a_move() {
        assert_eq!(board(MIDDLE, &[("d4", SITE), ("b3", SITE)]).says(), "white d4-b3");
        assert_eq!(board(MIDDLE, &[("d7", SITE), ("d5", SITE)]).says(), "black d7-d5");
        assert_eq!(board(MIDDLE, &[]).says(), "nothing");
        // No piece moves so, both squares are empty, or there is a piece on both.
        assert_eq!(board(MIDDLE, &[("e4", SITE), ("b3", SITE)]).says(), "nothing");
        assert_eq!(board(MIDDLE, &[("e4", SITE), ("d4", SITE)]).says(), "nothing");
        assert_eq!(board(MIDDLE, &[("a1", SITE), ("b3", SITE)]).says(), "nothing");
        let double = board("4k3/8/8/8/4P3/8/8/4K3", &[("e2", SITE), ("e4", SITE)]);
        let passed = double.read().and_then(|last| last.passed(&double.placement.parse().unwrap()));
        assert_eq!(passed, "e3".parse().ok());
    }

    #[test]
    fn castling_may_be_shown_by_the_rook() {
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
    fn other_highlights_do_not_mislead() {
        let selected = ([20, 85, 30], 0.5);
        assert_eq!(board(MIDDLE, &[("d4", SITE), ("b3", SITE), ("c6", selected)]).says(), "white d4-b3");
        assert_eq!(board(MIDDLE, &[("d4", RED), ("b3", RED)]).says(), "nothing");
        assert_eq!(board(MIDDLE, &[("d4", SITE), ("b3", SITE), ("h6", RED), ("a4", RED)]).says(), "white d4-b3");
        // A piece selected in the color of the last move may be the one that moved.
        assert_eq!(board("7k/8/8/8/8/r3R3/8/4K3", &[("c3", SITE), ("e3", SITE), ("a3", SITE)]).says(), "nothing");
        let all: Vec<_> = ["a3", "b4", "c5", "d6", "e5", "f4", "g3", "h4", "g5", "h6"].map(|s| (s, SITE)).to_vec();
        assert_eq!(board(MIDDLE, &all).says(), "nothing");
    }

    #[test]
    fn gray_pictures_give_no_result() {
        let gray = ([90, 90, 90], 0.5);
        let mut print = board(MIDDLE, &[("d4", gray), ("b3", gray)]);
        (print.light, print.dark) = ([250; 3], [180; 3]);
        assert_eq!(print.says(), "nothing");
        print.tints = vec![("d4", SITE), ("b3", SITE)];
        assert_eq!(print.says(), "white d4-b3");
    }
}
