//! Flags that several commands share.

use std::{env, io, io::IsTerminal, path::PathBuf};

use clap::ValueEnum;

/// Flags on how much is done at the same time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct JobsArgs {
    /// Pictures or pages read at the same time [default: one a core; at most 4 a core, or 16 if that is more]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Flags on what runs the networks.
#[derive(Debug, clap::Args)]
pub struct RuntimeArgs {
    /// Use the native ONNX Runtime library at this path [default: $ORT_DYLIB_PATH, else the built-in runtime]
    #[arg(long, value_name = "PATH")]
    pub runtime: Option<PathBuf>,
    /// Use the models of this folder rather than the built-in ones
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
}

/// Whether to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// For a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether what goes to standard output should be colored.
    pub fn for_stdout(self) -> bool {
        self.on(io::stdout().is_terminal())
    }

    /// Whether what goes to standard error should be colored.
    pub fn for_stderr(self) -> bool {
        self.on(io::stderr().is_terminal())
    }

    fn on(self, terminal: bool) -> bool {
        match self {
            // Any value but the empty one counts: https://no-color.org
            ColorChoice::Auto => terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        }
    }
}
