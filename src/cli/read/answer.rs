//! From what was read in a picture to what is printed for it: flags and a person complete the boards, and the result is put
//! into words.

use std::path::Path;

use fenlens::{BoardReading, Error, Options, Picture, Recognition, Record, Verdict, recognize::questions};

use super::{
    args::ReadArgs,
    ask,
    ask::{Completed, Ended, Flags},
    corrections,
    outputs::{Part, Plan},
    remarks::remarks,
};
use crate::cli::{exit::Exit, output};

/// One picture, read.
pub struct Read<'a> {
    /// Its index among the pictures.
    pub index: usize,
    /// Its name.
    pub path: &'a Path,
    /// The picture itself, where something is still to be made of it.
    pub picture: Option<Picture>,
    /// Its boards, or why there are none.
    pub outcome: Result<Recognition, Error>,
    /// The hash of its file, where a label may be kept.
    pub sha256: Option<String>,
    /// What to say about it.
    pub notes: Vec<String>,
    /// The exit code of the work on it besides reading.
    pub exit: Exit,
}

impl<'a> Read<'a> {
    /// A picture that could not be read.
    pub fn failed(index: usize, path: &'a Path, error: Error) -> Read<'a> {
        Read { index, path, picture: None, outcome: Err(error), sha256: None, notes: Vec::new(), exit: Exit::Success }
    }
}

/// What is to be printed for one picture.
pub struct Answer {
    /// Lines for standard output.
    pub results: Vec<String>,
    /// Notes for standard error, as a terminal can show them.
    pub notes: Vec<String>,
    /// The exit code, if there were no other picture.
    pub exit: Exit,
    /// What else was made of the picture.
    pub part: Part,
}

/// What comes between reading a picture and printing what was read.
pub struct Completing<'a> {
    /// The flags.
    pub args: &'a ReadArgs,
    /// The options with which pictures are read.
    pub options: Options,
    /// Whether to ask.
    pub ask: bool,
    /// Whether a person reads the notes as they come.
    pub terminal: bool,
    /// What is made of each picture besides.
    pub plan: Plan,
}

impl Completing<'_> {
    /// Completes the boards of a picture by what the flags and a person say, and puts the result into words. `model` names
    /// the models in records.
    ///
    /// # Errors
    /// [`Ended`], when the person leaves or cannot be asked; nothing is printed for the picture then, and nothing kept.
    pub fn complete(&self, read: Read<'_>, model: &str) -> Result<Answer, Ended> {
        let Read { index, path, picture, mut outcome, sha256, mut notes, mut exit } = read;
        let name = output::show(path);
        let boards = outcome.as_mut().map_or(&mut [][..], |found| &mut found.boards);
        let several = boards.len() > 1;
        let mut confirmed = true;
        for (n, board) in boards.iter_mut().enumerate() {
            let title = if several { format!("{name}: board {}", n + 1) } else { name.clone() };
            confirmed &= self.complete_board(board, &title, &mut notes)?;
        }
        exit = exit.max(exit_of(&outcome));
        notes.extend(self.without_boards(&outcome).map(|why| output::plain(&format!("{name}: {why}"))));
        if let (Some(sha256), Ok(found)) = (&sha256, &outcome) {
            exit = exit.max(self.keep(path, sha256, &found.boards, confirmed, &mut notes));
        }
        let part = self.plan.make(index, path, picture.as_ref(), outcome.as_ref());
        if !part.errors.is_empty() {
            notes.extend(part.errors.iter().map(|error| output::plain(error)));
            exit = Exit::Failure;
        }
        let results = if self.args.json {
            // A path in a record must be the path given, whatever characters it has; `json` changes how they are written.
            vec![output::json(&Record::new(&output::name(path.as_os_str()), &outcome, model).to_json())]
        } else {
            let boards = outcome.iter().flat_map(|found| &found.boards);
            boards.filter(|board| board.trust.verdict != Verdict::Refuse).map(|board| board.fen.to_string()).collect()
        };
        Ok(Answer { results, notes, exit, part })
    }

    /// Completes one board, and notes what there is to say about it; whether a person has said that it is right.
    fn complete_board(&self, board: &mut BoardReading, title: &str, notes: &mut Vec<String>) -> Result<bool, Ended> {
        let Completed { board: completed, refused, confirmed } = self.completed(board, title)?;
        *board = completed;
        notes.extend(refused.iter().map(|refused| format!("{title}: {refused}")));
        if !self.args.json {
            let trust = &board.trust;
            let marked = self.terminal && trust.verdict == Verdict::Check && trust.flagged.contains(&true);
            notes.extend(marked.then(|| ask::marked(board, title)));
            notes.extend(remarks(board, marked).into_iter().map(|remark| format!("{title}: {remark}")));
        }
        Ok(confirmed)
    }

    /// A board with what the flags say of it, and a person, if there is one to ask.
    fn completed(&self, board: &BoardReading, title: &str) -> Result<Completed, Ended> {
        let flags = Flags(&self.args.known);
        if self.ask {
            return ask::ask(board.clone(), title, flags, &self.options, self.args.known.save_corrections.is_some());
        }
        let settled = questions::settle(board.clone(), &self.options, &mut { flags }).ok_or(Ended::Left)?;
        Ok(Completed { board: settled.board, refused: settled.refused, confirmed: false })
    }

    /// Why a picture has no boards to print, for a person.
    fn without_boards(&self, outcome: &Result<Recognition, Error>) -> Option<String> {
        match outcome {
            _ if self.args.json => None,
            Err(error) => Some(error.chain()),
            Ok(found) => found.boards.is_empty().then(|| "no board found".to_owned()),
        }
    }

    /// Keeps the boards of a picture as its label, if that is wanted and a person has confirmed them all.
    fn keep(
        &self,
        path: &Path,
        sha256: &str,
        boards: &[BoardReading],
        confirmed: bool,
        notes: &mut Vec<String>,
    ) -> Exit {
        let Some(folder) = self.args.known.save_corrections.as_ref().filter(|_| !boards.is_empty()) else {
            return Exit::Success;
        };
        let name = output::show(path);
        if !confirmed {
            notes.push(format!("{name}: not kept"));
            return Exit::Success;
        }
        match corrections::save(folder, path, sha256, boards) {
            Ok(file) => {
                notes.push(format!("{name}: kept in {}", output::show(&file)));
                Exit::Success
            }
            Err(message) => {
                notes.push(message);
                Exit::Failure
            }
        }
    }
}

fn exit_of(outcome: &Result<Recognition, Error>) -> Exit {
    match outcome {
        Ok(found) if found.boards.is_empty() => Exit::No,
        Ok(found) if found.boards.iter().any(|board| board.trust.verdict == Verdict::Refuse) => Exit::No,
        Ok(_) => Exit::Success,
        Err(Error::BoardNotFound { .. }) => Exit::No,
        Err(_) => Exit::Failure,
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: ReadArgs,
    }

    fn answer(flags: &[&str]) -> Answer {
        let Command { args } = Command::parse_from(["read", "a.png"].iter().chain(flags));
        let plan = Plan::new(&args, &args.pictures).unwrap();
        let completing = Completing { args: &args, options: Options::default(), ask: false, terminal: false, plan };
        let error = Error::Panic { message: "index out of bounds".into() };
        completing.complete(Read::failed(0, Path::new("a.png"), error), "m").unwrap()
    }

    #[test]
    fn a_panic_is_the_record_of_its_picture() {
        let said = answer(&[]);
        assert_eq!((said.exit, said.results), (Exit::Failure, vec![]));
        assert_eq!(said.notes, ["a.png: internal error: index out of bounds"]);
        let said = answer(&["--json"]);
        assert_eq!((said.exit, said.notes), (Exit::Failure, vec![]));
        let record: Record = serde_json::from_str(&said.results[0]).unwrap();
        let error = record.error.unwrap();
        assert_eq!((error.stage.as_str(), error.kind.as_str()), ("read", "panic"));
        assert_eq!((record.path.as_str(), record.model.as_str()), ("a.png", "m"));
    }
}
