//! Warping: drawing a picture anew through a homography.

use super::{
    geometry::{Corners, Homography, Point},
    picture::Picture,
};

/// Draws a new picture of `width` x `height` pixels whose pixel at `p` shows what `picture` shows at `to_source(p)`.
///
/// Sampling is bilinear and sub-pixel exact; coordinates are those of [`Point`], with pixel centers
/// at halves. Where the map shrinks, the needed part of the source is first averaged in whole blocks of pixels, and where
/// much shrinking remains, sampled at four points a pixel, so that hatching becomes gray and not moire. Beyond the edge the edge is
/// repeated; points behind the horizon are clamped to it.
///
/// # Panics
/// When the new picture would be empty.
pub fn warp(picture: &Picture, to_source: &Homography, width: usize, height: usize) -> Picture {
    let (w, h) = (width as f64, height as f64);
    let shrink = to_source.scale_at(Point::new(w / 2.0, h / 2.0));
    let block = if shrink.is_finite() { (shrink.round() as usize).clamp(1, Picture::MAX_BLOCK) } else { 1 };
    let edges = Corners::from_rect(0.0, 0.0, w, h).0.map(|corner| to_source.apply(corner));
    let range = |values: [f64; 4], end: usize| {
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        // One block more on each side, which the bilinear samples at the edge reach into.
        let first = (low.clamp(0.0, end as f64) as usize / block).saturating_sub(1) * block;
        let last = ((high.clamp(0.0, end as f64) as usize / block + 2) * block).min(end);
        (first.min(end - 1), last.max(first + 1).min(end))
    };
    let (left, right) = range(edges.map(|p| p.x), picture.width());
    let (top, bottom) = range(edges.map(|p| p.y), picture.height());
    let source = Source::new(&picture.averaged(left..right, top..bottom, block));
    let scale = 1.0 / block as f64;
    let to_source = to_source.then(&Homography::scale_shift(scale, Point::new(left as f64, top as f64) * -scale));
    sample(&source, &to_source, width, height, shrink * scale > FOUR_FROM)
}

/// From which remaining shrink a pixel takes four samples. One bilinear sample spans two pixels of the source, so up to a
/// third more than one a pixel leaves no gaps, and costs a quarter.
const FOUR_FROM: f64 = 1.34;

/// Bits of a weight between two pixels: a 32nd of a pixel is finer than corners are known.
const WEIGHT_BITS: u32 = 5;

/// Bits a color has to itself in a lane of [`Source`]: eight of its own, two weights', and two for adding four samples.
const LANE_BITS: u32 = 8 + 2 * WEIGHT_BITS + 3;

/// The part of a picture that a warp needs, laid out for fast interpolation: the three colors of a pixel stand in one
/// number, [`LANE_BITS`] apart, so that one multiplication weights all three. The last column and row stand twice, so
/// every pixel has a neighbor to the right and one below.
struct Source {
    width: usize,
    height: usize,
    lanes: Vec<u64>,
}

fn lanes(red: u64, green: u64, blue: u64) -> u64 {
    red | green << LANE_BITS | blue << (2 * LANE_BITS)
}

impl Source {
    fn new(picture: &Picture) -> Source {
        let (width, height) = (picture.width(), picture.height());
        let mut data = Vec::with_capacity((width + 1) * (height + 1));
        for row in picture.data().chunks_exact(width * 3) {
            data.extend(row.chunks_exact(3).map(|rgb| lanes(rgb[0].into(), rgb[1].into(), rgb[2].into())));
            data.extend(data.last().copied());
        }
        data.extend_from_within(data.len() - (width + 1)..);
        Source { width, height, lanes: data }
    }

    /// The colors at `(u, v)`, counted in weights from the center of the first pixel, times both weights.
    fn bilinear(&self, u: u32, v: u32) -> u64 {
        const ONE: u32 = 1 << WEIGHT_BITS;
        let (x, y) = ((u / ONE) as usize, (v / ONE) as usize);
        let (right, down) = (u64::from(u % ONE), u64::from(v % ONE));
        let (left, up) = (u64::from(ONE) - right, u64::from(ONE) - down);
        let at = y * (self.width + 1) + x;
        let four = &self.lanes[at..at + self.width + 3];
        let top = four[0] * left + four[1] * right;
        let bottom = four[self.width + 1] * left + four[self.width + 2] * right;
        top * up + bottom * down
    }
}

fn sample(source: &Source, to_source: &Homography, width: usize, height: usize, four: bool) -> Picture {
    let samples: &[(f32, f32)] =
        if four { &[(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] } else { &[(0.5, 0.5)] };
    let shift = 2 * WEIGHT_BITS + if four { 2 } else { 0 };
    let half = lanes(1 << (shift - 1), 1 << (shift - 1), 1 << (shift - 1));
    let m = to_source.rows().map(|row| row.map(|v| v as f32));
    let one = (1 << WEIGHT_BITS) as f32;
    let ends = ((source.width - 1) as f32 * one, (source.height - 1) as f32 * one);
    let mut sums = vec![0u64; width];
    let mut data = vec![0u8; width * height * 3];
    for (y, line) in data.chunks_exact_mut(width * 3).enumerate() {
        sums.fill(half);
        for &(dx, dy) in samples {
            let py = y as f32 + dy;
            let starts = m.map(|row| row[1] * py + row[2]);
            for (x, sum) in sums.iter_mut().enumerate() {
                let px = x as f32 + dx;
                // Behind the horizon the divisor changes sign; the smallest positive one sends the point to the edge.
                let w = one / (m[2][0] * px + starts[2]).max(1e-6);
                let u = (m[0][0] * px + starts[0]) * w - (0.5 * one - 0.5);
                let v = (m[1][0] * px + starts[1]) * w - (0.5 * one - 0.5);
                *sum += source.bilinear(u.clamp(0.0, ends.0) as u32, v.clamp(0.0, ends.1) as u32);
            }
        }
        for (rgb, sum) in line.chunks_exact_mut(3).zip(&sums) {
            rgb[0] = (sum >> shift) as u8;
            rgb[1] = (sum >> (LANE_BITS + shift)) as u8;
            rgb[2] = (sum >> (2 * LANE_BITS + shift)) as u8;
        }
    }
    Picture::from_rgb(width, height, data)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(width: usize, height: usize) -> Picture {
        let data =
            (0..height).flat_map(|y| (0..width).flat_map(move |x| [(x * 2) as u8, (y * 2) as u8, 128])).collect();
        Picture::from_rgb(width, height, data)
    }

    #[test]
    fn the_identity_changes_nothing() {
        let picture = gradient(64, 48);
        assert_eq!(warp(&picture, &Homography::IDENTITY, 64, 48), picture);
    }

    #[test]
    fn half_a_pixel_is_half_a_step() {
        let shifted = warp(&gradient(64, 48), &Homography::scale_shift(1.0, Point::new(0.5, 0.0)), 64, 48);
        assert_eq!(shifted.pixel(10, 10), [21, 20, 128]);
    }

    #[test]
    fn hatching_becomes_gray() {
        let stripes =
            (0..600 * 600).flat_map(|i| if (i % 600 + i / 600) % 2 == 0 { [0; 3] } else { [255; 3] }).collect();
        let picture = Picture::from_rgb(600, 600, stripes);
        for scale in [1.5, 2.0, 2.08, 3.7] {
            let small = warp(&picture, &Homography::scale_shift(scale, Point::new(0.0, 0.0)), 150, 150);
            let worst = small.data().iter().map(|&v| v.abs_diff(128)).max().unwrap();
            assert!(worst <= 40, "scale {scale}: {worst}");
        }
    }

    #[test]
    fn shrinking_keeps_points_where_they_are() {
        // A ramp must stay the same ramp, to within rounding, whatever the block.
        let ramp = |w: usize| Picture::from_rgb(w, w, (0..w * w).flat_map(|i| [(i % w * 255 / w) as u8; 3]).collect());
        for source in [300, 500, 900, 1400] {
            let scale = source as f64 / 250.0;
            let small = warp(&ramp(source), &Homography::scale_shift(scale, Point::default()), 250, 250);
            for x in 2..248 {
                assert!(small.pixel(x, 100)[0].abs_diff((x * 255 / 250) as u8) <= 2, "{source} {x}");
            }
        }
    }
}
