//! Every format and kind of pixel comes out as the same picture: a red, a green, a blue and a white quarter, 24 x 16.

mod common;

use std::fs;

use fenlens::{Limits, Picture};

/// Lossy formats at high quality stay this near in the middle of a plain area; CMYK without a profile is much further off.
const LOSSY: u8 = 12;
const CMYK: u8 = 60;

#[test]
fn all_formats_agree() {
    let mut seen = 0;
    for entry in fs::read_dir(common::testdata().join("formats")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            continue;
        }
        let picture = Picture::open(&path, &Limits::default()).unwrap_or_else(|e| panic!("{name}: {}", e.chain()));
        assert_eq!((picture.width(), picture.height()), (24, 16), "{name}");
        let tolerance = match name.as_str() {
            "cmyk.jpg" => CMYK,
            "lossy.webp" | "jpeg.tiff" => LOSSY,
            name if name.ends_with(".jpg") => LOSSY,
            _ => 0,
        };
        for (x, y, color) in
            [(4, 4, [220, 30, 30]), (18, 4, [30, 200, 40]), (4, 12, [40, 50, 210]), (18, 12, [255, 255, 255])]
        {
            let pixel = picture.pixel(x, y);
            let off = pixel.iter().zip(color).map(|(a, b): (&u8, u8)| a.abs_diff(b)).max().unwrap();
            assert!(off <= tolerance, "{name} at {x}, {y}: {pixel:?}, expected {color:?}");
        }
        seen += 1;
    }
    assert!(seen >= 18, "only {seen} pictures found");
}

#[test]
fn a_picture_written_is_the_picture_read() {
    let picture = common::scribble(&mut common::Random::new(5));
    assert_eq!(Picture::decode(&picture.to_png(), &Limits::default()).unwrap(), picture);
}

#[test]
fn any_cut_is_noticed() {
    for name in ["rgb.png", "rgb.jpg", "progressive.jpg", "rgb.bmp", "turned.jpg"] {
        let bytes = fs::read(common::testdata().join("formats").join(name)).unwrap();
        // The last bytes may be padding or an end mark that decoders do not need, so the cut is made in the data.
        for keep in [1, 3, bytes.len() / 4, bytes.len() / 2, bytes.len() * 3 / 4] {
            let error = Picture::decode(&bytes[..keep], &Limits::default()).unwrap_err();
            assert!(
                ["truncated", "broken", "not-a-picture"].contains(&error.kind()),
                "{name} cut to {keep} bytes: {}",
                error.chain()
            );
        }
    }
}

#[test]
fn causes_of_damage_are_said_once() {
    let mut seen = 0;
    for entry in fs::read_dir(common::testdata().join("formats")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let mut damaged: Vec<Vec<u8>> =
            [30, bytes.len() / 2, bytes.len() - 20].map(|keep| bytes[..keep].to_vec()).into();
        damaged.push(bytes.iter().enumerate().map(|(n, byte)| if n > 40 { byte ^ 0x5a } else { *byte }).collect());
        for bytes in damaged {
            let Err(error) = Picture::decode(&bytes, &Limits::default()) else { continue };
            let said = error.chain();
            let mut parts: Vec<&str> = said.split(": ").collect();
            let all = parts.len();
            parts.sort_unstable();
            parts.dedup();
            assert!(parts.len() == all && !said.contains('\n'), "{said:?}");
            seen += 1;
        }
    }
    assert!(seen > 30, "only {seen} errors");
}
