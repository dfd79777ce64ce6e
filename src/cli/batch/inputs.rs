//! The files to read, in an order that is the same every time.

use std::{
    collections::HashSet,
    ffi::OsString,
    fs, io,
    io::Read,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::cli::{
    files,
    files::{has_extension, is_picture, is_single_picture},
    output,
};

/// The files.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Each once, in order.
    pub files: Vec<PathBuf>,
    /// How many files were named again.
    pub repeated: usize,
}

/// Collects the files.
pub struct Collector<'a> {
    /// Whether folders within folders are searched.
    pub recursive: bool,
    /// A folder that holds results, not pictures.
    pub except: Option<&'a Path>,
}

impl Collector<'_> {
    /// The files of all arguments.
    ///
    /// # Errors
    /// In words: a folder that cannot be read, a pattern that matches nothing, and no file at all.
    pub fn collect(&self, arguments: &[PathBuf]) -> Result<Inputs, String> {
        let mut found = Vec::new();
        for argument in arguments {
            if argument == Path::new("-") {
                for line in list(io::stdin().lock()).map_err(|error| format!("standard input: {error}"))? {
                    self.add(line, &mut found)?;
                }
            } else if fs::symlink_metadata(argument).is_err() && is_pattern(argument) {
                self.expand(argument, &mut found)?;
            } else {
                self.add(argument.clone(), &mut found)?;
            }
        }
        let named = found.len();
        let mut seen = HashSet::with_capacity(named);
        found.retain(|path| seen.insert(path.clone()));
        if found.is_empty() {
            let hint = if self.recursive { "" } else { "; -r searches folders within folders" };
            return Err(format!("there is no picture to read{hint}"));
        }
        if u32::try_from(found.len()).is_err() {
            return Err(format!("too many files: {}", found.len()));
        }
        Ok(Inputs { repeated: named - found.len(), files: found })
    }

    fn expand(&self, pattern: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
        let name = output::show(pattern);
        let text = pattern.to_str().ok_or_else(|| format!("{name}: no file, and no pattern in UTF-8"))?;
        let paths = glob::glob(text).map_err(|error| format!("{name}: {error}"))?;
        let before = found.len();
        for path in paths {
            self.add(path.map_err(|error| error.to_string())?, found)?;
        }
        if found.len() == before { Err(format!("{name}: no picture matches")) } else { Ok(()) }
    }

    /// Adds a file, or what is in a folder. A file that is missing gets its error record when its turn comes.
    fn add(&self, path: PathBuf, found: &mut Vec<PathBuf>) -> Result<(), String> {
        if path.is_dir() {
            return self.walk(&path, found);
        }
        found.push(path);
        Ok(())
    }

    /// The pictures and documents in a folder by name.
    fn walk(&self, folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
        let mut walk = files::walk(folder, self.recursive);
        while let Some(entry) = walk.next() {
            let entry = entry.map_err(|error| files::explain(&error))?;
            let path = entry.path();
            if files::is_folder(&entry) {
                if self.except.is_some_and(|except| is_same(except, path)) {
                    walk.skip_current_dir();
                }
            } else if (is_picture(path) || is_document(path)) && !path.is_dir() {
                found.push(entry.into_path());
            }
        }
        Ok(())
    }
}

impl Inputs {
    /// How many pages there are, when every file is one by its name.
    pub fn pages(&self) -> Option<usize> {
        self.files.iter().all(|file| is_single_picture(file)).then_some(self.files.len())
    }

    /// A digest of all names in order: equal for equal lists only.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for file in &self.files {
            hash.update(file.as_os_str().as_encoded_bytes());
            hash.update([0]);
        }
        hex::encode(hash.finalize())
    }
}

fn is_document(path: &Path) -> bool {
    has_extension(path, &["pdf"])
}

fn is_pattern(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte))
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// One path a line; names need not be UTF-8.
fn list(mut stream: impl Read) -> io::Result<Vec<PathBuf>> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    Ok(lines.filter(|line| !line.is_empty()).map(|line| PathBuf::from(os_string(line))).collect())
}

#[cfg(unix)]
fn os_string(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
