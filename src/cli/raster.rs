//! Pictures in SVG to pictures of pixels.

use resvg::{tiny_skia, usvg};

/// A picture in SVG as a PNG file, one pixel to a unit.
///
/// # Errors
/// In words, when the text is no SVG or memory is short.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("the picture is too large")?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
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
