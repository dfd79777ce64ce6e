//! No bytes and no picture make the library panic.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{cell::RefCell, fs};

use fenlens::{Limits, Options, Picture, Recognizer};
use proptest::prelude::*;

/// Small limits keep a header that claims much from making the test slow.
const LIMITS: Limits = Limits::new(1 << 20, 1 << 20);

thread_local! {
    static RECOGNIZER: RefCell<Recognizer> = RefCell::new(Recognizer::embedded(Options::default()).unwrap());
}

/// Reads a picture and checks what must hold whatever it shows.
fn read(picture: &Picture) {
    let found = RECOGNIZER.with_borrow_mut(|recognizer| recognizer.recognize(picture)).unwrap();
    for board in found.boards {
        assert!(board.corners().is_convex());
        assert!((0.0..=1.0).contains(&board.trust.confidence), "{}", board.trust.confidence);
        assert!(board.fen.to_string().split(' ').count() == 6);
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let files = ["formats", "bad"].map(|folder| fs::read_dir(common::testdata().join(folder)).unwrap());
    let mut paths: Vec<_> = files.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

proptest! {
    #[test]
    fn random_bytes_decode_or_fail(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Picture::decode(&bytes, &LIMITS);
    }

    #[test]
    fn broken_pictures_decode_or_fail(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        keep in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let seeds = seeds();
        let mut bytes = seeds[which.index(seeds.len())].clone();
        if !bytes.is_empty() {
            for (at, value) in changes {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
            if cut {
                bytes.truncate(keep.index(bytes.len()));
            }
        }
        if let Ok(picture) = Picture::decode(&bytes, &LIMITS) {
            prop_assert!(picture.width() * picture.height() <= LIMITS.pixels as usize);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn random_pictures_are_read(seed in any::<u64>()) {
        read(&common::scribble(&mut common::Random::new(seed)));
    }

    #[test]
    fn random_boards_are_read(seed in any::<u64>()) {
        let mut random = common::Random::new(seed);
        let (w, h) = (200 + random.below(400), 200 + random.below(400));
        let mut corner = |x: f64, y: f64| {
            fenlens::image::Point::new(
                w as f64 * (x + random.between(-0.2, 0.2)),
                h as f64 * (y + random.between(-0.2, 0.2)),
            )
        };
        let corners = fenlens::image::Corners([corner(0.2, 0.2), corner(0.8, 0.2), corner(0.8, 0.8), corner(0.2, 0.8)]);
        read(&common::page(w, h, &corners, seed));
    }
}

#[test]
fn thin_pictures_are_read() {
    for (width, height) in
        [(1, 1), (1, 3000), (3000, 1), (2, 2), (8, 8), (33, 17), (64, 1600), (1601, 97), (64, 60_000)]
    {
        read(&Picture::filled(width, height, [120, 130, 140]));
    }
}

/// A board in a large picture, which is reduced before it is searched, lies where it lies in the small one.
#[test]
fn large_pictures_keep_their_boards_in_place() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/boards/screen-attack.png");
    let picture = Picture::open(path, &LIMITS).unwrap();
    let recognizer = Recognizer::embedded(Options::default()).unwrap();
    let small = recognizer.recognize(&picture).unwrap().boards;
    let large = recognizer.recognize(&picture.padded(1843, 1601, [90, 60, 30])).unwrap().boards;
    assert_eq!((small.len(), large.len()), (1, 1));
    assert_eq!(small[0].fen, large[0].fen);
    for (a, b) in small[0].corners().0.iter().zip(large[0].corners().0) {
        // Squares have 72 pixels; the aligner errs by a few hundredths of one.
        assert!(a.distance(b) < 6.0, "{:?} {:?}", small[0].corners(), large[0].corners());
    }
}
