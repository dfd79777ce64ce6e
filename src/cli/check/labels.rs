//! Which pictures there are and what is labeled on them: tables, files beside the pictures, names of pictures.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use fenlens::evaluate::{Label, LabelError};
use sha2::{Digest, Sha256};

use crate::cli::{files, files::is_picture, output, readers};

/// The table of a folder. Where there is one, other labels in the folder do not count.
const TABLE: &str = "manifest.csv";

/// A picture and its label.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name of the folder or table the label comes from.
    pub family: String,
    /// The picture's name within the family, the same on every machine.
    pub name: String,
    /// Where the picture is.
    pub picture: PathBuf,
    /// The boards it has.
    pub label: Label,
    /// The file the label was read from; the picture itself when its name is the label.
    pub source: PathBuf,
    /// The line of a table.
    pub line: Option<u64>,
}

impl Case {
    /// The name of the picture among all families.
    pub fn key(&self) -> String {
        format!("{}/{}", self.family, self.name)
    }
}

/// All labeled pictures, families one after the other in the order in which they are first named.
#[derive(Debug, Default)]
pub struct Cases {
    /// The pictures.
    pub cases: Vec<Case>,
    /// Pictures in the folders given for which there is no label.
    pub unlabeled: Vec<PathBuf>,
}

/// Reads all labels and finds their pictures, in `pictures` where they are not beside their labels.
///
/// # Errors
/// Every error, at once: a set must not be measured in part.
pub fn collect(arguments: &[PathBuf], pictures: Option<&Path>) -> Result<Cases, Vec<String>> {
    let mut collector = Collector::default();
    if let Some(folder) = pictures {
        collector.elsewhere = Some(Shelf::of(folder, true).map_err(|error| vec![error])?);
    }
    for argument in arguments {
        match expand(argument) {
            Ok(paths) => paths.iter().for_each(|path| collector.add(path)),
            Err(error) => collector.errors.push(error),
        }
    }
    collector.finish()
}

/// The paths of an argument: the argument itself where it exists, else all that match it as a pattern.
fn expand(argument: &Path) -> Result<Vec<PathBuf>, String> {
    if argument.exists() {
        return Ok(vec![argument.to_owned()]);
    }
    let missing = || at(argument, "no such file or folder");
    let pattern = argument.to_str().filter(|text| text.contains(['*', '?', '['])).ok_or_else(missing)?;
    let found = glob::glob(pattern).map_err(|error| at(argument, error))?;
    let paths: Vec<PathBuf> = found.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    if paths.is_empty() { Err(at(argument, "nothing matches this pattern")) } else { Ok(paths) }
}

fn at(path: &Path, what: impl std::fmt::Display) -> String {
    format!("{}: {what}", output::show(path))
}

#[derive(Default)]
struct Collector {
    cases: Vec<Case>,
    unlabeled: Vec<PathBuf>,
    errors: Vec<String>,
    elsewhere: Option<Shelf>,
    /// The folders of labels whose pictures were listed.
    shelves: HashMap<PathBuf, Shelf>,
}

impl Collector {
    fn add(&mut self, path: &Path) {
        if path.is_dir() {
            return self.add_folder(path);
        }
        match extension(path).as_str() {
            "csv" => self.add_table(path),
            "json" | "fen" => self.add_sidecar(path),
            _ if is_picture(path) => match self.label_of(path) {
                Some(Named::Beside(file)) => self.add_sidecar(&file),
                Some(Named::ByName(label)) => self.add_named(path, label),
                None => self.errors.push(at(path, "no label: none beside the picture, no position in its name")),
            },
            _ => self.errors.push(at(path, "neither a table (.csv), a label (.json, .fen) nor a picture")),
        }
    }

    fn add_folder(&mut self, folder: &Path) {
        let mut walk = files::walk(folder, true);
        while let Some(entry) = walk.next() {
            match entry {
                Err(error) => self.errors.push(files::explain(&error)),
                Ok(entry) if files::is_folder(&entry) => {
                    let table = entry.path().join(TABLE);
                    if table.is_file() {
                        self.add_table(&table);
                        walk.skip_current_dir();
                    }
                }
                Ok(entry) => self.add_file_of_folder(entry.into_path()),
            }
        }
    }

    fn add_file_of_folder(&mut self, path: PathBuf) {
        if matches!(extension(&path).as_str(), "json" | "fen") {
            self.add_sidecar(&path);
        } else if is_picture(&path) {
            match self.label_of(&path) {
                Some(Named::Beside(_)) => {}
                Some(Named::ByName(label)) => self.add_named(&path, label),
                None => self.unlabeled.push(path),
            }
        }
    }

    fn add_table(&mut self, table: &Path) {
        if let Err(error) = self.read_table(table) {
            self.errors.push(at(table, error));
        }
    }

    fn read_table(&mut self, table: &Path) -> Result<(), String> {
        let text = read_text(table)?;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().map_err(|error| error.to_string())?.clone();
        let column = |name: &str| header.iter().position(|head| head.trim() == name);
        let required = |name: &str| column(name).ok_or_else(|| format!("there is no column {name:?}"));
        let (file, placement) = (required("file")?, required("placement")?);
        let orientation = column("orientation");
        let family = match table.file_name() {
            Some(name) if name != TABLE => stem(table),
            _ => folder_name(table),
        };
        let folder = table.parent().unwrap_or(Path::new(""));
        for (n, row) in reader.records().enumerate() {
            // An error of the parser names the line itself.
            let row = row.map_err(|error| error.to_string())?;
            let line = row.position().map_or(n as u64 + 2, csv::Position::line);
            let name = row.get(file).unwrap_or_default().trim();
            let sides = orientation.and_then(|column| row.get(column)).unwrap_or_default();
            let case = if name.is_empty() {
                Err("no file is named".to_owned())
            } else {
                Label::from_columns(row.get(placement).unwrap_or_default(), sides)
                    .map_err(|error| explain(&error))
                    .and_then(|label| Ok((self.find(folder, &Wanted::File(name), None)?, label)))
                    .map_err(|error| format!("{name}: {error}"))
            };
            match case {
                Ok((picture, label)) => self.cases.push(Case {
                    family: family.clone(),
                    name: name.replace('\\', "/"),
                    picture,
                    label,
                    source: table.to_owned(),
                    line: Some(line),
                }),
                Err(error) => self.errors.push(format!("{}:{line}: {error}", output::show(table))),
            }
        }
        Ok(())
    }

    fn add_sidecar(&mut self, file: &Path) {
        match self.read_sidecar(file) {
            Ok((picture, label)) => {
                // A picture that is found by its hash may have any name; that of the label is the same everywhere.
                let found = || picture.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let name = label.picture.clone().unwrap_or_else(found);
                let (family, source) = (folder_name(file), file.to_owned());
                self.cases.push(Case { family, name, picture, label, source, line: None });
            }
            Err(error) => self.errors.push(at(file, error)),
        }
    }

    fn read_sidecar(&mut self, file: &Path) -> Result<(PathBuf, Label), String> {
        let text = read_text(file)?;
        let label = if extension(file) == "json" { Label::from_json(&text) } else { Label::from_lines(&text) };
        let label = label.map_err(|error| explain(&error))?;
        let stem = stem(file);
        let wanted = label.picture.as_deref().map_or(Wanted::Stem(&stem), Wanted::File);
        let folder = file.parent().unwrap_or(Path::new(""));
        let picture = self.find(folder, &wanted, label.sha256.as_deref())?;
        let twin = file.with_extension(if extension(file) == "json" { "fen" } else { "json" });
        if twin.is_file() {
            return Err(format!("{} labels the same picture", output::show(&twin)));
        }
        Ok((picture, label))
    }

    fn add_named(&mut self, picture: &Path, label: Result<Label, LabelError>) {
        match label {
            Ok(label) => self.cases.push(Case {
                family: folder_name(picture),
                name: picture.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                picture: picture.to_owned(),
                label,
                source: picture.to_owned(),
                line: None,
            }),
            Err(error) => self.errors.push(at(picture, explain(&error))),
        }
    }

    /// The label of a picture, if it has one.
    fn label_of(&self, picture: &Path) -> Option<Named> {
        let beside = ["json", "fen"].into_iter().flat_map(|ending| {
            let mut whole = picture.as_os_str().to_owned();
            whole.push(format!(".{ending}"));
            [picture.with_extension(ending), PathBuf::from(whole)]
        });
        if let Some(file) = beside.into_iter().find(|file| file.is_file()) {
            return Some(Named::Beside(file));
        }
        Label::from_file_name(&stem(picture)).map(Named::ByName)
    }

    /// The picture of a label: beside the label by its name, then elsewhere by its name, then elsewhere by its hash. A
    /// picture that was labeled by its hash must have it.
    fn find(&mut self, folder: &Path, wanted: &Wanted, sha256: Option<&str>) -> Result<PathBuf, String> {
        let beside = match wanted {
            // For a known name, a folder of thousands of pictures need not be listed.
            Wanted::File(name) => Some(folder.join(name)).filter(|path| path.is_file()),
            Wanted::Stem(_) => {
                if !self.shelves.contains_key(folder) {
                    self.shelves.insert(folder.to_owned(), Shelf::of(folder, false)?);
                }
                self.shelves.get(folder).map_or(Ok(None), |shelf| shelf.by_name(wanted))?
            }
        };
        let mut refused = None;
        if let Some(path) = beside {
            match sha256 {
                Some(sha256) if hash(&path)? != sha256 => refused = Some(path),
                _ => return Ok(path),
            }
        }
        if let Some(shelf) = &self.elsewhere {
            if let Some(sha256) = sha256 {
                if let Some(path) = shelf.by_hash(sha256)? {
                    return Ok(path.to_owned());
                }
            } else if let Some(path) = shelf.by_name(wanted)? {
                return Ok(path);
            }
        }
        Err(match (refused, wanted) {
            (Some(path), _) => {
                format!("{} is not the picture that was labeled: its SHA-256 is another", output::show(&path))
            }
            (None, Wanted::File(name)) => format!("there is no picture {}", output::show(Path::new(name))),
            (None, Wanted::Stem(stem)) => format!("there is no picture of this label ({stem}.png, .jpg, ...)"),
        })
    }

    fn finish(mut self) -> Result<Cases, Vec<String>> {
        // A shell that expands `boards/*` names a picture and its label both: that is one case.
        let mut sources = HashSet::new();
        self.cases.retain(|case| sources.insert((case.source.clone(), case.line)));
        let used: HashSet<&PathBuf> = self.cases.iter().map(|case| &case.picture).collect();
        self.unlabeled.retain(|picture| !used.contains(picture));
        let mut families: HashMap<String, usize> = HashMap::new();
        for case in &self.cases {
            let next = families.len();
            families.entry(case.family.clone()).or_insert(next);
        }
        // Stable: within a family the order is that of the labels.
        self.cases.sort_by_key(|case| families.get(&case.family).copied());
        let mut seen: BTreeMap<(&str, &str), &Case> = BTreeMap::new();
        for case in &self.cases {
            if let Some(first) = seen.insert((&case.family, &case.name), case) {
                let (file, source) = (&case.name, |case: &Case| {
                    let line = case.line.map_or(String::new(), |line| format!(":{line}"));
                    format!("{}{line}", output::show(&case.source))
                });
                self.errors.push(format!(
                    "{}: {file} of {} has a label already, in {}",
                    source(case),
                    case.family,
                    source(first)
                ));
            }
        }
        if self.errors.is_empty() && self.cases.is_empty() {
            self.errors.push("no labeled picture was found".to_owned());
        }
        if self.errors.is_empty() {
            Ok(Cases { cases: self.cases, unlabeled: self.unlabeled })
        } else {
            Err(self.errors)
        }
    }
}

/// Where the label of a picture is.
enum Named {
    Beside(PathBuf),
    ByName(Result<Label, LabelError>),
}

/// The picture a label is of.
enum Wanted<'a> {
    /// Its file name.
    File(&'a str),
    /// Its file name without the ending.
    Stem(&'a str),
}

/// The pictures of a folder.
struct Shelf {
    folder: PathBuf,
    files: BTreeMap<String, Vec<PathBuf>>,
    hashes: OnceCell<HashMap<String, PathBuf>>,
}

impl Shelf {
    /// The pictures of a folder and, if it is `deep`, of all folders in it.
    ///
    /// # Errors
    /// In words, with the path of the folder that cannot be read.
    fn of(folder: &Path, deep: bool) -> Result<Shelf, String> {
        let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for entry in files::walk(folder, deep) {
            let path = entry.map_err(|error| files::explain(&error))?.into_path();
            if is_picture(&path) && !path.is_dir() {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.entry(stem(&path)).or_default().push(path.clone());
                // A label may also be named after the whole name, a.png.json.
                files.entry(name).or_default().push(path);
            }
        }
        Ok(Shelf { folder: folder.to_owned(), files, hashes: OnceCell::new() })
    }

    fn by_name(&self, wanted: &Wanted) -> Result<Option<PathBuf>, String> {
        let name = match wanted {
            Wanted::File(name) => {
                let path = self.folder.join(name);
                if path.is_file() {
                    return Ok(Some(path));
                }
                Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
            Wanted::Stem(stem) => (*stem).to_owned(),
        };
        match self.files.get(&name).map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([path]) => Ok(Some(path.clone())),
            Some([first, second, ..]) => {
                Err(format!("it could be of {} or of {}", output::show(first), output::show(second)))
            }
        }
    }

    fn by_hash(&self, sha256: &str) -> Result<Option<&PathBuf>, String> {
        if self.hashes.get().is_none() {
            let mut hashes = HashMap::new();
            for path in self.files.values().flatten() {
                // Of several copies, the first by name.
                hashes.entry(hash(path)?).or_insert_with(|| path.clone());
            }
            // It was empty, so this cannot fail.
            let _ = self.hashes.set(hashes);
        }
        Ok(self.hashes.get().and_then(|hashes| hashes.get(sha256)))
    }
}

/// The text of a label or a table.
fn read_text(path: &Path) -> Result<String, String> {
    readers::expect_file(path).map_err(|error| error.to_string())?;
    files::read_text(path)
}

/// The SHA-256 of a file in hexadecimal digits.
fn hash(path: &Path) -> Result<String, String> {
    let mut hasher = Sha256::new();
    let read = |hasher: &mut Sha256| {
        readers::expect_file(path)?;
        let mut file = fs::File::open(path)?;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match std::io::Read::read(&mut file, &mut buffer)? {
                0 => return Ok(()),
                n => hasher.update(&buffer[..n]),
            }
        }
    };
    read(&mut hasher).map_err(|error: std::io::Error| at(path, error))?;
    Ok(hex::encode(hasher.finalize()))
}

/// An error in a label, with its likely cause.
fn explain(error: &LabelError) -> String {
    use fenlens::games::placement::PlacementError;
    match error {
        LabelError::Placement { source: PlacementError::Ranks(10), .. } => {
            format!("{error} (pictures of xiangqi are not read yet)")
        }
        _ => error.to_string(),
    }
}

/// The name of the folder a file is in.
fn folder_name(file: &Path) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    // `.` and `..` have no names of their own.
    let real = || {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Some(fs::canonicalize(folder).ok()?.file_name()?.to_string_lossy().into_owned())
    };
    name.or_else(real).unwrap_or_else(|| "labels".to_owned())
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
