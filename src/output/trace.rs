//! Pictures that show a person what the stages did. Their appearance may change from version to version.

use std::{fs, io, path::Path};

use image::{Rgb, RgbImage, imageops};
use imageproc::{
    drawing::{draw_filled_rect_mut, draw_hollow_rect_mut, draw_line_segment_mut},
    rect::Rect,
};

use crate::{
    games::chess::Color,
    image::{geometry::Point, picture::Picture},
    recognize::{interpret::BoardReading, place::SquareReading, recognizer::Recognition, slice::Tiles},
};

const RED: Rgb<u8> = Rgb([230, 30, 30]);
const GREEN: Rgb<u8> = Rgb([20, 170, 60]);
const WHITE: Rgb<u8> = Rgb([255; 3]);
const BLACK: Rgb<u8> = Rgb([0; 3]);
const GRAY: Rgb<u8> = Rgb([128; 3]);

/// Writes `STEM.corners.png` (the picture with the corners found) and, for each board from 1, `STEM.board-N.png`
/// (rectified) and `STEM.tiles-N.png` (all tiles with label and probability in per cent). Each file is written under a
/// temporary name and renamed, so no partial file is left.
///
/// # Errors
/// The system's, when a file cannot be written.
pub fn write(folder: &Path, stem: &str, picture: &Picture, found: &Recognition) -> io::Result<()> {
    let save = |name: &str, picture: &Picture| {
        let (temporary, last) =
            (folder.join(format!(".{stem}.{name}.part")), folder.join(format!("{stem}.{name}.png")));
        fs::write(&temporary, picture.to_png())?;
        fs::rename(&temporary, last)
    };
    save("corners", &corners(picture, found))?;
    for (n, board) in found.boards.iter().enumerate() {
        save(&format!("board-{}", n + 1), board.observation.image.picture())?;
        save(&format!("tiles-{}", n + 1), &sheet(board))?;
    }
    Ok(())
}

/// The picture with the outline and the inner lines of every board, a dot at its top left corner.
pub fn corners(picture: &Picture, found: &Recognition) -> Picture {
    let mut drawn = canvas(picture);
    let thick = 1 + picture.width().max(picture.height()) / 800;
    for board in &found.boards {
        let grid = board.game().grid();
        let (width, height) = (grid.cols as f64, grid.rows as f64);
        let at = |x: f64, y: f64| board.observation.image.in_source(x, y);
        for i in 0..=grid.cols {
            let x = i as f64;
            line(&mut drawn, at(x, 0.0), at(x, height), thick, if i % grid.cols == 0 { RED } else { GREEN });
        }
        for i in 0..=grid.rows {
            let y = i as f64;
            line(&mut drawn, at(0.0, y), at(width, y), thick, if i % grid.rows == 0 { RED } else { GREEN });
        }
        line(&mut drawn, at(0.0, 0.0), at(0.25, 0.25), 3 * thick, RED);
    }
    to_picture(drawn)
}

/// All tiles of a board with what was read on them: letters of white pieces on white, of black ones on black, and the
/// probability in per cent. Flagged tiles have a red frame.
pub fn sheet(board: &BoardReading) -> Picture {
    let tiles = Tiles::new(&board.observation.image);
    let (side, grid) = (Tiles::SIDE as u32, tiles.grid());
    let (step_x, step_y) = (side + 2, side + LABEL_HEIGHT + 2);
    let mut sheet = RgbImage::from_pixel(grid.cols as u32 * step_x, grid.rows as u32 * step_y, GRAY);
    for (reading, &flagged) in board.reading.squares.iter().zip(&board.trust.flagged) {
        let tile = board.orientation.tile(reading.square);
        let (left, top) = (tile.col as u32 * step_x + 1, tile.row as u32 * step_y + 1);
        imageops::replace(&mut sheet, &canvas(&tiles.picture(tile)), left.into(), top.into());
        let (x, y) = (left as i32, top as i32);
        draw_label(&mut sheet, reading, x, y + side as i32);
        if flagged {
            draw_hollow_rect_mut(&mut sheet, Rect::at(x, y).of_size(side, side), RED);
            draw_hollow_rect_mut(&mut sheet, Rect::at(x + 1, y + 1).of_size(side - 2, side - 2), RED);
        }
    }
    to_picture(sheet)
}

/// Pixels from the top to the bottom of a label.
const LABEL_HEIGHT: u32 = 14;

/// Writes below a tile what was read on it.
fn draw_label(sheet: &mut RgbImage, reading: &SquareReading, left: i32, top: i32) {
    let (paper, ink) = match reading.piece.map(|piece| piece.color) {
        Some(Color::White) => (WHITE, BLACK),
        Some(Color::Black) => (BLACK, WHITE),
        None => (GRAY, WHITE),
    };
    draw_filled_rect_mut(sheet, Rect::at(left, top).of_size(Tiles::SIDE as u32, LABEL_HEIGHT), paper);
    let piece = reading.piece.map_or('-', |piece| piece.letter().to_ascii_uppercase());
    let text = format!("{piece} {:.1}", (reading.confidence * 100.0).min(99.9));
    for (i, letter) in text.chars().enumerate() {
        draw_letter(sheet, letter, left + 4 + i as i32 * 9, top + 2, ink);
    }
}

fn canvas(picture: &Picture) -> RgbImage {
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    RgbImage::from_raw(width, height, picture.data().to_vec()).expect("the same pixels in the same order")
}

fn to_picture(canvas: RgbImage) -> Picture {
    Picture::from_rgb(canvas.width() as usize, canvas.height() as usize, canvas.into_raw())
}

/// Draws a line as `thick` thin ones side by side, clipped to the picture.
fn line(canvas: &mut RgbImage, from: Point, to: Point, thick: usize, color: Rgb<u8>) {
    // The corners of a wrong board may be anywhere, even where pixels cannot be counted any more. Lines far outside are not
    // drawn.
    let most = 8.0 * f64::from(canvas.width() + canvas.height());
    if ![from, to].iter().all(|p| p.x.abs() <= most && p.y.abs() <= most) {
        return;
    }
    let is_steep = (to.y - from.y).abs() > (to.x - from.x).abs();
    for i in 0..thick {
        let aside = i as f64 - thick as f64 / 2.0;
        let shift = if is_steep { Point::new(aside, -0.5) } else { Point::new(-0.5, aside) };
        let [a, b] = [from, to].map(|p| p + shift).map(|p| (p.x as f32, p.y as f32));
        draw_line_segment_mut(canvas, a, b, color);
    }
}

/// Draws a character of 3 x 5 dots, each dot 2 x 2 pixels. Characters without a glyph are blanks.
fn draw_letter(canvas: &mut RgbImage, letter: char, left: i32, top: i32, ink: Rgb<u8>) {
    let Some((_, rows)) = GLYPHS.iter().find(|(glyph, _)| *glyph == letter) else { return };
    for (y, bits) in rows.iter().enumerate() {
        for x in (0..3).filter(|x| bits >> (2 - x) & 1 == 1) {
            draw_filled_rect_mut(canvas, Rect::at(left + x * 2, top + y as i32 * 2).of_size(2, 2), ink);
        }
    }
}

/// The characters of labels, so that no font is needed. Rows from the top, three bits each.
const GLYPHS: [(char, [u8; 5]); 18] = [
    ('P', [0b110, 0b101, 0b110, 0b100, 0b100]),
    ('N', [0b111, 0b101, 0b101, 0b101, 0b101]),
    ('B', [0b110, 0b101, 0b110, 0b101, 0b110]),
    ('R', [0b110, 0b101, 0b110, 0b101, 0b101]),
    ('Q', [0b010, 0b101, 0b101, 0b111, 0b011]),
    ('K', [0b101, 0b101, 0b110, 0b101, 0b101]),
    ('-', [0b000, 0b000, 0b111, 0b000, 0b000]),
    ('.', [0b000, 0b000, 0b000, 0b000, 0b010]),
    ('0', [0b111, 0b101, 0b101, 0b101, 0b111]),
    ('1', [0b010, 0b110, 0b010, 0b010, 0b111]),
    ('2', [0b111, 0b001, 0b111, 0b100, 0b111]),
    ('3', [0b111, 0b001, 0b011, 0b001, 0b111]),
    ('4', [0b101, 0b101, 0b111, 0b001, 0b001]),
    ('5', [0b111, 0b100, 0b111, 0b001, 0b111]),
    ('6', [0b111, 0b100, 0b111, 0b101, 0b111]),
    ('7', [0b111, 0b001, 0b010, 0b010, 0b010]),
    ('8', [0b111, 0b101, 0b111, 0b101, 0b111]),
    ('9', [0b111, 0b101, 0b111, 0b001, 0b111]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        image::geometry::Corners,
        recognize::{
            answers::Answers,
            interpret::tests::reading_of,
            place::tests::scores_of,
            timings::Timings,
            trust::{Trust, Verdict},
        },
    };

    /// A board seen from Black's side, with a doubtful king on a8, which is then at the bottom right.
    fn recognition(picture: &Picture) -> Recognition {
        let corners = Corners([
            Point::new(40.0, 30.0),
            Point::new(250.0, 50.0),
            Point::new(270.0, 260.0),
            Point::new(20.0, 240.0),
        ]);
        let scores = scores_of("8/8/8/3p4/4P3/8/8/7K", 0.99);
        let mut board =
            reading_of(picture, corners, scores, Answers { bottom: Some(Color::Black), ..Answers::default() });
        let flagged = board.reading.squares.iter().map(|square| square.square.to_string() == "a8").collect();
        let trust = Trust { verdict: Verdict::Check, confidence: 0.5, flagged, orientation_flagged: false };
        board.trust = trust;
        Recognition { boards: vec![board], timings: Timings::default() }
    }

    #[test]
    fn sheets_show_tiles_as_seen() {
        let picture = Picture::filled(300, 280, [200, 180, 140]);
        let found = recognition(&picture);
        let sheet = sheet(&found.boards[0]);
        let (step_x, step_y) = (66, 80);
        assert_eq!((sheet.width(), sheet.height()), (8 * step_x, 8 * step_y));
        // The frame of the flagged tile, its label (a white piece), and that of the square of the black pawn.
        assert_eq!(sheet.pixel(7 * step_x + 1, 7 * step_y + 30), RED.0);
        assert_eq!(sheet.pixel(7 * step_x + 63, 7 * step_y + 30), RED.0);
        assert_eq!(sheet.pixel(1, 30), [200, 180, 140]);
        assert_eq!(sheet.pixel(7 * step_x + 62, 7 * step_y + 66), WHITE.0);
        assert_eq!(sheet.pixel(3 * step_x + 62, 3 * step_y + 66), BLACK.0);
        assert_eq!(sheet.pixel(62, 66), GRAY.0);
    }

    #[test]
    fn corners_are_drawn_where_they_are() {
        let picture = Picture::filled(300, 280, WHITE.0);
        let drawn = corners(&picture, &recognition(&picture));
        assert_eq!((drawn.pixel(249, 49), drawn.pixel(19, 239)), (RED.0, RED.0));
        let inside = drawn.data().chunks(3).filter(|rgb| *rgb == GREEN.0).count();
        assert!((14 * 180..14 * 260).contains(&inside), "{inside} pixels of inner lines");
    }

    #[test]
    fn files_are_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Picture::filled(300, 280, WHITE.0);
        write(folder.path(), "a", &picture, &recognition(&picture)).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.board-1.png", "a.corners.png", "a.tiles-1.png"]);
    }

    #[test]
    fn lines_are_clipped() {
        let mut canvas = RgbImage::from_pixel(20, 10, WHITE);
        line(&mut canvas, Point::new(-30.0, 5.0), Point::new(50.0, 5.0), 1, RED);
        line(&mut canvas, Point::new(0.0, 0.0), Point::new(f64::INFINITY, 5.0), 1, BLACK);
        line(&mut canvas, Point::new(0.0, 0.0), Point::new(1e300, 5.0), 1, BLACK);
        line(&mut canvas, Point::new(4e9, 4e9), Point::new(4e9 + 100.0, 4e9), 1, BLACK);
        line(&mut canvas, Point::new(f64::NAN, 0.0), Point::new(5.0, 5.0), 1, BLACK);
        for (_, y, &color) in canvas.enumerate_pixels() {
            assert_eq!(color, if y == 4 { RED } else { WHITE }, "row {y}");
        }
    }

    #[test]
    fn lines_are_as_thick_as_asked() {
        for (to, thick) in [((40.0, 20.0), 1), ((40.0, 20.0), 3), ((20.0, 40.0), 4), ((40.0, 31.0), 3)] {
            let mut canvas = RgbImage::from_pixel(50, 50, WHITE);
            line(&mut canvas, Point::new(10.0, 20.0), Point::new(to.0, to.1), thick, RED);
            let is_red = |x: u32, y: u32| *canvas.get_pixel(x, y) == RED;
            let wide = to.0 > 30.0;
            let (from, length) = if wide { (12, 27) } else { (22, 17) };
            for along in from..from + length {
                let across = (0..50).filter(|&n| if wide { is_red(along, n) } else { is_red(n, along) }).count();
                assert_eq!(across, thick, "to {to:?} at {along}");
            }
        }
    }

    #[test]
    fn every_label_has_its_glyphs() {
        for letter in "PNBRQK-.0123456789".chars() {
            let mut canvas = RgbImage::from_pixel(8, 12, WHITE);
            draw_letter(&mut canvas, letter, 0, 0, BLACK);
            assert!(canvas.pixels().any(|&pixel| pixel == BLACK), "{letter}");
        }
    }
}
