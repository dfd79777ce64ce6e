//! Outlines of the characters on a picture of a board, so that no font is needed to view it.

/// The strokes of a digit 0 to 9 or a letter a to i, drawn with a round pen: the data of an SVG path in a box 10 units wide
/// and 14 high. Only the g goes below it.
pub fn strokes(character: char) -> &'static str {
    match character {
        '0' => "M5 0C1.5 0 1 4 1 7S1.5 14 5 14S9 10 9 7S8.5 0 5 0z",
        '1' => "M2 3L5.5 0V14",
        '2' => "M1.5 3.5C1.5 1.5 3 0 5 0S8.5 1.5 8.5 3.5C8.5 6.5 5.5 8.5 1.5 14H9",
        '3' => {
            "M1.5 1.8C2.5 .6 3.6 0 5 0C7 0 8.3 1.3 8.3 3.3C8.3 5.3 7 6.5 4.5 6.5C7.3 6.5 8.8 8 8.8 10.2\
             C8.8 12.5 7.2 14 5 14C3.2 14 2 13.2 1.2 11.8"
        }
        '4' => "M7 14V0L.8 9.8H9.5",
        '5' => "M8.3 0H2.3L1.8 6C2.8 5.3 3.8 5 5 5C7.4 5 9 6.8 9 9.4C9 12.1 7.3 14 4.9 14C3.2 14 2 13.2 1.2 12",
        '6' => {
            "M7.8 1C4 -.2 1.2 3.5 1.2 8.8C1.2 12.2 2.8 14 5.1 14C7.4 14 9 12.2 9 9.6C9 7 7.4 5.3 5.2 5.3\
             C3.2 5.3 1.7 6.7 1.2 8.8"
        }
        '7' => "M1.2 0H8.8L4 14",
        '8' => {
            "M5 6.4C3 6.4 1.8 5.1 1.8 3.2C1.8 1.3 3.1 0 5 0S8.2 1.3 8.2 3.2C8.2 5.1 7 6.4 5 6.4\
             C2.7 6.4 1.1 7.9 1.1 10.2C1.1 12.5 2.7 14 5 14S8.9 12.5 8.9 10.2C8.9 7.9 7.3 6.4 5 6.4z"
        }
        '9' => {
            "M2.2 13C6 14.2 8.8 10.5 8.8 5.2C8.8 1.8 7.2 0 4.9 0C2.6 0 1 1.8 1 4.4C1 7 2.6 8.7 4.8 8.7\
             C6.8 8.7 8.3 7.3 8.8 5.2"
        }
        'a' => "M8.3 5V14M8.3 9.5C8.3 6.8 6.8 5 4.7 5C2.5 5 1 6.9 1 9.5S2.5 14 4.7 14C6.8 14 8.3 12.2 8.3 9.5",
        'b' => "M1.5 0V14M1.5 9.5C1.5 6.8 3 5 5.2 5C7.4 5 8.9 6.9 8.9 9.5S7.4 14 5.2 14C3 14 1.5 12.2 1.5 9.5",
        'c' => "M8.4 6.7C7.6 5.6 6.5 5 5.2 5C2.8 5 1.2 6.9 1.2 9.5S2.8 14 5.2 14C6.5 14 7.6 13.4 8.4 12.3",
        'd' => "M8.5 0V14M8.5 9.5C8.5 6.8 7 5 4.8 5C2.6 5 1.1 6.9 1.1 9.5S2.6 14 4.8 14C7 14 8.5 12.2 8.5 9.5",
        'e' => "M1.3 9.3H8.8C8.8 6.7 7.3 5 5.1 5C2.8 5 1.2 6.9 1.2 9.5S2.8 14 5.2 14C6.6 14 7.7 13.4 8.4 12.3",
        'f' => "M7.8 .5C7.2 .1 6.7 0 6.2 0C4.8 0 4 .9 4 2.6V14M1.5 5.2H7.2",
        'g' => {
            "M8.3 5V14.5C8.3 16.8 7 18 4.8 18C3.4 18 2.3 17.6 1.5 16.8\
             M8.3 9.5C8.3 6.8 6.8 5 4.7 5C2.5 5 1 6.9 1 9.5S2.5 14 4.7 14C6.8 14 8.3 12.2 8.3 9.5"
        }
        'h' => "M1.7 0V14M1.7 9C1.7 6.6 3.2 5 5.2 5C7.2 5 8.3 6.3 8.3 8.6V14",
        'i' => "M5 5V14M5 1.2V1.4",
        _ => "",
    }
}

/// The outline of a character of the pieces or the river of xiangqi: the data of an SVG path centered on 0 0, with an em of
/// 1000 units.
pub fn hanzi(character: char) -> &'static str {
    // Credit and license are at the head of the file.
    const OUTLINES: &str = include_str!("hanzi.txt");
    OUTLINES.lines().find_map(|line| line.strip_prefix(character)).map_or("", str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::Piece;

    #[test]
    fn every_character_has_an_outline() {
        assert!("0123456789abcdefghi".chars().all(|character| strokes(character).starts_with('M')));
        assert!(Piece::all().map(Piece::hanzi).chain("楚河漢界".chars()).all(|c| hanzi(c).starts_with('M')));
        assert_eq!((strokes('j'), hanzi('王')), ("", ""));
    }
}
