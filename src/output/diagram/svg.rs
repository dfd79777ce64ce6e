//! Boards as pictures. Everything is drawn by paths, so no font is needed to view it.

use std::{fmt, fmt::Write};

use super::{AnyPiece, Diagram, Player, glyphs, pieces};
use crate::games::{
    chess,
    game::{Game, Tile},
    xiangqi,
};

/// The width of a square, and how far apart the points of xiangqi are.
const UNIT: usize = 100;

/// Colors of both boards.
pub const FLAG: &str = "#e11d48";
pub const DARK_INK: &str = "#23201e";
pub const PAPER: &str = "#fffdf8";

pub fn draw(diagram: &Diagram) -> String {
    let mut svg = String::new();
    // A String takes whatever is written.
    let _ = match diagram.game {
        Game::Xiangqi => xiangqi(diagram, &mut svg),
        _ => chess(diagram, &mut svg),
    };
    svg
}

/// The width and height of a drawing.
pub fn size(game: Game) -> (usize, usize) {
    match game {
        Game::Xiangqi => (8 * UNIT + 2 * MARGIN, 9 * UNIT + 2 * MARGIN),
        _ => (8 * UNIT + 2 * FRAME, 8 * UNIT + 2 * FRAME),
    }
}

/// The top left corner of a square of chess, or of as much room around a point of xiangqi.
pub fn corner(game: Game, tile: Tile) -> (usize, usize) {
    let first = if game == Game::Xiangqi { MARGIN - UNIT / 2 } else { FRAME };
    (first + tile.col * UNIT, first + tile.row * UNIT)
}

/// The opening of the file: size, and in words what is seen.
fn head(diagram: &Diagram, svg: &mut String, width: usize, height: usize) -> fmt::Result {
    write!(svg, r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" "#)?;
    writeln!(svg, r#"viewBox="0 0 {width} {height}" role="img">"#)?;
    let side = if diagram.flipped {
        "black"
    } else if diagram.game == Game::Xiangqi {
        "red"
    } else {
        "white"
    };
    let pieces: String = diagram.pieces.iter().map(|piece| piece.map_or('.', AnyPiece::letter)).collect();
    let ranks: Vec<&str> = (0..diagram.game.grid().rows)
        .filter_map(|row| pieces.get(row * diagram.game.grid().cols..(row + 1) * diagram.game.grid().cols))
        .collect();
    write!(svg, "<title>{} {}, {side} at the bottom", diagram.game.name(), ranks.join("/"))?;
    if let Some(words) = diagram.to_move_name() {
        write!(svg, ", {words}")?;
    }
    writeln!(svg, "</title>")
}

/// A digit or a letter with its middle at a point.
fn coordinate(svg: &mut String, name: char, x: usize, y: usize) -> fmt::Result {
    writeln!(svg, r#"<path transform="translate({x} {y}) scale(1.5) translate(-5 -7)" d="{}"/>"#, glyphs::strokes(name))
}

/// Letters below and digits at the left, at these distances from the edges of the picture.
fn coordinates(
    diagram: &Diagram,
    svg: &mut String,
    ink: &str,
    middle: usize,
    first: usize,
    height: usize,
) -> fmt::Result {
    let grid = diagram.game.grid();
    writeln!(
        svg,
        r#"<g fill="none" stroke="{ink}" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">"#
    )?;
    for col in 0..grid.cols {
        coordinate(svg, diagram.file_name(col), first + col * UNIT, height - middle)?;
    }
    for row in 0..grid.rows {
        coordinate(svg, diagram.rank_name(row), middle, first + row * UNIT)?;
    }
    writeln!(svg, "</g>")
}

/// A disc that marks the side to move, to the right of its first row.
fn mover(diagram: &Diagram, svg: &mut String, x: usize, first: usize) -> fmt::Result {
    let Some(player) = diagram.to_move else { return Ok(()) };
    let at_bottom = (player == Player::First) != diagram.flipped;
    let y = first + if at_bottom { (diagram.game.grid().rows - 1) * UNIT } else { 0 };
    let (fill, edge) = match (player, diagram.game) {
        (Player::First, Game::Xiangqi) => (RED, PAPER),
        (Player::First, _) => (PAPER, DARK_INK),
        (Player::Second, _) => (DARK_INK, PAPER),
    };
    writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="11" fill="{fill}" stroke="{edge}" stroke-width="2.5"/>"#)
}

/// The width of the frame of a board of chess.
const FRAME: usize = 48;

fn chess(diagram: &Diagram, svg: &mut String) -> fmt::Result {
    const LIGHT: &str = "#f0e1c6";
    const DARK: &str = "#b58c66";
    let (side, _) = size(Game::Chess);
    head(diagram, svg, side, side)?;
    writeln!(svg, r##"<rect width="{side}" height="{side}" rx="12" fill="#5d4130"/>"##)?;
    coordinates(diagram, svg, LIGHT, FRAME / 2, FRAME + UNIT / 2, side)?;
    mover(diagram, svg, side - FRAME / 2, FRAME + UNIT / 2)?;
    writeln!(svg, r#"<path fill="{LIGHT}" d="M{FRAME} {FRAME}h800v800h-800z"/>"#)?;
    write!(svg, r#"<path fill="{DARK}" d=""#)?;
    for tile in diagram.game.grid().tiles().filter(|tile| (tile.row + tile.col) % 2 == 1) {
        let (x, y) = corner(Game::Chess, tile);
        write!(svg, "M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z")?;
    }
    writeln!(svg, r#""/>"#)?;
    for tile in diagram.game.grid().tiles().filter(|&tile| diagram.is_flagged(tile)) {
        let (x, y) = corner(Game::Chess, tile);
        write!(svg, r#"<rect x="{}" y="{}" width="94" height="94" fill="{FLAG}" fill-opacity=".3" "#, x + 3, y + 3)?;
        writeln!(svg, r#"stroke="{FLAG}" stroke-width="6"/>"#)?;
    }
    for tile in diagram.game.grid().tiles() {
        if let Some(AnyPiece::Chess(piece)) = diagram.piece(tile) {
            let (x, y) = corner(Game::Chess, tile);
            let piece = outline_of_piece(piece);
            writeln!(svg, r#"<g transform="translate({} {}) scale(.92)">{piece}</g>"#, x + 4, y + 6)?;
        }
    }
    writeln!(svg, "</svg>")
}

/// A piece in a box of 100 x 100 units.
pub fn outline_of_piece(piece: chess::Piece) -> String {
    let pieces::Outline { shape, lines, spots } = pieces::outline(piece.role);
    let (fill, ink) = match piece.color {
        chess::Color::White => (PAPER, DARK_INK),
        chess::Color::Black => (DARK_INK, "#f5efe4"),
    };
    // The pen goes around first and the filling covers its inner half.
    let mut svg = format!(
        r#"<path d="{shape}" fill="none" stroke="{DARK_INK}" stroke-width="6" stroke-linejoin="round"/><path d="{shape}" fill="{fill}"/><path d="{lines}" fill="none" stroke="{ink}" stroke-width="2.6" stroke-linecap="round"/>"#
    );
    if !spots.is_empty() {
        svg.push_str(&format!(r#"<path d="{spots}" fill="{ink}"/>"#));
    }
    svg
}

/// From the edge of the picture to the outermost lines of a board of xiangqi.
const MARGIN: usize = 104;
/// The color of Red's pieces.
const RED: &str = "#b3201b";

/// The color of lines and characters on a board of xiangqi.
const LINES: &str = "#5d4130";

fn xiangqi(diagram: &Diagram, svg: &mut String) -> fmt::Result {
    let (width, height) = size(Game::Xiangqi);
    head(diagram, svg, width, height)?;
    writeln!(svg, r##"<rect width="{width}" height="{height}" rx="12" fill="{LINES}"/>"##)?;
    let (inner_width, inner_height) = (width - 20, height - 20);
    writeln!(svg, r##"<rect x="10" y="10" width="{inner_width}" height="{inner_height}" rx="5" fill="#ebcb95"/>"##)?;
    coordinates(diagram, svg, LINES, 36, MARGIN, height)?;
    mover(diagram, svg, width - 36, MARGIN)?;

    writeln!(svg, r#"<g fill="none" stroke="{LINES}" stroke-width="3" stroke-linecap="square">"#)?;
    xiangqi_lines(svg)?;
    xiangqi_corners(svg)?;
    writeln!(svg, "</g>")?;
    river(svg)?;

    let point = |tile: Tile| (MARGIN + tile.col * UNIT, MARGIN + tile.row * UNIT);
    for tile in diagram.game.grid().tiles().filter(|&tile| diagram.is_flagged(tile)) {
        let (x, y) = point(tile);
        write!(svg, r#"<rect x="{}" y="{}" width="94" height="94" rx="8" fill="{FLAG}" "#, x - 47, y - 47)?;
        writeln!(svg, r#"fill-opacity=".4" stroke="{FLAG}" stroke-width="6"/>"#)?;
    }
    for tile in diagram.game.grid().tiles() {
        if let Some(AnyPiece::Xiangqi(piece)) = diagram.piece(tile) {
            let (x, y) = point(tile);
            write!(svg, r#"<g transform="translate({x} {y})">"#)?;
            xiangqi_piece(svg, piece)?;
            writeln!(svg, "</g>")?;
        }
    }
    writeln!(svg, "</svg>")
}

/// Ranks, files, the diagonals of the palaces, and the frame around them.
fn xiangqi_lines(svg: &mut String) -> fmt::Result {
    write!(svg, r#"<path d=""#)?;
    for row in 0..10 {
        write!(svg, "M{MARGIN} {}h800", MARGIN + row * UNIT)?;
    }
    for col in 0..9 {
        let (x, bank) = (MARGIN + col * UNIT, MARGIN + 5 * UNIT);
        match col {
            0 | 8 => write!(svg, "M{x} {MARGIN}v900")?,
            _ => write!(svg, "M{x} {MARGIN}v400M{x} {bank}v400")?,
        }
    }
    // The palaces, three files from the left, at the top and at the bottom.
    for top in [MARGIN, MARGIN + 7 * UNIT] {
        write!(svg, "M{} {top}l200 200M{} {top}l-200 200", MARGIN + 3 * UNIT, MARGIN + 5 * UNIT)?;
    }
    writeln!(svg, r#""/>"#)?;
    let (x, w, h) = (MARGIN - 10, 820, 920);
    writeln!(svg, r#"<path stroke-width="5" d="M{x} {x}h{w}v{h}h-{w}z"/>"#)
}

/// The corners that mark the points where cannons and pawns begin.
fn xiangqi_corners(svg: &mut String) -> fmt::Result {
    write!(svg, r#"<path stroke-width="2.5" d=""#)?;
    let cannons = [2, 7].into_iter().flat_map(|row| [1, 7].map(|col| (row, col)));
    let pawns = [3, 6].into_iter().flat_map(|row| [0, 2, 4, 6, 8].map(|col| (row, col)));
    for (row, col) in cannons.chain(pawns) {
        let (x, y) = ((MARGIN + col * UNIT) as i32, (MARGIN + row * UNIT) as i32);
        let sides: &[i32] = match col {
            0 => &[1],
            8 => &[-1],
            _ => &[-1, 1],
        };
        for side in sides {
            for up in [-1, 1] {
                write!(svg, "M{} {}v{}h{}", x + side * 8, y + up * 24, -up * 16, side * 16)?;
            }
        }
    }
    write!(svg, r#""/>"#)
}

/// The characters in the river.
fn river(svg: &mut String) -> fmt::Result {
    writeln!(svg, r#"<g fill="{LINES}" fill-opacity=".8">"#)?;
    for (character, x) in [('楚', 150), ('河', 260), ('漢', 540), ('界', 650)] {
        let y = MARGIN + 4 * UNIT + UNIT / 2;
        let outline = glyphs::hanzi(character);
        writeln!(svg, r#"<path transform="translate({} {y}) scale(.064)" d="{outline}"/>"#, MARGIN + x)?;
    }
    writeln!(svg, "</g>")
}

fn xiangqi_piece(svg: &mut String, piece: xiangqi::Piece) -> fmt::Result {
    let ink = match piece.color {
        xiangqi::Color::Red => RED,
        xiangqi::Color::Black => DARK_INK,
    };
    // A shadow, the disc, its ring, the character.
    write!(svg, r##"<circle cx="2" cy="3.5" r="44" fill="#3b2416" fill-opacity=".45"/>"##)?;
    write!(svg, r##"<circle r="43" fill="#fbeccb" stroke="#7a5636" stroke-width="2"/>"##)?;
    write!(svg, r#"<circle r="36.5" fill="none" stroke="{ink}" stroke-width="2.4"/>"#)?;
    write!(svg, r#"<path transform="scale(.058)" d="{}" fill="{ink}" "#, glyphs::hanzi(piece.hanzi()))?;
    // The pen makes the strokes as strong as on carved pieces.
    write!(svg, r#"stroke="{ink}" stroke-width="18" stroke-linejoin="round"/>"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    #[test]
    fn every_piece_and_mark_is_drawn() {
        let mut chess = Diagram::of_chess(&"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap());
        let svg = chess.to_svg();
        assert_eq!((count(&svg, "scale(.92)"), count(&svg, FLAG), count(&svg, "<circle")), (32, 0, 0));
        let title = "<title>chess rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR, \
                     white at the bottom</title>";
        assert!(svg.contains(title), "{svg}");
        chess.flag_square("e4".parse().unwrap());
        let svg = chess.flipped(true).to_move(Some(Player::Second)).to_svg();
        assert!(svg.contains("black at the bottom, black to move</title>"));
        // e4 is in the fourth column and row from the corner h1; the side to move is at the bottom.
        assert!(svg.contains(&format!(r#"<rect x="{}" y="{}" width="94""#, 48 + 300 + 3, 48 + 300 + 3)), "{svg}");
        assert!(svg.contains(&format!(r#"<circle cx="{}" cy="{}" r="11" fill="{DARK_INK}""#, 872, 798)), "{svg}");

        let mut xiangqi = Diagram::of_xiangqi(&xiangqi::Placement::start()).to_move(Some(Player::First));
        xiangqi.flag_point("a0".parse().unwrap());
        let svg = xiangqi.to_svg();
        assert_eq!((count(&svg, "scale(.058)"), count(&svg, "scale(.064)")), (32, 4));
        assert!(svg.contains(&format!(r#"<rect x="{}" y="{}" width="94""#, 104 - 47, 104 + 900 - 47)), "{svg}");
        assert!(svg.contains("<title>xiangqi rnbakabnr/") && svg.contains("red at the bottom, red to move</title>"));
    }

    #[test]
    fn nothing_outside_the_file_is_needed() {
        for svg in [
            Diagram::of_chess(&crate::games::placement::Placement::EMPTY).to_svg(),
            Diagram::of_xiangqi(&xiangqi::Placement::start()).to_svg(),
        ] {
            assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
            for foreign in ["<text", "href", "url(", "font", "<image", "<script"] {
                assert!(!svg.contains(foreign), "{foreign}");
            }
        }
    }
}
