//! The Nushell plugin: what a user types, turned into calls of the core, and what comes back turned into tables.
//!
//! A command is one file in [`commands`] and one line in [`commands::all`]. What several commands take is parsed in
//! `arguments` and `input`; every command runs behind `guard`, which answers Ctrl-C and panics for all of them.

mod arguments;
mod call;
mod command;
pub mod commands;
mod config;
mod errors;
mod files;
mod guard;
mod input;
mod parallel;
mod passphrase;
mod progress;

use nu_plugin::{Plugin, PluginCommand};

/// The plugin. It keeps no state: Nushell stops it whenever it is idle, and calls run side by side.
pub struct PqsigPlugin;

impl Plugin for PqsigPlugin {
    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn commands(&self) -> Vec<Box<dyn PluginCommand<Plugin = Self>>> {
        commands::all()
    }
}
