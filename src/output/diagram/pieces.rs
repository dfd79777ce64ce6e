//! The pieces of chess, drawn for this project: silhouettes of turned wooden pieces and a horse's head.

use crate::games::chess::Role;

/// How a piece is drawn in a box of 100 x 100 units: the data of SVG paths.
pub struct Outline {
    /// The parts of the silhouette, all in one sense of rotation, so that together they are filled without a hole. A pen
    /// goes around them all before they are filled, so only the outer edge keeps its line.
    pub shape: &'static str,
    /// Lines within.
    pub lines: &'static str,
    /// Spots within, filled.
    pub spots: &'static str,
}

/// The drawing of a piece.
pub fn outline(role: Role) -> Outline {
    match role {
        Role::Pawn => PAWN,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    }
}

const PAWN: Outline = Outline {
    shape: "M37 32a13 13 0 1 1 26 0a13 13 0 1 1 -26 0z\
        M38 45H62a3 3 0 0 1 3 3V48a3 3 0 0 1 -3 3H38a3 3 0 0 1 -3 -3V48a3 3 0 0 1 3 -3z\
        M44 50H56C57 62 62 71 69 78H31C38 71 43 62 44 50z\
        M26 90V86C26 80 30 77 36 77H64C70 77 74 80 74 86V90z",
    lines: "M40 51H60M31 83.5H69",
    spots: "",
};

const KNIGHT: Outline = Outline {
    shape: "M72 78C78 59 75 39 61 27.5C59 26 57 25 54.5 24L52 12.5L46 19.5L42 12.5L39 23.5\
        C33 27 30.5 31 29 35C26 42 21 47 17 53C15 57 16 61 19 63C21 64.5 24 65 26 64\
        C28 63.5 30 61 33 60.5C39 60 43 58 47 55C46 63 40 67 34 72C31.5 74 31 76 31 78z\
        M76 90V86C76 80 72 77 66 77H34C28 77 24 80 24 86V90z",
    lines: "M29 83.5H71M55 30C64 37 68.5 48 68 63M47 55C49.5 53 51 50 51 46\
        M19.5 58.5C22 58.8 24 58 25.5 56.5",
    spots: "M33 38C34 35 37.5 33.5 40.5 34.5C40.5 37.5 37 40 33 38z",
};

const BISHOP: Outline = Outline {
    shape: "M45 14.5a5 5 0 1 1 10 0a5 5 0 1 1 -10 0z\
        M50 18C60 25 67.5 36 67.5 47C67.5 54 63 58 59 60H41C37 58 32.5 54 32.5 47\
        C32.5 36 40 25 50 18z\
        M38.25 59.5H61.75a3.25 3.25 0 0 1 3.25 3.25V62.75a3.25 3.25 0 0 1 -3.25 3.25H38.25\
        a3.25 3.25 0 0 1 -3.25 -3.25V62.75a3.25 3.25 0 0 1 3.25 -3.25z\
        M43.5 65H56.5C57 71 62 75 68 78H32C38 75 43 71 43.5 65z\
        M24 90V86C24 80 28 77 34 77H66C72 77 76 80 76 86V90z",
    lines: "M58.5 29.5L49 44M39 59.5H61M40 66H60M29 83.5H71",
    spots: "",
};

const ROOK: Outline = Outline {
    shape: "M26 17H36V25H45.5V17H54.5V25H64V17H74V35L66 42H34L26 35z\
        M36 42H64C64 55 66 64 70 72H30C34 64 36 55 36 42z\
        M22 90V85C22 81 25 79 28 79V71H72V79C75 79 78 81 78 85V90z",
    lines: "M27.5 34.5H72.5M36 43H64M30 72H70M28 80H72",
    spots: "",
};

const QUEEN: Outline = Outline {
    shape: "M17.6 26a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z\
        M32.1 17a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z\
        M46.6 13.5a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z\
        M61.1 17a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z\
        M75.6 26a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z\
        M35 47L21 26L37.5 36.5L35.5 17L46 33L50 13.5L54 33L64.5 17L62.5 36.5L79 26L65 47z\
        M36 46.5H64a3 3 0 0 1 3 3V49.5a3 3 0 0 1 -3 3H36a3 3 0 0 1 -3 -3V49.5a3 3 0 0 1 3 -3z\
        M40 52.5H60a2.5 2.5 0 0 1 2.5 2.5V55a2.5 2.5 0 0 1 -2.5 2.5H40a2.5 2.5 0 0 1 -2.5 -2.5V55\
        a2.5 2.5 0 0 1 2.5 -2.5zM42 56H58C58 66 62 73 70 78H30C38 73 42 66 42 56z\
        M22 90V86C22 80 26 77 32 77H68C74 77 78 80 78 86V90z",
    lines: "M36.5 46H63.5M39 52.5H61M42 58H58M27.5 83.5H72.5",
    spots: "",
};

const KING: Outline = Outline {
    shape: "M48 4H52V9H60V13H52V28H48V13H40V9H48z\
        M36 47L28 30C34 23.5 42 23 50 27C58 23 66 23.5 72 30L64 47z\
        M36 46.5H64a3 3 0 0 1 3 3V49.5a3 3 0 0 1 -3 3H36a3 3 0 0 1 -3 -3V49.5a3 3 0 0 1 3 -3z\
        M40 52.5H60a2.5 2.5 0 0 1 2.5 2.5V55a2.5 2.5 0 0 1 -2.5 2.5H40a2.5 2.5 0 0 1 -2.5 -2.5V55\
        a2.5 2.5 0 0 1 2.5 -2.5zM42 56H58C58 66 62 73 70 78H30C38 73 42 66 42 56z\
        M22 90V86C22 80 26 77 32 77H68C74 77 78 80 78 86V90z",
    lines: "M34 31.5C39 28.5 45 28.5 50 32.5C55 28.5 61 28.5 66 31.5M36.5 46H63.5M39 52.5H61M42 58H58\
        M27.5 83.5H72.5",
    spots: "",
};
