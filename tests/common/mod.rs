//! Boards that the tests draw themselves, so that most tests need no files. Same seed, same picture.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};

use fenlens::{
    Picture,
    image::{Corners, Homography, Point},
};

/// The folder of test data.
pub fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")
}

/// A small generator of random numbers (xorshift64*), the same on every machine.
pub struct Random(u64);

impl Random {
    /// A generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A whole number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// A page with an empty board drawn on it: paper, dark squares, a frame, a little noise.
pub fn page(width: usize, height: usize, corners: &Corners, seed: u64) -> Picture {
    let mut random = Random::new(seed);
    let unit = Homography::from_rect(8.0, 8.0, corners).and_then(|map| map.inverse()).expect("corners of a board");
    let mut data = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        for x in 0..width {
            let p = unit.apply(Point::new(x as f64 + 0.5, y as f64 + 0.5));
            let inside = (0.0..8.0).contains(&p.x) && (0.0..8.0).contains(&p.y);
            let framed = (-0.06..8.06).contains(&p.x) && (-0.06..8.06).contains(&p.y);
            let base = match (inside, framed) {
                (true, _) if (p.x as usize + p.y as usize).is_multiple_of(2) => [236, 218, 185],
                (true, _) => [174, 137, 104],
                (false, true) => [30, 30, 30],
                (false, false) => [250, 250, 248],
            };
            let noise = random.below(7) as i32 - 3;
            data.extend(base.map(|value: i32| (value + noise).clamp(0, 255) as u8));
        }
    }
    Picture::from_rgb(width, height, data)
}

/// A meaningless picture: colored rectangles and lines of random size, or plain noise.
pub fn scribble(random: &mut Random) -> Picture {
    let (width, height) = (1 + random.below(500), 1 + random.below(500));
    let mut picture = Picture::filled(width, height, [random.below(256) as u8; 3]);
    for _ in 0..random.below(40) {
        let color = [0; 3].map(|_: u8| random.below(256) as u8);
        let (x, y, w, h) = (random.below(width), random.below(height), random.below(width), random.below(height));
        for row in y..(y + h).min(height) {
            (x..(x + w).min(width)).for_each(|column| picture.set_pixel(column, row, color));
        }
    }
    picture
}

/// A TIFF file of gray pages.
pub fn tiff(pages: &[Picture]) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    for (index, page) in pages.iter().enumerate() {
        let (width, height) = (page.width() as u32, page.height() as u32);
        let size = width * height;
        let data = bytes.len() as u32 + 2 + 8 * 12 + 4;
        let fields =
            [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, data), (278, height), (279, size)];
        bytes.extend(8u16.to_le_bytes());
        for (tag, value) in fields {
            bytes.extend((tag as u16).to_le_bytes());
            bytes.extend([4, 0, 1, 0, 0, 0]);
            bytes.extend(value.to_le_bytes());
        }
        let odd = size % 2;
        let next = if index + 1 < pages.len() { data + size + odd } else { 0 };
        bytes.extend(next.to_le_bytes());
        bytes.extend(page.data().chunks_exact(3).map(|rgb| rgb[1]));
        bytes.extend(vec![0; odd as usize]);
    }
    bytes
}
