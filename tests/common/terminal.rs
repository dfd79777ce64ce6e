//! A terminal that a test can type on and read: a pseudo-terminal, and a screen made of what is written to it.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::{
    ffi::OsStr,
    io::{Read, Write},
    sync::{Arc, Mutex},
    thread,
    thread::JoinHandle,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take on a machine that is busy with something else.
const PATIENCE: Duration = Duration::from_secs(180);

/// So tall that nothing is lost at the top.
const SIZE: PtySize = PtySize { rows: 120, cols: 110, pixel_width: 0, pixel_height: 0 };

/// What has been written so far.
struct Written {
    screen: vt100::Parser,
    bytes: Vec<u8>,
    closed: bool,
}

/// A program running on a terminal of its own.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    written: Arc<Mutex<Written>>,
    reader: Option<JoinHandle<()>>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Runs a program.
    pub fn run(program: impl AsRef<OsStr>, arguments: &[&OsStr], environment: &[(&str, &str)]) -> Terminal {
        let pair = native_pty_system().openpty(SIZE).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        command.env_remove("ORT_DYLIB_PATH");
        environment.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).unwrap();
        // The reader ends only when the last slave is closed.
        drop(pair.slave);
        let written = Written { screen: vt100::Parser::new(SIZE.rows, SIZE.cols, 0), bytes: Vec::new(), closed: false };
        let written = Arc::new(Mutex::new(written));
        let mut output = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let shared = Arc::clone(&written);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Linux ends a pseudo-terminal with an error.
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                let mut written = shared.lock().unwrap();
                written.screen.process(&buffer[..count]);
                written.bytes.extend_from_slice(&buffer[..count]);
            }
            shared.lock().unwrap().closed = true;
        });
        Terminal { child, keys, written, reader: Some(reader), _master: pair.master }
    }

    /// What can be seen.
    pub fn screen(&self) -> String {
        let text = self.written.lock().unwrap().screen.screen().contents();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }

    /// Everything written, escape sequences and all.
    pub fn bytes(&self) -> Vec<u8> {
        self.written.lock().unwrap().bytes.clone()
    }

    /// Waits until something can be seen.
    #[track_caller]
    pub fn see(&self, text: &str) {
        let start = Instant::now();
        loop {
            let closed = self.written.lock().unwrap().closed;
            let screen = self.screen();
            if screen.contains(text) {
                return;
            }
            assert!(!closed && start.elapsed() < PATIENCE, "{text:?} did not come; there is\n{screen}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types keys.
    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the end of the program: its exit code and the last screen.
    pub fn end(&mut self) -> (u32, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "no end; there is\n{}", self.screen());
            thread::sleep(Duration::from_millis(10));
        };
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        (status.exit_code(), self.screen())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A failed test must not leave a program behind that waits for keys.
        let _ = self.child.kill();
    }
}
