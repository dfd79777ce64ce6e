//! The clipboard of the desktop: a picture in, FENs out.
//!
//! Where windows are drawn by X11 nothing keeps what a program has copied: the program itself must hand it out until
//! something else is copied. So there [`copy`] leaves a small copy of this program behind ([`serve`]) which does only
//! that, apart from the terminal, and ends when its text is replaced or the desktop session ends.

use std::env;

use arboard::{Clipboard, Error};
use fenlens::{Error as PictureError, Limits, Picture};

use crate::cli::{exit::Exit, output};

/// The name of a picture from the clipboard, where others have a path.
pub const NAME: &str = "clipboard";

/// Makes sure that there is a clipboard.
///
/// # Errors
/// In words, and what to do instead.
pub fn check() -> Result<(), String> {
    Clipboard::new().map(drop).map_err(|error| unreachable(&error))
}

fn unreachable(error: &Error) -> String {
    let why = match env::var_os("DISPLAY") {
        _ if !X11 => error.to_string(),
        None => "there is no display ($DISPLAY is not set)".to_owned(),
        Some(name) => format!("the display {} cannot be reached", name.to_string_lossy().escape_debug()),
    };
    format!(
        "no clipboard: {why}; run this within a desktop session, or leave out --clipboard and --copy: \
         pictures are read from files and from standard input (-) too, and FENs are printed"
    )
}

/// The picture in the clipboard.
///
/// # Errors
/// [`PictureError::Read`] when there is none, [`PictureError::TooLarge`].
pub fn picture(limits: &Limits) -> Result<Picture, PictureError> {
    let failed = |words: String| PictureError::Read { source: std::io::Error::other(words) };
    let mut clipboard = Clipboard::new().map_err(|error| failed(unreachable(&error)))?;
    // The owner of a large picture hands it over in pieces, and a late piece is reported as missing.
    let mut got = clipboard.get_image();
    for _ in 0..2 {
        if let Err(Error::ContentNotAvailable) = got {
            got = clipboard.get_image();
        }
    }
    let image = match got {
        Ok(image) => image,
        Err(Error::ConversionFailure) => {
            return Err(failed("what is in the clipboard is no picture that can be read".to_owned()));
        }
        // Not every owner that has only text says so when it is asked for a picture.
        Err(_) if clipboard.get_text().is_ok() => {
            return Err(failed("there is text in the clipboard, not a picture".to_owned()));
        }
        Err(Error::ContentNotAvailable) => {
            return Err(failed("there is no picture in the clipboard; copy one first".to_owned()));
        }
        Err(other) => return Err(failed(other.to_string())),
    };
    let (limit, actual) = (limits.pixels, image.width as u64 * image.height as u64);
    if actual > limit {
        return Err(PictureError::TooLarge { what: "pixels", limit, actual });
    }
    if actual == 0 {
        return Err(failed("the picture in the clipboard is empty".to_owned()));
    }
    Ok(Picture::from_rgba(image.width, image.height, &image.bytes))
}

/// Puts a text into the clipboard, where it stays when this program has ended.
///
/// # Errors
/// In words.
pub fn copy(text: &str) -> Result<(), String> {
    keep::copy(text).map_err(|error| format!("the clipboard could not be set: {error}"))
}

/// Runs the command that [`copy`] leaves behind: hands out the text on standard input to whoever pastes it, until
/// something else is copied.
pub fn serve() -> Exit {
    match keep::serve() {
        Ok(()) => Exit::Success,
        Err(message) => output::failure(message),
    }
}

/// Whether the clipboard is that of X11.
const X11: bool = cfg!(all(unix, not(any(target_os = "macos", target_os = "android", target_os = "emscripten"))));

#[cfg(all(unix, not(any(target_os = "macos", target_os = "android", target_os = "emscripten"))))]
mod keep {
    use std::{
        env, io,
        io::{Read, Write},
        os::unix::process::CommandExt,
        process,
        process::{Command, Stdio},
        thread,
        time::{Duration, Instant},
    };

    use arboard::{Clipboard, Error, SetExtLinux};

    /// How long the desktop may take to show what was copied.
    const PATIENCE: Duration = Duration::from_secs(5);

    pub fn copy(text: &str) -> Result<(), String> {
        // A process group of its own: Ctrl-C in the terminal is meant for others.
        let mut server = Command::new(env::current_exe().map_err(|error| error.to_string())?)
            .arg("serve-clipboard")
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut input = server.stdin.take().ok_or("no pipe to the server")?;
        input.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
        drop(input);
        // The text is copied when it can be pasted.
        let mut clipboard = Clipboard::new().map_err(|error| error.to_string())?;
        let start = Instant::now();
        while clipboard.get_text().ok().as_deref() != Some(text) {
            if server.try_wait().map_err(|error| error.to_string())?.is_some() || start.elapsed() > PATIENCE {
                let _ = server.kill();
                return Err("no answer".to_owned());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    pub fn serve() -> Result<(), String> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map_err(|error| error.to_string())?;
        let mut clipboard = Clipboard::new().map_err(|error| error.to_string())?;
        // The wait below does not end when the desktop does.
        let mut watch = Clipboard::new().map_err(|error| error.to_string())?;
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_secs(5));
                if let Err(Error::Unknown { .. }) = watch.get_text() {
                    process::exit(0);
                }
            }
        });
        clipboard.set().wait().text(text).map_err(|error| error.to_string())
    }
}

#[cfg(not(all(unix, not(any(target_os = "macos", target_os = "android", target_os = "emscripten")))))]
mod keep {
    use arboard::Clipboard;

    pub fn copy(text: &str) -> Result<(), String> {
        Clipboard::new().and_then(|mut clipboard| clipboard.set_text(text)).map_err(|error| error.to_string())
    }

    pub fn serve() -> Result<(), String> {
        // The system keeps what was copied.
        Ok(())
    }
}
