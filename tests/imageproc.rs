//! Our own picture code compared with `imageproc`. `docs/decisions/008-imageproc.md` says why ours stays.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking, and shows what it measured")]

mod common;

use common::Random;
use fenlens::{
    Picture,
    image::{Corners, Homography, Point, warp},
};
use image::{GrayImage, Rgb, RgbImage};
use imageproc::{
    filter::box_filter,
    geometric_transformations::{Border, Interpolation, Projection, warp_into},
};

/// Corners in a picture of 1200 x 1000, seen in perspective.
const SKEW: Corners =
    Corners([Point::new(120.0, 80.0), Point::new(910.0, 140.0), Point::new(1010.0, 900.0), Point::new(40.0, 820.0)]);

/// Waves of 20 pixels and more, as a sharp picture has them after it was reduced.
fn waves(width: usize, height: usize) -> Picture {
    let wave = |x: usize, y: usize, period: f64| {
        let phase = (x as f64 + 0.7 * y as f64) / period * std::f64::consts::TAU;
        (128.0 + 100.0 * phase.sin()).round() as u8
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    Picture::from_rgb(width, height, pixels.flat_map(|(x, y)| [20.0, 33.0, 51.0].map(|p| wave(x, y, p))).collect())
}

fn rgb_image(picture: &Picture) -> RgbImage {
    RgbImage::from_raw(picture.width() as u32, picture.height() as u32, picture.data().to_vec()).unwrap()
}

/// `warp` of imageproc, where pixel `i` has its middle at `i`, not at `i + 0.5`.
fn warp_of_imageproc(picture: &RgbImage, to_source: &Homography, width: u32, height: u32) -> RgbImage {
    let half = Homography::scale_shift(1.0, Point::new(0.5, 0.5));
    let rows = *half.then(to_source).then(&half.inverse().unwrap()).rows();
    let matrix: Vec<f32> = rows.as_flattened().iter().map(|&v| v as f32).collect();
    let projection = Projection::from_matrix(matrix.try_into().unwrap()).unwrap().invert();
    let mut out = RgbImage::new(width, height);
    warp_into(picture, projection, Interpolation::Bilinear, Border::Constant(Rgb([0; 3])), &mut out);
    out
}

/// The bilinear interpolation at a point of the source, in full precision.
fn exact(picture: &Picture, p: Point) -> [f64; 3] {
    let (x, y) = (p.x - 0.5, p.y - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let (right, down) = (x - left, y - top);
    let at = |dx: usize, dy: usize| picture.pixel(left as usize + dx, top as usize + dy).map(f64::from);
    let (a, b, c, d) = (at(0, 0), at(1, 0), at(0, 1), at(1, 1));
    [0, 1, 2]
        .map(|i| (1.0 - down) * ((1.0 - right) * a[i] + right * b[i]) + down * ((1.0 - right) * c[i] + right * d[i]))
}

#[test]
fn warps_without_shrinking_agree() {
    // 288 pixels of the new picture show 230 to 280 of the source.
    let corners = Corners([(30.0, 20.0), (290.0, 34.0), (310.0, 290.0), (16.0, 270.0)].map(|(x, y)| Point::new(x, y)));
    let to_source = Homography::from_rect(288.0, 288.0, &corners).unwrap();
    let picture = waves(340, 320);
    let ours = warp(&picture, &to_source, 288, 288);
    let theirs = warp_of_imageproc(&rgb_image(&picture), &to_source, 288, 288);
    let (mut our_errors, mut their_errors) = (Vec::new(), Vec::new());
    for (x, y) in (0..288).flat_map(|y| (0..288).map(move |x| (x, y))) {
        let wanted = exact(&picture, to_source.apply(Point::new(x as f64 + 0.5, y as f64 + 0.5)));
        let (a, b) = (ours.pixel(x, y), theirs.get_pixel(x as u32, y as u32).0);
        for i in 0..3 {
            our_errors.push(f64::from(a[i]) - wanted[i]);
            their_errors.push(f64::from(b[i]) - wanted[i]);
        }
    }
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    let worst = |errors: &[f64]| errors.iter().fold(0.0f64, |worst, error| worst.max(error.abs()));
    println!("ours: mean error {:.3}, worst {:.2}", mean(&our_errors), worst(&our_errors));
    println!("imageproc: mean error {:.3}, worst {:.2}", mean(&their_errors), worst(&their_errors));
    // Ours rounds once, with weights of a 32nd; imageproc cuts off fractions three times.
    assert!(worst(&our_errors) <= 2.0 && mean(&our_errors).abs() < 0.1);
    assert!(worst(&their_errors) <= 3.0);
}

#[test]
fn homographies_of_four_points_agree() {
    let unit = Corners::from_rect(0.0, 0.0, 288.0, 288.0);
    let tuples = |corners: &Corners| corners.0.map(|p| (p.x as f32, p.y as f32));
    let mut worst: f64 = 0.0;
    let mut random = Random::new(9);
    for _ in 0..200 {
        let corners = Corners(SKEW.0.map(|p| p + Point::new(random.between(-60.0, 60.0), random.between(-60.0, 60.0))));
        // Both are given the same corners, which have to be f32.
        let corners = Corners(corners.0.map(|p| Point::new(f64::from(p.x as f32), f64::from(p.y as f32))));
        let ours = Homography::from_pairs(&unit.0, &corners.0).unwrap();
        let theirs = Projection::from_control_points(tuples(&unit), tuples(&corners)).unwrap();
        for (x, y) in (0..=8).flat_map(|y| (0..=8).map(move |x| (x as f32 * 36.0, y as f32 * 36.0))) {
            let (u, v) = theirs * (x, y);
            let p = ours.apply(Point::new(x.into(), y.into()));
            worst = worst.max(p.distance(Point::new(u.into(), v.into())));
        }
    }
    println!("largest distance {worst:.6} pixels");
    assert!(worst < 1e-3, "{worst}");
}

#[test]
fn averages_of_blocks_agree() {
    let picture = waves(311, 205);
    for radius in 1..=3u32 {
        let block = 2 * radius as usize + 1;
        let ours = picture.averaged(0..picture.width(), 0..picture.height(), block);
        for channel in 0..3 {
            let plane: Vec<u8> = picture.data().iter().skip(channel).step_by(3).copied().collect();
            let plane = GrayImage::from_raw(picture.width() as u32, picture.height() as u32, plane).unwrap();
            let filtered = box_filter(&plane, radius, radius);
            for (row, col) in (0..205 / block).flat_map(|row| (0..311 / block).map(move |col| (row, col))) {
                let at = |n: usize| (n * block) as u32 + radius;
                let theirs = filtered.get_pixel(at(col), at(row)).0[0];
                let ours = ours.pixel(col, row)[channel];
                // imageproc cuts off fractions twice, of the rows and of the columns; ours rounds once.
                assert!(ours >= theirs && ours - theirs <= 2, "block {block} at {row}, {col}: {ours} and {theirs}");
            }
        }
    }
}
