//! Pictures in SVG to pictures of pixels.

use fenlens::Picture;
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree},
};

/// A picture in SVG as a PNG file, one pixel to a unit.
///
/// # Errors
/// In words, when the text is no SVG or memory is short.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = tree(svg)?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let straight: Vec<u8> = pixels
        .pixels()
        .iter()
        .flat_map(|pixel| {
            let color = pixel.demultiply();
            [color.red(), color.green(), color.blue(), color.alpha()]
        })
        .collect();
    let picture =
        image::RgbaImage::from_raw(size.width(), size.height(), straight).ok_or("the picture is too large")?;
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).map_err(|error| error.to_string())?;
    Ok(file.into_inner())
}

/// Draws SVG over a picture, one pixel to a unit, in strips: a second copy of a large picture is never held.
///
/// # Errors
/// In words, when the text is no SVG or memory is short.
pub fn draw_over(picture: &mut Picture, svg: &str) -> Result<(), String> {
    const STRIP: usize = 512;
    let tree = tree(svg)?;
    let (width, height) = (picture.width(), picture.height());
    for top in (0..height).step_by(STRIP) {
        let rows = STRIP.min(height - top);
        let mut strip = Pixmap::new(width as u32, rows as u32).ok_or("the picture is too large")?;
        resvg::render(&tree, Transform::from_translate(0.0, -(top as f32)), &mut strip.as_mut());
        for (i, ink) in strip.pixels().iter().enumerate().filter(|(_, ink)| ink.alpha() > 0) {
            let (x, y) = (i % width, top + i / width);
            let rest = 255 - u32::from(ink.alpha());
            let [red, green, blue] = picture.pixel(x, y).map(|under| ((u32::from(under) * rest + 127) / 255) as u8);
            // The colors of the ink are already weighted by its alpha.
            let mixed =
                [ink.red().saturating_add(red), ink.green().saturating_add(green), ink.blue().saturating_add(blue)];
            picture.set_pixel(x, y, mixed);
        }
    }
    Ok(())
}

fn tree(svg: &str) -> Result<Tree, String> {
    Tree::from_str(svg, &Options::default()).map_err(|error| error.to_string())
}
