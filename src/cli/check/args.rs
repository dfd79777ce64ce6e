//! The command line of `fenlens check`.

use std::{path::PathBuf, str::FromStr};

use clap::ValueEnum;

use crate::cli::{
    args::{ColorChoice, JobsArgs, RuntimeArgs},
    exit,
};

/// Flags of `check`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::CHECK_PICTURES_HELP)]
pub struct CheckArgs {
    /// Tables (.csv), labels (.json, .fen), pictures with a position in their name, or folders of these
    #[arg(required = true, value_name = "LABELS")]
    pub labels: Vec<PathBuf>,
    /// Folder of the pictures that are not beside their labels
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// The figures that each family must reach, in JSON
    #[arg(long, value_name = "FILE")]
    pub floors: Option<PathBuf>,
    /// An earlier run; a picture that was right then must be right now
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write this run to a file, to be a baseline, unless a picture has become worse or cannot be read
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,
    /// What to report: text, json, junit, markdown, html or github, to standard output or to a file; may be given again
    #[arg(long = "report", value_name = "FORMAT[=FILE]", default_value = "text")]
    pub reports: Vec<ReportTarget>,
    /// The file of a report without one of its own
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How many at a time.
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// Whether to use colors; auto is when standard output is a terminal and NO_COLOR is not set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// The runtime.
    #[command(flatten)]
    pub runtime: RuntimeArgs,
}

/// A report and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportTarget {
    /// Its format.
    pub format: ReportFormat,
    /// Its file; standard output without one.
    pub file: Option<PathBuf>,
}

impl FromStr for ReportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<ReportTarget, String> {
        let (format, file) = text.split_once('=').map_or((text, None), |(format, file)| (format, Some(file)));
        if file == Some("") {
            return Err("no file is named after =".to_owned());
        }
        let format = <ReportFormat as ValueEnum>::from_str(format, false)
            .map_err(|_| "there are text, json, junit, markdown, html and github".to_owned())?;
        Ok(ReportTarget { format, file: file.map(PathBuf::from) })
    }
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For a terminal.
    Text,
    /// For programs.
    Json,
    /// For CI servers, in XML.
    Junit,
    /// For the summary of a job.
    Markdown,
    /// For people: missed boards side by side.
    Html,
    /// Annotations of GitHub Actions.
    Github,
}
