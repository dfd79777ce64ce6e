//! What `fenlens read` makes beside its answers: overlays, a report, the text in the clipboard.
//!
//! A [`Plan`] is shared by the threads that read and makes what belongs to one picture; [`Outputs`] takes these parts in
//! the order of the pictures and joins them.

use std::{
    collections::HashSet,
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use fenlens::{BoardReading, Error, Picture, Recognition, Verdict, output::overlay};

use super::{args::ReadArgs, clipboard, report};
use crate::cli::{exit::Exit, files, files::Written, output, raster};

/// What is to be made of each picture.
pub struct Plan {
    overlay: Option<Target>,
    report: bool,
}

/// Where overlays go.
enum Target {
    File(PathBuf),
    Folder(PathBuf),
}

/// What was made of one picture.
#[derive(Default)]
pub struct Part {
    /// What failed.
    pub errors: Vec<String>,
    section: Option<report::Section>,
    fens: Vec<String>,
    refused: usize,
}

impl Plan {
    /// Checks what is wanted, and that it is possible.
    ///
    /// # Errors
    /// In words.
    pub fn new(args: &ReadArgs, pictures: &[PathBuf]) -> Result<Plan, String> {
        if args.clipboard || args.copy {
            clipboard::check()?;
        }
        let overlay = args.overlay.as_deref().map(|path| target(path, pictures)).transpose()?;
        let plan = Plan { overlay, report: args.report.is_some() };
        plan.keep(args, pictures)?;
        Ok(plan)
    }

    /// Makes sure that nothing is written over a picture, by whatever name.
    fn keep(&self, args: &ReadArgs, pictures: &[PathBuf]) -> Result<(), String> {
        let overlays = pictures.iter().enumerate().filter_map(|(index, path)| self.overlay_of(index, path));
        let overlays: Vec<PathBuf> = match &self.overlay {
            Some(Target::File(file)) => vec![file.clone()],
            _ => overlays.collect(),
        };
        let read = || pictures.iter().map(PathBuf::as_path).filter(|path| *path != Path::new("-"));
        Written::new(overlays.into_iter().chain(args.report.clone()))?.apart_from(read(), "the pictures")?;
        let stems: HashSet<String> = pictures.iter().enumerate().map(|(index, path)| stem(index, path)).collect();
        match args.trace_dir.as_deref().and_then(|folder| trace_over(folder, &stems, read())) {
            Some(file) => Err(format!("{} is one of the pictures, and --trace-dir may write it", output::show(file))),
            None => Ok(()),
        }
    }

    /// Where the overlay of a picture goes.
    fn overlay_of(&self, index: usize, path: &Path) -> Option<PathBuf> {
        Some(match self.overlay.as_ref()? {
            Target::File(file) => file.clone(),
            Target::Folder(folder) => folder.join(format!("{}.overlay.png", stem(index, path))),
        })
    }

    /// Whether anything is made of the pictures themselves, so that they must be kept until their boards are final.
    pub fn needs_pictures(&self) -> bool {
        self.overlay.is_some() || self.report
    }

    /// Makes what is wanted of one picture, once its boards are final. `picture` is there when it was read and
    /// [needed](Self::needs_pictures).
    pub fn make(
        &self,
        index: usize,
        path: &Path,
        picture: Option<&Picture>,
        read: Result<&Recognition, &Error>,
    ) -> Part {
        let mut part = Part::default();
        if let (Some(file), Some(picture), Ok(found)) = (self.overlay_of(index, path), picture, read) {
            part.errors.extend(write_overlay(&file, picture, &found.boards).err());
        }
        let seen = match read {
            Ok(found) => picture.map(|picture| Ok((picture, found))),
            Err(error) => Some(Err(error)),
        };
        if let (true, Some(seen)) = (self.report, seen) {
            part.section = Some(report::section(index, &output::show(path), seen));
        }
        let boards = read.map_or(&[][..], |found| &found.boards);
        let (refused, trusted): (Vec<_>, Vec<_>) =
            boards.iter().partition(|board| board.trust.verdict == Verdict::Refuse);
        part.fens = trusted.iter().map(|board| board.fen.to_string()).collect();
        part.refused = refused.len();
        part
    }
}

/// The name of the files made of a picture, different for every picture.
pub fn stem(index: usize, path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{:03}-{}", index + 1, if name == "-" { "stdin" } else { &name })
}

/// A name that ends in `.png` is a file and fits one picture; any other is a folder.
fn target(path: &Path, pictures: &[PathBuf]) -> Result<Target, String> {
    let wrong = |words: &str| Err(format!("--overlay {}: {words}", output::show(path)));
    if path.is_dir() {
        return Ok(Target::Folder(path.to_owned()));
    }
    match files::has_extension(path, &["png"]) {
        true if pictures.len() > 1 => wrong("several pictures need a folder, not one file"),
        true => Ok(Target::File(path.to_owned())),
        false if files::is_picture(path) => wrong("overlays are PNG files; name a file that ends in .png, or a folder"),
        false => {
            fs::create_dir_all(path).map_err(|error| format!("{}: {error}", output::show(path)))?;
            Ok(Target::Folder(path.to_owned()))
        }
    }
}

/// The first picture in the folder of traces that is named as a trace of one of the pictures is.
fn trace_over<'a>(
    folder: &Path,
    stems: &HashSet<String>,
    mut read: impl Iterator<Item = &'a Path>,
) -> Option<&'a Path> {
    let folder = fs::canonicalize(folder).ok()?;
    read.find(|picture| {
        let name = picture.file_name().unwrap_or_default().to_string_lossy();
        // STEM.corners.png, STEM.board-1.png
        let stem = name.strip_suffix(".png").and_then(|name| name.rsplit_once('.'));
        stem.is_some_and(|(stem, _)| stems.contains(stem))
            && fs::canonicalize(files::folder_of(picture)).is_ok_and(|other| other == folder)
    })
}

fn write_overlay(file: &Path, picture: &Picture, boards: &[BoardReading]) -> Result<(), String> {
    let factor = overlay::enlargement(picture, boards);
    let (width, height) = (picture.width(), picture.height());
    let mut drawn = if factor == 1 { picture.clone() } else { picture.resized(width * factor, height * factor) };
    raster::draw_over(&mut drawn, &overlay::to_svg(width, height, factor, boards))
        .map_err(|error| format!("{}: {error}", output::show(file)))?;
    files::save(file, &drawn.to_png())
}

/// Joins the parts of all pictures.
pub struct Outputs {
    report: Option<report::Report>,
    copy: bool,
    fens: Vec<String>,
    refused: usize,
}

impl Outputs {
    /// Begins, so that what cannot be written is known before the first picture is read.
    ///
    /// # Errors
    /// In words.
    pub fn begin(args: &ReadArgs) -> Result<Outputs, String> {
        let report = args.report.as_deref().map(report::Report::begin).transpose()?;
        Ok(Outputs { report, copy: args.copy, fens: Vec::new(), refused: 0 })
    }

    /// Whether there is work for pictures whose answers nobody reads any more.
    pub fn are_wanted(&self) -> bool {
        self.report.is_some() || self.copy
    }

    /// Takes the part of the next picture; breaks where that cannot be written.
    pub fn add(&mut self, part: Part) -> ControlFlow<Exit> {
        if self.copy {
            self.fens.extend(part.fens);
            self.refused += part.refused;
        }
        if let (Some(report), Some(section)) = (&mut self.report, part.section)
            && let Err(message) = report.add(section)
        {
            return ControlFlow::Break(output::failure(message));
        }
        ControlFlow::Continue(())
    }

    /// Writes the report and fills the clipboard; `models` are named in the report. Says on standard error what was
    /// copied and what failed.
    pub fn finish(self, models: &str) -> Exit {
        let mut exit = Exit::Success;
        let mut check = |result: Result<(), String>| {
            if let Err(message) = result {
                exit = output::failure(message);
            }
        };
        if let Some(report) = self.report {
            check(report.finish(models));
        }
        if self.copy {
            let left_out = match self.refused {
                0 => String::new(),
                1 => "; a refused board is left out".to_owned(),
                n => format!("; {n} refused boards are left out"),
            };
            if self.fens.is_empty() {
                output::note(format_args!("nothing is copied to the clipboard{left_out}"));
            } else {
                let copied = clipboard::copy(&self.fens.join("\n"));
                if copied.is_ok() {
                    let fens = output::count(self.fens.len(), "FEN");
                    output::note(format_args!("copied {fens} to the clipboard{left_out}"));
                }
                check(copied);
            }
        }
        exit
    }
}
