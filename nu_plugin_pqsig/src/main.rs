//! The program that Nushell starts. Everything is in the library, so that tests can load the plugin in process.

use nu_plugin::{MsgPackSerializer, serve_plugin};
use nu_plugin_pqsig::PqsigPlugin;

fn main() {
    serve_plugin(&PqsigPlugin, MsgPackSerializer);
}
