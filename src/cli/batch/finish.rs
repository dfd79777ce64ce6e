//! Makes the output of a finished run from its records. It appears under its name only when it is whole.

use std::{io, io::BufWriter, path::Path};

use fenlens::Record;

use super::{
    args::Format,
    formats::{LeftOut, Writer},
    review::Sheet,
};
use crate::cli::{files::Whole, output, output::count};

/// An output that is being written, and the contact sheet beside it.
pub struct Finish<'a> {
    out: &'a Path,
    format: Format,
    writer: Writer<BufWriter<Whole>>,
    sheet: Option<(&'a Path, Sheet)>,
}

/// The name that an output has until it is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// [`TEMPORARY`] is added to its own; whoever asks for it makes sure that nobody else writes it.
    Own,
    /// One that nothing else has.
    Unique,
}

/// What is added to the name of an output until it is whole.
pub const TEMPORARY: &str = ".tmp";

impl<'a> Finish<'a> {
    /// Begins an output.
    ///
    /// # Errors
    /// In words.
    pub fn begin(
        out: &'a Path,
        format: Format,
        review: Option<&'a Path>,
        temporary: Temporary,
    ) -> Result<Finish<'a>, String> {
        let file = match temporary {
            Temporary::Own => Whole::create_with_suffix(out, TEMPORARY),
            Temporary::Unique => Whole::create_plain(out),
        };
        let writer =
            file.and_then(|file| Writer::new(format, BufWriter::with_capacity(1 << 16, file))).map_err(explain(out))?;
        let sheet = match review {
            Some(folder) => Some((folder, Sheet::begin(folder).map_err(explain(folder))?)),
            None => None,
        };
        Ok(Finish { out, format, writer, sheet })
    }

    /// Adds a record, also given as a line of JSON.
    ///
    /// # Errors
    /// In words.
    pub fn add(&mut self, record: &Record, json: &str) -> Result<(), String> {
        self.writer.write(record, json).map_err(explain(self.out))?;
        match &mut self.sheet {
            Some((folder, sheet)) => sheet.add(record).map_err(explain(folder)),
            None => Ok(()),
        }
    }

    /// Gives the output its name, and notes how many boards the format left out.
    ///
    /// # Errors
    /// In words.
    pub fn end(self) -> Result<(), String> {
        let written = self.writer.finish().and_then(|(writer, left_out)| {
            let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync()?;
            Ok((file, left_out))
        });
        let (file, left_out) = written.map_err(explain(self.out))?;
        if let Some((folder, sheet)) = self.sheet {
            let boards = sheet.finish().map_err(explain(folder))?;
            let page = folder.join(Sheet::NAME);
            output::note(format_args!("{} to look at in {}", count(boards, "board"), output::show(&page)));
        }
        file.keep().map_err(explain(self.out))?;
        note_left_out(left_out, self.format);
        Ok(())
    }
}

fn explain(path: &Path) -> impl Fn(io::Error) -> String {
    let name = output::show(path);
    move |error| format!("{name}: {error}")
}

fn note_left_out(left_out: LeftOut, format: Format) {
    let LeftOut { refused, to_check } = left_out;
    let others = match format {
        Format::Fen if refused + to_check > 0 => "csv, epd and pgn have those to check, csv and jsonl all",
        _ if refused > 0 => "csv and jsonl have them",
        _ => return,
    };
    let boards = count(refused + to_check, "board");
    output::note(format_args!("left out as not certain: {boards} ({to_check} to check, {refused} refused); {others}"));
}
