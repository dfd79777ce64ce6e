//! Pages of PDF documents as pictures. This is done in a process of its own ([`child`](super::child)), which a document can
//! end: what happens here is not guarded against endless work, nor against using up memory or the stack.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use fenlens::{Error, Limits, Picture, Result, error::DecodeError, image::jpeg_damage};
use hayro::{
    PixmapSettings, RenderCache, RenderSettings,
    hayro_interpret::{
        BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
        InterpreterSettings, InterpreterWarning, SoftMask, TransformExt, font::GlyphRun, interpret_page,
    },
    hayro_syntax::{DecryptionError, Filter, LoadPdfError, Pdf, PdfData, page::Page},
    kurbo::{BezPath, Rect},
    render,
    vello_cpu::color::palette::css::WHITE,
};

use crate::cli::guard::guarded;

/// The resolution of pages that are drawn from lines and letters. A diagram of 4 cm, as small as they are printed, then
/// has squares of 39 pixels.
const DRAWN_DPI: f64 = 200.0;

/// The largest page that is drawn, in pixels: A4 at 320 dots an inch. Finer scans are reduced, which costs nothing in a
/// diagram and bounds memory.
pub const MOST_PIXELS: f64 = 10e6;

/// The longest side of a picture: the renderer counts in 16 bits.
const MOST_SIDE: f64 = 32_000.0;

/// The share of a page that pictures must cover for it to be a scan.
const SCANNED: f64 = 0.6;

/// A document is opened anew after this many pages, because the reader keeps what it has unpacked of each.
const PAGES_AN_OPENING: usize = 50;

/// An open document.
pub struct Document {
    data: PdfData,
    pages: usize,
    open: Mutex<(Arc<Pdf>, usize)>,
}

/// A page, drawn.
#[derive(Debug)]
pub struct Drawn {
    /// Its pixels.
    pub picture: Picture,
    /// How many make an inch: the resolution.
    pub dpi: f64,
    /// Whether a picture on it is damaged, or could not be decoded and is missing.
    pub incomplete: bool,
}

impl Document {
    /// Whether these are the first bytes of a PDF document. Some documents have a few other bytes before them.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes[..bytes.len().min(1024)].windows(5).any(|window| window == b"%PDF-")
    }

    /// Opens a document.
    ///
    /// # Errors
    /// [`Error::Decode`], when it is broken or encrypted.
    pub fn open(bytes: Vec<u8>) -> Result<Document> {
        let data = PdfData::from(bytes);
        let pdf = open(&data)?;
        let pages = pdf.pages().len();
        if pages == 0 {
            return Err(broken("a document without pages"));
        }
        Ok(Document { data, pages, open: Mutex::new((Arc::new(pdf), 0)) })
    }

    /// How many pages it has.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// Draws a page: a scan at the resolution of the scan, any other at [`DRAWN_DPI`], and none larger than the limits.
    ///
    /// # Errors
    /// [`Error::Decode`], and [`Error::TooLarge`] for a picture on the page.
    pub fn draw(&self, page: usize, limits: &Limits) -> Result<Drawn> {
        let pdf = self.current()?;
        guarded(|| draw(pdf.pages().get(page).ok_or_else(|| broken("the page is missing"))?, limits))
            .unwrap_or_else(|panic| Err(broken(&format!("the page cannot be drawn: {panic}"))))
    }

    fn current(&self) -> Result<Arc<Pdf>> {
        let mut open_now = self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if open_now.1 >= PAGES_AN_OPENING {
            *open_now = (Arc::new(open(&self.data)?), 0);
        }
        open_now.1 += 1;
        Ok(open_now.0.clone())
    }
}

fn open(data: &PdfData) -> Result<Pdf> {
    let opened = guarded(|| Pdf::new(data.clone()))
        .map_err(|panic| broken(&format!("the document cannot be opened: {panic}")))?;
    opened.map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            Error::Decode { error: DecodeError::Encrypted, source: None }
        }
        LoadPdfError::Decryption(error) => Error::Decode {
            error: DecodeError::Encrypted,
            source: Some(format!("the encryption is not readable ({error:?})").into()),
        },
        LoadPdfError::Invalid => broken("not a readable PDF document"),
    })
}

fn broken(why: &str) -> Error {
    Error::Decode { error: DecodeError::Broken, source: Some(why.into()) }
}

fn draw<'a>(page: &'a Page<'a>, limits: &Limits) -> Result<Drawn> {
    let incomplete = Arc::new(AtomicBool::new(false));
    let failed = incomplete.clone();
    let settings = InterpreterSettings {
        warning_sink: Arc::new(move |warning| {
            if matches!(warning, InterpreterWarning::ImageDecodeFailure) {
                failed.store(true, Ordering::Relaxed);
            }
        }),
        ..InterpreterSettings::default()
    };
    let (width, height) = page.render_dimensions();
    let (width, height) = (f64::from(width), f64::from(height));
    if !(width * height).is_finite() || width < 1.0 || height < 1.0 {
        return Err(broken("a page of no size"));
    }
    let survey = Survey::of(page, width, height, &settings);
    if survey.largest > limits.pixels {
        return Err(Error::TooLarge { what: "pixels", limit: limits.pixels, actual: survey.largest });
    }
    let most = MOST_PIXELS.min(limits.pixels as f64);
    let scale = (survey.dpi() / 72.0).min((most / (width * height)).sqrt()).min(MOST_SIDE / width.max(height));
    let pixels = render(
        page,
        &RenderCache::new(),
        &settings,
        &RenderSettings::default(),
        &PixmapSettings { x_scale: scale as f32, y_scale: scale as f32, bg_color: WHITE },
    );
    let (columns, rows) = (usize::from(pixels.width()), usize::from(pixels.height()));
    if columns == 0 || rows == 0 {
        return Err(broken("a page of no size"));
    }
    // The page was drawn on white, so nothing is transparent.
    let mut data = Vec::with_capacity(columns * rows * 3);
    pixels.data_as_u8_slice().chunks_exact(4).for_each(|rgba| data.extend_from_slice(&rgba[..3]));
    let picture = Picture::from_rgb(columns, rows, data);
    Ok(Drawn { picture, dpi: scale * 72.0, incomplete: survey.damaged || incomplete.load(Ordering::Relaxed) })
}

/// What is on a page, without drawing it.
struct Survey {
    /// The page in points.
    page: Rect,
    /// The share of it that pictures cover.
    covered: f64,
    /// The resolution of the finest picture that is more than an ornament.
    finest: f64,
    /// Whether there are visible lines or letters. The text that a scanner program adds so that a scan can be searched is
    /// invisible.
    marks: bool,
    /// The pixels of the largest picture.
    largest: u64,
    /// Whether a picture has damaged data, of which the renderer says nothing.
    damaged: bool,
}

impl Survey {
    fn of<'a>(page: &'a Page<'a>, width: f64, height: f64, settings: &InterpreterSettings) -> Survey {
        let area = Rect::new(0.0, 0.0, width, height);
        let mut survey = Survey { page: area, covered: 0.0, finest: 0.0, marks: false, largest: 0, damaged: false };
        let cache = InterpreterCache::new();
        let transform = page.initial_transform(true).to_kurbo();
        let mut context = Context::new(transform, area, &cache, page.xref(), settings.clone());
        interpret_page(page, &mut context, &mut survey);
        survey
    }

    /// The resolution that loses nothing that matters.
    fn dpi(&self) -> f64 {
        match (self.covered >= SCANNED && self.finest > 0.0, self.marks) {
            (true, false) => self.finest,
            (true, true) => self.finest.max(DRAWN_DPI),
            (false, _) => DRAWN_DPI,
        }
    }
}

impl<'a> Device<'a> for Survey {
    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, mode: &DrawMode) {
        self.marks |= !matches!(mode, DrawMode::Invisible);
    }

    fn draw_glyph_run(&mut self, _: &GlyphRun<'_, 'a>, _: DrawProps<'a>, mode: &DrawMode) {
        self.marks |= !matches!(mode, DrawMode::Invisible);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        /// Less of the page than this is an ornament.
        const ORNAMENT: f64 = 0.02;
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        self.largest = self.largest.max(u64::from(image.width()) * u64::from(image.height()));
        if let Image::Raster(raster) = &image {
            let stream = raster.stream();
            // Behind other filters the data would have to be unpacked once more.
            self.damaged |= stream.filters().as_slice() == [Filter::DctDecode]
                && jpeg_damage(&stream.raw_data(), image.width(), image.height()).is_some();
        }
        let [a, b, c, d, _, _] = props.transform.as_coeffs();
        let seen = props.transform.transform_rect_bbox(Rect::new(0.0, 0.0, width, height)).intersect(self.page);
        let share = seen.area().max(0.0) / self.page.area();
        self.covered += share;
        // The transform takes pixels to points.
        let pixel = a.hypot(b).min(c.hypot(d));
        if share >= ORNAMENT && pixel > 0.0 {
            self.finest = self.finest.max(72.0 / pixel);
        }
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
