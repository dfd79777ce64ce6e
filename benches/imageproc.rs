//! Our own picture code beside `imageproc`; the figures are in `docs/decisions/008-imageproc.md`, and `tests/imageproc.rs`
//! compares the results.

#![allow(missing_docs, reason = "the macro makes a public function without")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fenlens::{
    Picture,
    image::{Corners, Homography, Point, warp},
};
use image::{GrayImage, Luma, Rgb, RgbImage};
use imageproc::{
    filter::box_filter,
    geometric_transformations::{Border, Interpolation, Projection, warp_into},
};

/// Corners in a picture of 1200 x 1000, seen in perspective.
const SKEW: Corners =
    Corners([Point::new(120.0, 80.0), Point::new(910.0, 140.0), Point::new(1010.0, 900.0), Point::new(40.0, 820.0)]);

fn pairs(corners: &Corners) -> [(f32, f32); 4] {
    corners.0.map(|p| (p.x as f32, p.y as f32))
}

fn compare(c: &mut Criterion) {
    let ramp = (0..1200 * 1000).flat_map(|i| [(i % 251) as u8, (i / 1200 % 241) as u8, 128]).collect();
    let picture = Picture::from_rgb(1200, 1000, ramp);
    let rgb = RgbImage::from_raw(1200, 1000, picture.data().to_vec()).expect("a color for each pixel");
    let unit = Corners::from_rect(0.0, 0.0, 288.0, 288.0);
    let mut group = c.benchmark_group("imageproc");

    for (name, part) in [("warp, shrinking 2.9 times", 1.0), ("warp without shrinking", 0.3)] {
        let corners = Corners(SKEW.0.map(|p| p * part));
        let map = Homography::from_rect(288.0, 288.0, &corners).expect("a convex area");
        group.bench_function(format!("{name}: ours"), |b| b.iter(|| warp(black_box(&picture), &map, 288, 288)));
        let projection = Projection::from_control_points(pairs(&corners), pairs(&unit)).expect("a convex area");
        group.bench_function(format!("{name}: imageproc"), |b| {
            b.iter(|| {
                let mut out = RgbImage::new(288, 288);
                let border = Border::Constant(Rgb([0; 3]));
                warp_into(black_box(&rgb), projection, Interpolation::Bilinear, border, &mut out);
                out
            });
        });
    }

    group.bench_function("homography of four points: ours", |b| {
        b.iter(|| Homography::from_pairs(&unit.0, black_box(&SKEW.0)));
    });
    let (from, to) = (pairs(&unit), pairs(&SKEW));
    group.bench_function("homography of four points: imageproc", |b| {
        b.iter(|| Projection::from_control_points(from, black_box(to)));
    });

    group.bench_function("blocks of 3: ours", |b| b.iter(|| black_box(&picture).averaged(0..1200, 0..1000, 3)));
    let plane = GrayImage::from_fn(1200, 1000, |x, y| Luma([rgb.get_pixel(x, y).0[0]]));
    group.bench_function("blocks of 3: imageproc, one plane of three", |b| {
        b.iter(|| box_filter(black_box(&plane), 1, 1));
    });
    group.finish();
}

criterion_group!(benches, compare);
criterion_main!(benches);
