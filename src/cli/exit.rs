//! Exit codes. Scripts depend on them.

use std::process::ExitCode;

/// How the program ends; of several outcomes the worst one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything went well.
    Success = 0,
    /// The program worked and the answer is no: no board, or a board refused.
    No = 1,
    /// It could not work: usage, an unreadable file, an unusable model.
    Failure = 2,
    /// A person left at a question, or interrupted it. The code of a program that Ctrl-C ended.
    Interrupted = 130,
}

/// The exit codes in words, for the help.
pub const HELP: &str = "\
Exit status:
  0  every picture was read
  1  a picture holds no board, or a board was refused
  2  a picture could not be read, or the program could not work at all
  130  left at a question by Esc or Ctrl-C; nothing is written for that picture, nor for those after it
The worst outcome of several pictures counts.";

/// The exit codes of `check` in words.
pub const CHECK_PICTURES_HELP: &str = "\
Exit status:
  0  all floors are reached, and no picture has become worse than in the baseline
  1  a figure is below its floor, or a picture that was right in the baseline is wrong now
  2  a label, a picture, the floors or the baseline could not be read, or there is nothing to measure
Without --floors and --baseline there is nothing to miss.";

/// The exit codes of `batch` in words.
pub const BATCH_HELP: &str = "\
Exit status:
  0    the output is written, and every page was read, whatever was on it
  1    the output is written, but a page could not be read (its record says why), or there is no board at all
  2    the output is not written: usage, nothing to read, a full disk; what was read is kept for --resume
  130  interrupted (Ctrl-C or SIGTERM); what was read is kept for --resume
Until it is whole, the output is kept as OUT.partial.";

/// The exit codes of `fen check` in words.
pub const CHECK_HELP: &str = "\
Exit status:
  0  every position is legal; with --fix, once repaired
  1  a position is not legal, or cannot be told to be
  2  the input could not be read
Warnings and notes do not count, nor do the counters.";

/// The exit codes of `fen show` in words.
pub const SHOW_HELP: &str = "\
Exit status:
  0  the board was shown; what is wrong with the position is marked and noted
  2  the record could not be read, or a file could not be written";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
