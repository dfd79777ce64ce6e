//! Files and folders: which are pictures, what a folder holds, and writing so that a file appears only when it is whole.

use std::{
    fs,
    fs::{File, OpenOptions},
    io,
    io::Write,
    path::{Path, PathBuf},
};

use tempfile::{NamedTempFile, TempPath};
use walkdir::{DirEntry, FilterEntry, IntoIter, WalkDir};

use super::output;

/// Names by which files in a folder are taken for pictures. Files that are named one by one may be called anything.
const PICTURES: [&str; 10] = ["png", "jpg", "jpeg", "jpe", "jfif", "webp", "gif", "bmp", "tif", "tiff"];

/// Of these, those that may hold several pages.
const PAGED: [&str; 2] = ["tif", "tiff"];

/// A text file larger than this was not written by a person.
const MOST_TEXT: u64 = 64 << 20;

/// Whether a file is named as a picture is.
pub fn is_picture(path: &Path) -> bool {
    has_extension(path, &PICTURES)
}

/// Whether a file is named as a picture of one page is, so that it need not be opened to know that.
pub fn is_single_picture(path: &Path) -> bool {
    is_picture(path) && !has_extension(path, &PAGED)
}

/// Whether the name of a file ends in one of these, in capitals or not.
pub fn has_extension(path: &Path, names: &[&str]) -> bool {
    path.extension().is_some_and(|extension| names.iter().any(|name| extension.eq_ignore_ascii_case(name)))
}

/// What is in a folder and, if it is to be `deep`, in the folders in it: in the order of the names, a folder itself before
/// what is in it. Hidden files and folders are left out, and links to folders are not followed: they may lead back.
pub fn walk(folder: &Path, deep: bool) -> FilterEntry<IntoIter, fn(&DirEntry) -> bool> {
    // The folder of a plain file name is an empty path.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let walk = WalkDir::new(folder).sort_by_file_name().max_depth(if deep { usize::MAX } else { 1 });
    walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b"."))
}

/// Whether an entry of [`walk`] is a folder that it goes into.
pub fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() || (entry.depth() == 0 && entry.path().is_dir())
}

/// Why a folder could not be read, in words, with its path.
pub fn explain(error: &walkdir::Error) -> String {
    let path = error.path().map(output::show).unwrap_or_default();
    match error.io_error() {
        Some(error) => format!("{path}: {error}"),
        None => error.to_string(),
    }
}

/// The text of a file that a person wrote.
///
/// # Errors
/// In words, without the path.
pub fn read_text(path: &Path) -> Result<String, String> {
    let facts = fs::metadata(path).map_err(|error| error.to_string())?;
    if facts.len() > MOST_TEXT {
        return Err(format!("too large: {} bytes, the limit is {MOST_TEXT}", facts.len()));
    }
    fs::read_to_string(path).map_err(|error| error.to_string())
}

/// Writes a file as [`Whole`] does, or standard output for `-`.
///
/// # Errors
/// In words, with the path.
pub fn save_or_print(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if path == Path::new("-") { output::print(bytes) } else { save(path, bytes) }
}

/// Writes a file as [`Whole`] does.
///
/// # Errors
/// In words, with the path.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    save_with(path, |file| file.write_all(bytes))
}

/// Like [`save`], for what is written in parts.
///
/// # Errors
/// In words, with the path.
pub fn save_with(path: &Path, write: impl FnOnce(&mut Whole) -> io::Result<()>) -> Result<(), String> {
    let save = || {
        let mut file = Whole::create(path)?;
        write(&mut file)?;
        file.keep()
    };
    save().map_err(|error| format!("{}: {error}", output::show(path)))
}

/// A file that appears under its name only when it is whole and [kept](Whole::keep). One that was there before stays as it
/// was when anything fails, and nothing else is left behind.
///
/// What is not a file, such as a device, is written directly; of a link, the file that it points to is replaced.
#[derive(Debug)]
pub struct Whole(Target);

#[derive(Debug)]
enum Target {
    Direct(File),
    Beside(NamedTempFile, PathBuf),
}

impl Whole {
    /// Begins a file, under a name that nothing else has.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create(path: &Path) -> io::Result<Whole> {
        Whole::begin(path, |target| {
            let name = target.file_name().unwrap_or_default().to_string_lossy();
            let prefix = format!(".{name}.");
            let mut builder = tempfile::Builder::new();
            builder.prefix(&prefix).suffix(".part");
            // Temporary files are private unless said otherwise; this one will be a file like any other.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            builder.tempfile_in(folder_of(target))
        })
    }

    /// Begins a file under its own name with something added. What a program that was killed has left under that name is
    /// written over, so the caller makes sure that nobody else writes it.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create_with_suffix(path: &Path, suffix: &str) -> io::Result<Whole> {
        Whole::begin(path, |target| {
            let name = with_suffix(target, suffix);
            Ok(NamedTempFile::from_parts(File::create(&name)?, TempPath::try_from_path(name)?))
        })
    }

    fn begin(path: &Path, beside: impl FnOnce(&Path) -> io::Result<NamedTempFile>) -> io::Result<Whole> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(Whole(match fs::metadata(&target) {
            Ok(facts) if !facts.is_file() => Target::Direct(OpenOptions::new().write(true).open(&target)?),
            _ => Target::Beside(beside(&target)?, target),
        }))
    }

    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// The error of the system.
    pub fn sync(&self) -> io::Result<()> {
        match &self.0 {
            // Not every device can.
            Target::Direct(_) => Ok(()),
            Target::Beside(file, _) => file.as_file().sync_all(),
        }
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// The error of the system.
    pub fn keep(self) -> io::Result<()> {
        match self.0 {
            Target::Direct(_) => Ok(()),
            Target::Beside(file, target) => file.persist(target).map(drop).map_err(|error| error.error),
        }
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Direct(file) => file.write(bytes),
            Target::Beside(file, _) => file.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The folder a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A path with something added to its name.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = walk(folder, true).skip(1).map(|entry| entry.unwrap().into_path());
        entries.map(|path| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn pictures_are_known_by_their_names() {
        for name in ["a.png", "a.JPG", "b.c.jpe", "a.JFIF", "a.tiff"] {
            assert!(is_picture(Path::new(name)), "{name}");
        }
        assert!(!["png", ".png", "a.pdf", "a.png.json"].iter().any(|name| is_picture(Path::new(name))));
        assert!(is_single_picture(Path::new("a.gif")) && !is_single_picture(Path::new("a.TIF")));
    }

    #[test]
    fn folders_are_walked_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b/c.png", "b/.hidden/x.png", "a.png", ".b.png", "c.png"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(".", folder.path().join("b/back")).unwrap();
        let expected: &[&str] = if cfg!(unix) {
            &["a.png", "b", "b/back", "b/c.png", "c.png"]
        } else {
            &["a.png", "b", "b/c.png", "c.png"]
        };
        assert_eq!(names(folder.path()), expected);
        assert_eq!(walk(folder.path(), false).count(), 4);
        let missing = walk(&folder.path().join("missing"), true).next().unwrap().unwrap_err();
        assert!(explain(&missing).contains("missing: "), "{}", explain(&missing));
    }

    #[test]
    fn a_file_appears_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        save(&path, b"one").unwrap();
        let mut file = Whole::create(&path).unwrap();
        file.write_all(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        drop(file);
        let failed = save_with(&path, |file| {
            file.write_all(b"three")?;
            Err(io::Error::other("enough"))
        });
        assert_eq!(failed, Err(format!("{}: enough", path.display())));
        assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (b"one".to_vec(), 1));

        fs::write(with_suffix(&path, ".tmp"), "left by a program that was killed").unwrap();
        let mut file = Whole::create_with_suffix(&path, ".tmp").unwrap();
        file.write_all(b"four").unwrap();
        file.sync().unwrap();
        file.keep().unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read_dir(folder.path()).unwrap().count()), (b"four".to_vec(), 1));
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_are_as_those_of_plain_writes() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [plain, link, file] = ["plain", "link", "file"].map(|name| folder.path().join(name));
        fs::write(&plain, "").unwrap();
        fs::write(&file, "").unwrap();
        symlink("file", &link).unwrap();
        save(&link, b"new").unwrap();
        assert_eq!((fs::read(&file).unwrap(), link.is_symlink()), (b"new".to_vec(), true));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&file), mode(&plain));
        save(Path::new("/dev/null"), b"new").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
