//! Pictures that let a person see what the stages did. Their look may change from version to version.

use std::{fs, io, path::Path};

use crate::{
    games::chess::Color,
    image::{geometry::Point, picture::Picture},
    recognize::{interpret::BoardReading, place::SquareReading, recognizer::Recognition, slice::Tiles},
};

const RED: [u8; 3] = [230, 30, 30];
const GREEN: [u8; 3] = [20, 170, 60];
const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];
const GREY: [u8; 3] = [128; 3];

/// Writes `STEM.corners.png` (the picture with the corners found) and, for each board from 1, `STEM.board-N.png` (made
/// flat) and `STEM.tiles-N.png` (all tiles with label and probability in per cent). Each file is written under a
/// temporary name and renamed, so none is ever half there.
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
    let mut drawn = picture.clone();
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
    drawn
}

/// All tiles of a board with what was read on them: letters of white pieces on white, of black ones on black, and the
/// probability in per cent. Flagged tiles have a red frame.
pub fn sheet(board: &BoardReading) -> Picture {
    const STRIP: usize = 14;
    let tiles = Tiles::new(&board.observation.image);
    let (step_x, step_y) = (Tiles::SIDE + 2, Tiles::SIDE + STRIP + 2);
    let mut sheet = Picture::filled(tiles.grid().cols * step_x, tiles.grid().rows * step_y, GREY);
    for (reading, &flagged) in board.reading.squares.iter().zip(&board.trust.flagged) {
        let tile = board.orientation.tile(reading.square);
        let (left, top) = (tile.col * step_x + 1, tile.row * step_y + 1);
        for (y, row) in tiles.rows(tile).enumerate() {
            for (x, rgb) in row.chunks_exact(3).enumerate() {
                sheet.set_pixel(left + x, top + y, [rgb[0], rgb[1], rgb[2]]);
            }
        }
        label(&mut sheet, reading, left, top + Tiles::SIDE, STRIP);
        if flagged {
            let (a, b) = (Point::new(left as f64, top as f64), (Tiles::SIDE - 1) as f64);
            let corners = [a, a + Point::new(b, 0.0), a + Point::new(b, b), a + Point::new(0.0, b)];
            (0..4).for_each(|i| line(&mut sheet, corners[i], corners[(i + 1) % 4], 2, RED));
        }
    }
    sheet
}

fn label(sheet: &mut Picture, reading: &SquareReading, left: usize, top: usize, height: usize) {
    let (paper, ink) = match reading.piece.map(|piece| piece.color) {
        Some(Color::White) => (WHITE, BLACK),
        Some(Color::Black) => (BLACK, WHITE),
        None => (GREY, WHITE),
    };
    for y in top..top + height {
        (left..left + Tiles::SIDE).for_each(|x| sheet.set_pixel(x, y, paper));
    }
    let piece = reading.piece.map_or('-', |piece| piece.letter().to_ascii_uppercase());
    let text = format!("{piece} {:.1}", (reading.confidence * 100.0).min(99.9));
    for (i, letter) in text.chars().enumerate() {
        draw_letter(sheet, letter, left + 4 + i * 9, top + 2, ink);
    }
}

/// A line of square dots, clipped to the picture.
fn line(picture: &mut Picture, from: Point, to: Point, thick: usize, color: [u8; 3]) {
    let (width, height) = (picture.width() as f64, picture.height() as f64);
    let length = from.distance(to);
    // Corners of a wrong board may be anywhere; no line is longer than twice around the picture that shows it.
    if !length.is_finite() || length > 8.0 * (width + height) {
        return;
    }
    let steps = (length * 2.0) as usize + 1;
    let reach = thick as f64 / 2.0;
    for i in 0..=steps {
        let p = from + (to - from) * (i as f64 / steps as f64);
        if p.x < -reach || p.y < -reach || p.x > width + reach || p.y > height + reach {
            continue;
        }
        let (x, y) = ((p.x - reach).max(0.0) as usize, (p.y - reach).max(0.0) as usize);
        (y..y + thick).for_each(|y| (x..x + thick).for_each(|x| picture.set_pixel(x, y, color)));
    }
}

/// Draws a character of 3 x 5 dots, each dot 2 x 2 pixels. Characters without a glyph are blanks.
fn draw_letter(picture: &mut Picture, letter: char, left: usize, top: usize, ink: [u8; 3]) {
    let Some((_, rows)) = GLYPHS.iter().find(|(glyph, _)| *glyph == letter) else { return };
    for (y, bits) in rows.iter().enumerate() {
        for x in (0..3).filter(|x| bits >> (2 - x) & 1 == 1) {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                picture.set_pixel(left + x * 2 + dx, top + y * 2 + dy, ink);
            }
        }
    }
}

/// Rows from the top, three bits each.
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
        assert_eq!(sheet.pixel(7 * step_x + 1, 7 * step_y + 30), RED);
        assert_eq!(sheet.pixel(1, 30), [200, 180, 140]);
        assert_eq!(sheet.pixel(7 * step_x + 62, 7 * step_y + 66), WHITE);
        assert_eq!(sheet.pixel(3 * step_x + 62, 3 * step_y + 66), BLACK);
        assert_eq!(sheet.pixel(62, 66), GREY);
    }

    #[test]
    fn corners_are_drawn_where_they_are() {
        let picture = Picture::filled(300, 280, WHITE);
        let drawn = corners(&picture, &recognition(&picture));
        assert_eq!((drawn.pixel(249, 49), drawn.pixel(19, 239)), (RED, RED));
        let inside = drawn.data().chunks(3).filter(|rgb| *rgb == GREEN).count();
        assert!((14 * 180..14 * 260).contains(&inside), "{inside} pixels of inner lines");
    }

    #[test]
    fn files_are_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Picture::filled(300, 280, WHITE);
        write(folder.path(), "a", &picture, &recognition(&picture)).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.board-1.png", "a.corners.png", "a.tiles-1.png"]);
    }

    #[test]
    fn lines_are_clipped() {
        let mut picture = Picture::filled(20, 10, WHITE);
        line(&mut picture, Point::new(-30.0, 5.0), Point::new(50.0, 5.0), 1, RED);
        line(&mut picture, Point::new(0.0, 0.0), Point::new(f64::INFINITY, 5.0), 1, BLACK);
        line(&mut picture, Point::new(0.0, 0.0), Point::new(1e300, 5.0), 1, BLACK);
        for y in 0..10 {
            let expected = if y == 4 { RED } else { WHITE };
            assert!((0..20).all(|x| picture.pixel(x, y) == expected), "row {y}");
        }
    }

    #[test]
    fn every_label_has_its_glyphs() {
        for letter in "PNBRQK-.0123456789".chars() {
            let mut picture = Picture::filled(8, 12, WHITE);
            draw_letter(&mut picture, letter, 0, 0, BLACK);
            assert!(picture.data().contains(&0), "{letter}");
        }
    }
}
