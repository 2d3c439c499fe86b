//! The commands, one per file.

mod algorithms;
mod backends;
mod info;
mod inspect;
mod interop;
mod keygen;
mod main_help;
mod public_key;
mod sign;
mod speed;
mod values;
mod verify;

use nu_plugin::PluginCommand;
use nu_protocol::{Category, Signature};

use crate::PqsigPlugin;
use crate::command::Command;
use crate::guard::Guarded;
use values::{bytes, strings};

/// Every command of the plugin.
#[must_use]
pub fn all() -> Vec<Box<dyn PluginCommand<Plugin = PqsigPlugin>>> {
    vec![
        guarded(main_help::MainHelp),
        guarded(info::Info),
        guarded(backends::Backends),
        guarded(algorithms::Algorithms),
        guarded(keygen::Keygen),
        guarded(public_key::PublicKey),
        guarded(inspect::Inspect),
        guarded(sign::Sign),
        guarded(verify::Verify),
        guarded(speed::Speed),
        guarded(interop::Interop),
    ]
}

fn guarded(command: impl Command) -> Box<dyn PluginCommand<Plugin = PqsigPlugin>> {
    Box::new(Guarded(command))
}

/// What every signature starts with.
fn signature(command: &impl Command) -> Signature {
    Signature::build(command.name()).category(Category::Custom("cryptography".to_owned()))
}
