//! Boards as text.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{AnyPiece, Diagram, Player};
use crate::games::{
    chess,
    game::{Game, Tile},
};

/// How a board is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    /// Letters for the pieces, and no character beyond ASCII. Default: no, so the pieces of chess are shown by Unicode's
    /// symbols, those of xiangqi by their Chinese characters, each of which takes two columns.
    pub letters: bool,
    /// Whether to write escape sequences for colors. Default: no.
    pub color: bool,
}

/// Writes text in colors, by numbers of the escape sequence "select graphic rendition".
struct Paint {
    color: bool,
}

impl Paint {
    /// Appends a text in a color, if there are to be colors.
    fn put(&self, line: &mut String, rendition: &str, text: &str) {
        // A String takes whatever is written.
        let _ = match self.color && !rendition.is_empty() && !text.is_empty() {
            true => write!(line, "\x1b[{rendition}m{text}\x1b[0m"),
            false => line.write_str(text),
        };
    }
}

/// Coordinates and lines.
const FAINT: &str = "2";
/// A marked point of xiangqi, in any scheme of colors.
const REVERSE: &str = "7";

pub fn draw(diagram: &Diagram, style: &TextStyle) -> String {
    let paint = Paint { color: style.color };
    let mut lines = match diagram.game {
        Game::Xiangqi => xiangqi(diagram, style, &paint),
        _ => chess(diagram, style, &paint),
    };
    if let Some(words) = diagram.to_move_name() {
        lines.push(String::new());
        lines.push(format!("   {words}"));
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines.join("\n")
}

/// Eight lines of cells three columns wide, then the files. A marked square has brackets.
fn chess(diagram: &Diagram, style: &TextStyle, paint: &Paint) -> Vec<String> {
    let mut lines = Vec::new();
    for row in 0..8 {
        let mut line = String::new();
        paint.put(&mut line, FAINT, &format!("{} ", diagram.rank_name(row)));
        for col in 0..8 {
            let tile = Tile { row, col };
            let (piece, flagged) = (diagram.piece(tile), diagram.is_flagged(tile));
            let shown = match piece {
                Some(piece) => chess_piece(piece, style),
                None if style.color => ' ',
                None if style.letters => '.',
                None => '·',
            };
            let ground = match ((row + col) % 2, flagged) {
                (0, false) => 137,
                (_, false) => 94,
                (0, true) => 203,
                (_, true) => 160,
            };
            // By number, since a terminal's own white may be gray, and its black may be the background.
            let ink = if piece.map(AnyPiece::player) == Some(Player::First) || piece.is_none() { 231 } else { 16 };
            let cell = if flagged { format!("[{shown}]") } else { format!(" {shown} ") };
            paint.put(&mut line, &format!("1;38;5;{ink};48;5;{ground}"), &cell);
        }
        lines.push(line);
    }
    let mut line = String::new();
    let files: String = (0..8).map(|col| format!(" {} ", diagram.file_name(col))).collect();
    paint.put(&mut line, FAINT, &format!("  {}", files.trim_end()));
    lines.push(line);
    lines
}

fn chess_piece(piece: AnyPiece, style: &TextStyle) -> char {
    const OUTLINED: [char; 6] = ['♙', '♘', '♗', '♖', '♕', '♔'];
    const SOLID: [char; 6] = ['♟', '♞', '♝', '♜', '♛', '♚'];
    match piece {
        AnyPiece::Chess(piece) if !style.letters => {
            // With colors the ink tells whose piece it is, and solid pieces are easier to see.
            let set = if style.color || piece.color == chess::Color::Black { SOLID } else { OUTLINED };
            set[piece.role as usize]
        }
        piece => piece.letter(),
    }
}

/// Ten lines of points four columns apart with lines between them, the river and the palaces, then the files. A marked
/// point has brackets.
fn xiangqi(diagram: &Diagram, style: &TextStyle, paint: &Paint) -> Vec<String> {
    let mut lines = Vec::new();
    for row in 0..10 {
        lines.push(points(diagram, style, paint, row));
        if row < 9 {
            let mut line = String::from("   ");
            paint.put(&mut line, FAINT, &between(row, style.letters));
            lines.push(line);
        }
    }
    let mut line = String::new();
    let files: String = (0..9).map(|col| format!("{}   ", diagram.file_name(col))).collect();
    paint.put(&mut line, FAINT, &format!("   {}", files.trim_end()));
    lines.push(line);
    lines
}

/// A rank: what stands on its points, and the line through them.
fn points(diagram: &Diagram, style: &TextStyle, paint: &Paint, row: usize) -> String {
    let dash = if style.letters { "-" } else { "─" };
    let mut line = String::new();
    paint.put(&mut line, FAINT, &format!("{} ", diagram.rank_name(row)));
    for col in 0..9 {
        let tile = Tile { row, col };
        let flagged = diagram.is_flagged(tile);
        let open = if col == 0 { " " } else { dash };
        if flagged {
            paint.put(&mut line, REVERSE, "[");
        } else {
            paint.put(&mut line, FAINT, open);
        }
        let (shown, rendition) = match diagram.piece(tile) {
            None if style.letters => ('+', FAINT),
            None => (crossing(row, col), FAINT),
            Some(piece) => {
                let rendition = if piece.player() == Player::First { "1;31" } else { "1" };
                match piece {
                    AnyPiece::Xiangqi(piece) if !style.letters => (piece.hanzi(), rendition),
                    piece => (piece.letter(), rendition),
                }
            }
        };
        let marked = format!("{rendition};{REVERSE}");
        paint.put(&mut line, if flagged { &marked } else { rendition }, &shown.to_string());
        if flagged {
            paint.put(&mut line, REVERSE, "]");
        } else if col < 8 {
            paint.put(&mut line, FAINT, dash);
        }
        // Points are four columns apart, and a Chinese character takes two of them.
        if col < 8 && shown.width() == Some(1) {
            paint.put(&mut line, FAINT, dash);
        }
    }
    line
}

/// The crossing of lines on an empty point: the river ends all but the outermost of those that run across it.
fn crossing(row: usize, col: usize) -> char {
    match (row, col) {
        (0, 0) => '┌',
        (0, 8) => '┐',
        (9, 0) => '└',
        (9, 8) => '┘',
        (_, 0) => '├',
        (_, 8) => '┤',
        (0 | 5, _) => '┬',
        (4 | 9, _) => '┴',
        _ => '┼',
    }
}

/// The columns between the outermost files.
const RIVER_COLUMNS: usize = 31;

/// A text in the middle of so many columns of a terminal.
fn centered(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(text.width());
    format!("{}{text}{}", " ".repeat(blanks / 2), " ".repeat(blanks - blanks / 2))
}

/// What is between a row and the next one.
fn between(row: usize, letters: bool) -> String {
    let (line, falling, rising) = if letters { ("|", " \\ ", " / ") } else { ("│", " ╲ ", " ╱ ") };
    if row == 4 {
        let river = if letters { "river" } else { "楚 河           漢 界" };
        return format!("{line}{}{line}", centered(river, RIVER_COLUMNS));
    }
    let mut text = line.to_owned();
    for col in 0..8 {
        text.push_str(match (row, col) {
            (0 | 7, 3) | (1 | 8, 4) => falling,
            (0 | 7, 4) | (1 | 8, 3) => rising,
            _ => "   ",
        });
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: TextStyle = TextStyle { letters: true, color: false };
    const UNICODE: TextStyle = TextStyle { letters: false, color: false };
    const COLOR: TextStyle = TextStyle { letters: false, color: true };

    fn board(text: &str) -> Diagram {
        match text.matches('/').count() {
            7 => Diagram::of_chess(&text.parse().unwrap()),
            _ => Diagram::of_xiangqi(&text.parse().unwrap()),
        }
    }

    /// A drawing as it stands in a test, without the indentation that makes the test readable.
    fn drawing(text: &str) -> String {
        let lines: Vec<&str> = text.trim_end().lines().skip(1).map(|line| line.get(8..).unwrap_or_default()).collect();
        lines.join("\n")
    }

    #[track_caller]
    fn assert_drawn(diagram: &Diagram, style: TextStyle, expected: &str) {
        let (drawn, expected) = (diagram.to_text(&style), drawing(expected));
        assert!(drawn == expected, "drawn:\n{drawn}\nexpected:\n{expected}");
    }

    #[test]
    fn the_start_of_chess() {
        let start = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").to_move(Some(Player::First));
        assert_drawn(
            &start,
            UNICODE,
            "
        8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜
        7  ♟  ♟  ♟  ♟  ♟  ♟  ♟  ♟
        6  ·  ·  ·  ·  ·  ·  ·  ·
        5  ·  ·  ·  ·  ·  ·  ·  ·
        4  ·  ·  ·  ·  ·  ·  ·  ·
        3  ·  ·  ·  ·  ·  ·  ·  ·
        2  ♙  ♙  ♙  ♙  ♙  ♙  ♙  ♙
        1  ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖
           a  b  c  d  e  f  g  h

           white to move
            ",
        );
    }

    #[test]
    fn a_flipped_board_of_chess_with_marks() {
        let mut diagram = board("6k1/5ppp/8/8/8/8/5PPP/3R2K1").flipped(true).to_move(Some(Player::Second));
        for square in ["g8", "f7", "d1", "e1", "a4"] {
            diagram.flag_square(square.parse().unwrap());
        }
        // No point of xiangqi is on this board.
        diagram.flag_point("a9".parse().unwrap());
        assert_drawn(
            &diagram,
            LETTERS,
            "
        1  .  K  . [.][R] .  .  .
        2  P  P  P  .  .  .  .  .
        3  .  .  .  .  .  .  .  .
        4  .  .  .  .  .  .  . [.]
        5  .  .  .  .  .  .  .  .
        6  .  .  .  .  .  .  .  .
        7  p  p [p] .  .  .  .  .
        8  . [k] .  .  .  .  .  .
           h  g  f  e  d  c  b  a

           black to move
            ",
        );
    }

    #[test]
    fn the_start_of_xiangqi() {
        let start = Diagram::of_xiangqi(&crate::games::xiangqi::Placement::start()).to_move(Some(Player::First));
        assert_drawn(
            &start,
            UNICODE,
            "
        9  車──馬──象──士──將──士──象──馬──車
           │   │   │   │ ╲ │ ╱ │   │   │   │
        8  ├───┼───┼───┼───┼───┼───┼───┼───┤
           │   │   │   │ ╱ │ ╲ │   │   │   │
        7  ├───砲──┼───┼───┼───┼───┼───砲──┤
           │   │   │   │   │   │   │   │   │
        6  卒──┼───卒──┼───卒──┼───卒──┼───卒
           │   │   │   │   │   │   │   │   │
        5  ├───┴───┴───┴───┴───┴───┴───┴───┤
           │     楚 河           漢 界     │
        4  ├───┬───┬───┬───┬───┬───┬───┬───┤
           │   │   │   │   │   │   │   │   │
        3  兵──┼───兵──┼───兵──┼───兵──┼───兵
           │   │   │   │   │   │   │   │   │
        2  ├───炮──┼───┼───┼───┼───┼───炮──┤
           │   │   │   │ ╲ │ ╱ │   │   │   │
        1  ├───┼───┼───┼───┼───┼───┼───┼───┤
           │   │   │   │ ╱ │ ╲ │   │   │   │
        0  俥──傌──相──仕──帥──仕──相──傌──俥
           a   b   c   d   e   f   g   h   i

           red to move
            ",
        );
        assert_drawn(
            &start.flipped(true),
            LETTERS,
            r"
        0  R---N---B---A---K---A---B---N---R
           |   |   |   | \ | / |   |   |   |
        1  +---+---+---+---+---+---+---+---+
           |   |   |   | / | \ |   |   |   |
        2  +---C---+---+---+---+---+---C---+
           |   |   |   |   |   |   |   |   |
        3  P---+---P---+---P---+---P---+---P
           |   |   |   |   |   |   |   |   |
        4  +---+---+---+---+---+---+---+---+
           |             river             |
        5  +---+---+---+---+---+---+---+---+
           |   |   |   |   |   |   |   |   |
        6  p---+---p---+---p---+---p---+---p
           |   |   |   |   |   |   |   |   |
        7  +---c---+---+---+---+---+---c---+
           |   |   |   | \ | / |   |   |   |
        8  +---+---+---+---+---+---+---+---+
           |   |   |   | / | \ |   |   |   |
        9  r---n---b---a---k---a---b---n---r
           i   h   g   f   e   d   c   b   a

           red to move
            ",
        );
    }

    #[test]
    fn marks_of_xiangqi_keep_the_columns() {
        let mut diagram = board("3ak4/9/9/9/9/9/9/9/9/R3K3r");
        for point in ["d9", "e9", "c9", "a0", "i0", "a5", "i4", "e4"] {
            diagram.flag_point(point.parse().unwrap());
        }
        let unicode = diagram.to_text(&UNICODE);
        let lines: Vec<&str> = unicode.lines().collect();
        assert_eq!(lines[0], "9  ┌───┬──[┬]─[士][將]─┬───┬───┬───┐");
        assert_eq!(lines[8], "5 [├]──┴───┴───┴───┴───┴───┴───┴───┤");
        assert_eq!(lines[10], "4  ├───┬───┬───┬──[┬]──┬───┬───┬──[┤]");
        assert_eq!(lines[18], "0 [俥]─┴───┴───┴───帥──┴───┴───┴──[車]");
        let letters = diagram.to_text(&LETTERS);
        let lines: Vec<&str> = letters.lines().collect();
        assert_eq!(lines[0], "9  +---+--[+]-[a]-[k]--+---+---+---+");
        assert_eq!(lines[18], "0 [R]--+---+---+---K---+---+---+--[r]");
    }

    /// What is left when the escape sequences are taken away.
    fn plain(text: &str) -> String {
        let mut parts = text.split("\x1b[");
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
    }

    #[test]
    fn colors_change_no_text() {
        let mut chess = board("6k1/5ppp/8/8/8/8/5PPP/3R2K1");
        chess.flag_square("d1".parse().unwrap());
        let drawn = chess.to_text(&COLOR);
        let lines: Vec<String> = plain(&drawn).lines().map(|line| line.trim_end().to_owned()).collect();
        assert_eq!(lines[0], "8                    ♚");
        assert_eq!(lines[7], "1          [♜]       ♚");
        // White's and Black's pieces differ in their ink, a marked square in its background.
        assert!(drawn.contains("\x1b[1;38;5;16;48;5;137m ♚ \x1b[0m"), "{drawn:?}");
        assert!(drawn.contains("\x1b[1;38;5;231;48;5;94m ♚ \x1b[0m"), "{drawn:?}");
        assert!(drawn.contains("\x1b[1;38;5;231;48;5;203m[♜]\x1b[0m"), "{drawn:?}");

        let mut xiangqi = board("3ak4/9/9/9/9/9/9/9/9/R3K3r");
        xiangqi.flag_point("a0".parse().unwrap());
        let drawn = xiangqi.to_text(&COLOR);
        assert_eq!(plain(&drawn), xiangqi.to_text(&UNICODE));
        assert!(drawn.contains("\x1b[1;31m帥\x1b[0m") && drawn.contains("\x1b[1m將\x1b[0m"), "{drawn:?}");
        assert!(drawn.contains("\x1b[7m[\x1b[0m\x1b[1;31;7m俥\x1b[0m\x1b[7m]\x1b[0m"), "{drawn:?}");
    }

    #[test]
    fn letters_are_ascii() {
        for text in ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", crate::games::xiangqi::Placement::START_TEXT] {
            assert!(board(text).to_text(&LETTERS).is_ascii());
        }
    }
}
