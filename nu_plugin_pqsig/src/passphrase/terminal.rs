//! The terminal, for a question whose answer is not shown.

use std::any::Any;
use std::fs::{File, OpenOptions};
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nu_plugin::EngineInterface;
use pqsig::{Error, SecretBytes};
use zeroize::Zeroizing;

use super::unavailable;
use crate::errors;

/// The terminal, while nobody else of this plugin talks to it.
pub(super) struct Terminal {
    // In this order they are dropped: the foreground is left before another call may enter it.
    _survival: CtrlCSurvival,
    _foreground: Foreground,
    _turn: MutexGuard<'static, ()>,
}

impl Terminal {
    /// `None` where there is no terminal.
    pub(super) fn open(engine: &EngineInterface) -> Result<Option<Self>, Error> {
        /// Two calls of `par-each` must not ask at once.
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);

        let Ok(device) = OpenOptions::new().read(true).write(true).open("/dev/tty") else { return Ok(None) };
        let survival = CtrlCSurvival::new().map_err(|error| unavailable(&errors::reason(&error)))?;
        let foreground = Foreground::enter(engine, &device)?;
        Ok(Some(Terminal { _survival: survival, _foreground: foreground, _turn: turn }))
    }

    /// The answer, which is not shown.
    #[expect(clippy::unused_self, reason = "only who holds the terminal may ask")]
    pub(super) fn ask(&self, prompt: &str) -> Result<SecretBytes, Error> {
        let answer = rpassword::prompt_password(prompt).map(|answer| Zeroizing::new(answer.into_bytes()));
        answer.map_err(|error| unavailable(&errors::reason(&error)))
    }
}

/// While it lives, the plugin is in the terminal's foreground. Anywhere else, reading would stop it like a background
/// job.
enum Foreground {
    /// In Nushell's own process group, which has the foreground: a script, `nu -c`, most lines at the prompt.
    ///
    /// Nushell's way is to move the foreground to the plugin and back. A Nushell that is not interactive does not
    /// survive moving it back: the system stops it (SIGTTOU), like anyone who does that from the background.
    #[cfg(unix)]
    Shell,
    /// Wherever Nushell puts it: a program in the same pipeline has the foreground.
    Nushell { _guard: Box<dyn Any> },
}

impl Foreground {
    fn enter(engine: &EngineInterface, device: &File) -> Result<Self, Error> {
        #[cfg(unix)]
        if shell::join(device).is_ok() {
            return Ok(Foreground::Shell);
        }
        let guard = engine.enter_foreground().map_err(|error| unavailable(&error.to_string()))?;
        Ok(Foreground::Nushell { _guard: Box::new(guard) })
    }
}

#[cfg(unix)]
impl Drop for Foreground {
    fn drop(&mut self) {
        if let Foreground::Shell = self {
            shell::leave();
        }
    }
}

/// Nushell's process group.
#[cfg(unix)]
mod shell {
    use std::fs::File;

    use nix::unistd::{Pid, getpgid, getppid, setpgid, tcgetpgrp};

    const SELF: Pid = Pid::from_raw(0);

    /// Joins it if it has the foreground.
    pub(super) fn join(device: &File) -> nix::Result<()> {
        let group = getpgid(Some(getppid()))?;
        if tcgetpgrp(device)? != group {
            return Err(nix::Error::EPERM);
        }
        setpgid(SELF, group)
    }

    /// Back into a group of its own, where the terminal's Ctrl-C does not reach: Nushell passes that on itself.
    pub(super) fn leave() {
        let _ = setpgid(SELF, SELF);
    }
}

/// While it lives, Ctrl-C at the prompt is an answer. By default it would end the plugin, and leave the terminal
/// without echo.
struct CtrlCSurvival(signal_hook::SigId);

impl CtrlCSurvival {
    fn new() -> io::Result<Self> {
        // The prompt itself reports Ctrl-C, so that the flag is never read.
        let flag = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGINT, flag).map(CtrlCSurvival)
    }
}

impl Drop for CtrlCSurvival {
    fn drop(&mut self) {
        signal_hook::low_level::unregister(self.0);
    }
}
