//! Files and folders: which are pictures, what a folder holds, writing so that a file appears only when it is whole, and
//! never over a file that is read.

use std::{
    collections::HashMap,
    ffi::OsString,
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

/// Makes sure that a file can be written and replaced under a name: that there is none, or a plain one. A link is not
/// written through, and a device or a pipe is not replaced.
///
/// # Errors
/// In words, with the path.
pub fn must_be_plain(path: &Path) -> Result<(), String> {
    check_plain(path).map_err(|error| format!("{}: {error}", output::show(path)))
}

fn check_plain(path: &Path) -> io::Result<()> {
    let kind = match fs::symlink_metadata(path) {
        Ok(facts) => facts.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if kind.is_file() {
        return Ok(());
    }
    Err(io::Error::other(if kind.is_symlink() {
        let target = fs::read_link(path).unwrap_or_default();
        format!("a link to {}, and nothing is written through a link: name the file itself", output::show(&target))
    } else if kind.is_dir() {
        "a folder, not a file".to_owned()
    } else {
        "a device or a pipe, which is never replaced".to_owned()
    }))
}

/// Writes a file anew, whatever other names the one before it has. It is not written [whole](Whole).
///
/// # Errors
/// The error of the system, and that there is something other than a file.
pub fn write_anew(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_anew(path)?.write_all(bytes)
}

fn create_anew(path: &Path) -> io::Result<File> {
    check_plain(path)?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// What tells a file from any other, whatever names it has.
type Node = (u64, u64);

/// The device and inode of a plain file. Other systems than Unix do not tell, and files are compared by their paths there.
fn node(path: &Path) -> Option<Node> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let facts = fs::metadata(path).ok()?;
        // A device may well be read, or written more than once.
        facts.is_file().then(|| (facts.dev(), facts.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

/// The path of a file without links and `..`, whether or not it is there.
fn place(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let folder = folder_of(path);
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        folder.join(path.file_name().unwrap_or_default())
    })
}

/// Files that are to be written. No file that is read may be one of them, by whatever name or link, nor may two of them be
/// one.
#[derive(Debug, Default)]
pub struct Written {
    paths: Vec<PathBuf>,
    nodes: HashMap<Node, usize>,
    /// By their last names, since only files of the same name can have the same place.
    names: HashMap<OsString, Vec<usize>>,
}

impl Written {
    /// These files; `-` is standard output and left out.
    ///
    /// # Errors
    /// In words, when two are the same.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Result<Written, String> {
        let mut written = Written::default();
        for path in paths.into_iter().filter(|path| path != Path::new("-")) {
            if written.find(&path).is_some() {
                return Err(format!("{}: two things cannot be written to one file", output::show(&path)));
            }
            let index = written.paths.len();
            written.nodes.extend(node(&path).map(|node| (node, index)));
            // What is there and no plain file, such as a device, is only ever written.
            let is_plain = fs::metadata(&path).map_or(true, |facts| facts.is_file());
            if let Some(name) = place(&path).file_name().filter(|_| is_plain) {
                written.names.entry(name.to_owned()).or_default().push(index);
            }
            written.paths.push(path);
        }
        Ok(written)
    }

    /// Makes sure that none of the files is read; `read` says what is: `the files to read`.
    ///
    /// # Errors
    /// In words, with both paths.
    pub fn apart_from<'a>(&self, files: impl IntoIterator<Item = &'a Path>, read: &str) -> Result<(), String> {
        for file in files {
            if let Some(written) = self.find(file) {
                let [name, file] = [written, file].map(output::show);
                let by = if name == file { String::new() } else { format!(" ({file})") };
                return Err(format!("{name} is one of {read}{by} and would be written over"));
            }
        }
        Ok(())
    }

    /// The path among these by which a file is written.
    fn find(&self, file: &Path) -> Option<&Path> {
        // Where nothing is there yet, nothing need be looked up.
        let same = (!self.nodes.is_empty()).then(|| node(file)).flatten().and_then(|node| self.nodes.get(&node));
        let found = same.copied().or_else(|| {
            let candidates = self.names.get(file.file_name()?)?;
            let place = place(file);
            candidates.iter().copied().find(|&index| self::place(&self.paths[index]) == place)
        });
        found.map(|index| &*self.paths[index])
    }
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
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Ok(Whole(match fs::metadata(&target) {
            Ok(facts) if !facts.is_file() => Target::Direct(OpenOptions::new().write(true).open(&target)?),
            _ => Target::Beside(beside(&target)?, target),
        }))
    }

    /// Like [`create`](Self::create), but under a name where there is a file or nothing: neither a link, of which what it
    /// points to would be replaced, nor a device.
    ///
    /// # Errors
    /// The error of the system, and what else is there.
    pub fn create_plain(path: &Path) -> io::Result<Whole> {
        check_plain(path)?;
        Ok(Whole(Target::Beside(beside(path)?, path.to_owned())))
    }

    /// Like [`create_plain`](Self::create_plain), under its own name with something added. What a program that was killed has
    /// left under that name is replaced, so the caller makes sure that nobody else writes it.
    ///
    /// # Errors
    /// The error of the system, and what else is there.
    pub fn create_with_suffix(path: &Path, suffix: &str) -> io::Result<Whole> {
        check_plain(path)?;
        let name = with_suffix(path, suffix);
        let file = NamedTempFile::from_parts(create_anew(&name)?, TempPath::try_from_path(name)?);
        Ok(Whole(Target::Beside(file, path.to_owned())))
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

/// A file beside another, under a name that nothing else has.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // Temporary files are private unless said otherwise; this one will be a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(target))
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

    #[cfg(unix)]
    #[test]
    fn only_plain_files_are_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("outside"), "mine").unwrap();
        symlink("outside", at("link")).unwrap();
        symlink("nothing", at("dangling")).unwrap();
        symlink("../outside", at("a.tmp")).unwrap();
        for name in ["link", "dangling"] {
            let error = must_be_plain(&at(name)).unwrap_err();
            assert!(error.contains("nothing is written through a link"), "{error}");
            assert!(Whole::create_plain(&at(name)).is_err() && write_anew(&at(name), b"x").is_err());
            assert!(Whole::create_with_suffix(&at(name), ".x").is_err());
        }
        assert!(Whole::create_with_suffix(&at("a"), ".tmp").is_err());
        assert!(must_be_plain(Path::new("/dev/null")).unwrap_err().contains("a device or a pipe"));
        assert!(must_be_plain(folder.path()).unwrap_err().contains("a folder"));
        // Other names of a file keep what they had.
        fs::hard_link(at("outside"), at("b.tmp")).unwrap();
        fs::hard_link(at("outside"), at("c")).unwrap();
        drop(Whole::create_with_suffix(&at("b"), ".tmp").unwrap());
        write_anew(&at("c"), b"new").unwrap();
        assert_eq!((fs::read(at("outside")).unwrap(), fs::read(at("c")).unwrap()), (b"mine".to_vec(), b"new".to_vec()));
    }

    #[test]
    fn what_is_read_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).unwrap();
        fs::write(at("in/a.png"), "").unwrap();
        fs::write(at("b.png"), "").unwrap();
        let (a, b, dotted) = (at("in/a.png"), at("b.png"), at("in/../in/./a.png"));
        let written =
            |path: &Path| Written::new([path.to_owned()]).unwrap().apart_from([&*a, Path::new("-")], "the files");
        assert_eq!(written(&b), Ok(()));
        assert_eq!(written(&at("a.png")), Ok(()), "the same name elsewhere");
        assert!(written(&dotted).unwrap_err().contains("is one of the files ("));
        // What is not there yet has a place, too.
        let new = Written::new([at("new.png")]).unwrap();
        assert!(new.apart_from([&*at("in/../new.png")], "the files").is_err());
        let twice = Written::new([a.clone(), dotted.clone()]).unwrap_err();
        assert!(twice.contains("two things cannot be written to one file"), "{twice}");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("in/a.png", at("soft")).unwrap();
            std::os::unix::fs::symlink("in", at("folder")).unwrap();
            fs::hard_link(&a, at("hard")).unwrap();
            for name in ["soft", "hard", "folder/a.png"] {
                written(&at(name)).unwrap_err();
            }
            let devices = ["/dev/null", "/dev/null"].map(PathBuf::from);
            assert_eq!(Written::new(devices).unwrap().apart_from([Path::new("/dev/null")], "the files"), Ok(()));
        }
    }
}
