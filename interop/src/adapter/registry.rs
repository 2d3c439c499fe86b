//! The adapters that come with pqsig, and where they are.
//!
//! `interop/adapters/README.md` describes the `adapter.json` of each.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;

use super::Launch;
use super::launch::find_program;
use crate::record::Skipped;

/// The variable that names the folder of the adapters.
pub const FOLDER_VARIABLE: &str = "PQSIG_ADAPTERS";

/// The folder of the adapters: the given one; else the one that `PQSIG_ADAPTERS` names; else `interop/adapters` of the
/// source tree that the running program was built in (from the folder of its file upwards), or that one works in
/// (from the current folder upwards).
///
/// # Errors
/// A named folder that is none, or the places without one.
pub fn folder(given: Option<&Path>) -> Result<PathBuf, String> {
    let named = given
        .map(Path::to_owned)
        .or_else(|| env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty()).map(PathBuf::from));
    if let Some(named) = named {
        return if named.is_dir() { Ok(named) } else { Err(format!("{} is no folder", named.display())) };
    }
    let starts = [env::current_exe(), env::current_dir()];
    starts.into_iter().flatten().find_map(|start| above(&start)).ok_or_else(|| {
        format!(
            "there is no interop/adapters above this program or the current folder: name it with --adapters or {FOLDER_VARIABLE}"
        )
    })
}

fn above(start: &Path) -> Option<PathBuf> {
    start.ancestors().map(|folder| folder.join("interop").join("adapters")).find(|folder| folder.is_dir())
}

/// The adapters in a folder, in the order of their names: what starts each, or why it can't be had.
///
/// # Errors
/// A folder that can't be read.
pub fn shipped(folder: &Path) -> Result<Vec<Result<Launch, Skipped>>, String> {
    let unreadable = |error| format!("{}: {error}", folder.display());
    // Absolute, so that adapters find their files wherever they are started from.
    let folder = std::path::absolute(folder).map_err(unreadable)?;
    let mut homes: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&folder).map_err(unreadable)? {
        let home = entry.map_err(unreadable)?.path();
        if home.join(DESCRIPTION).is_file() {
            homes.push(home);
        }
    }
    homes.sort();
    let found = homes.iter().map(|home| {
        let name = home.file_name().unwrap_or_default().to_string_lossy().into_owned();
        describe(home, &name).map_err(|why| Skipped { peer: name, why })
    });
    Ok(found.collect())
}

const DESCRIPTION: &str = "adapter.json";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: String,
    command: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    needs: String,
}

fn describe(home: &Path, folder_name: &str) -> Result<Launch, String> {
    let in_description = |error: String| format!("{DESCRIPTION}: {error}");
    let text = fs::read(home.join(DESCRIPTION)).map_err(|error| in_description(error.to_string()))?;
    let description: Description =
        serde_json::from_slice(&text).map_err(|error| in_description(error.to_string()))?;
    let Description { name, command, environment, needs } = description;
    if name != folder_name {
        return Err(in_description(format!("it calls itself `{name}` in the folder `{folder_name}`")));
    }
    let places = Places::of(home).map_err(in_description)?;
    let missing = |what: String, remedy: &str| format!("{what}: {remedy} (it needs {needs})");
    let mut words = Vec::new();
    for word in &command {
        let filled = places.fill(word).map_err(in_description)?;
        if let Some(remedy) = remedy(word) {
            let path = Path::new(&filled);
            if !path.exists() {
                return Err(missing(format!("{} is not there", path.display()), remedy));
            }
        }
        words.push(filled);
    }
    let mut words = words.into_iter();
    let program = words.next().ok_or_else(|| in_description("the command is empty".to_owned()))?;
    find_program(Path::new(&program)).map_err(|what| missing(what, SET_UP))?;
    let mut launch = Launch::new(&name, program).map_err(in_description)?;
    launch.arguments = words.map(OsString::from).collect();
    for (variable, value) in environment {
        let value = places.fill(&value).map_err(in_description)?;
        launch.environment.push((variable.into(), value.into()));
    }
    Ok(launch)
}

const SET_UP: &str = "run scripts/adapters.sh";

/// What a person does when a path that begins so is missing; `None` for a word that is no path of ours.
fn remedy(word: &str) -> Option<&'static str> {
    match word {
        _ if word.starts_with("{here}") || word.starts_with("{tools}") => Some(SET_UP),
        _ if word.starts_with("{programs}") => Some("run cargo build --release -p pqsig-interop"),
        _ => None,
    }
}

/// What the placeholders stand for.
struct Places([(&'static str, String); 5]);

impl Places {
    fn of(home: &Path) -> Result<Self, String> {
        let text = |path: &Path| {
            path.to_str().map(str::to_owned).ok_or_else(|| format!("{} is not UTF-8", path.display()))
        };
        // interop/adapters/NAME -> target/adapters
        let root = home.ancestors().nth(3).unwrap_or(home);
        let bin = if cfg!(windows) { "Scripts" } else { "bin" };
        Ok(Places([
            ("here", text(home)?),
            ("tools", text(&root.join("target").join("adapters"))?),
            ("programs", text(&programs()?)?),
            ("bin", bin.to_owned()),
            ("exe", env::consts::EXE_SUFFIX.to_owned()),
        ]))
    }

    fn fill(&self, word: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) =
                after.split_once('}').ok_or_else(|| format!("`{word}` has no closing brace"))?;
            let place = self.0.iter().find(|(known, _)| *known == name);
            let (_, value) = place.ok_or_else(|| format!("`{{{name}}}` is no placeholder"))?;
            filled.push_str(before);
            filled.push_str(value);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

/// The folder of the running program. Cargo runs tests from `deps` below it.
fn programs() -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let folder = program.parent().unwrap_or(&program);
    let folder = if folder.ends_with("deps") { folder.parent().unwrap_or(folder) } else { folder };
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, name: &str, description: &str) {
        let home = root.join("interop/adapters").join(name);
        fs::create_dir_all(&home).unwrap();
        fs::write(home.join(DESCRIPTION), description).unwrap();
    }

    #[test]
    fn what_is_there_starts_and_what_is_missing_is_skipped_with_its_remedy() {
        let root = tempfile::tempdir().unwrap();
        let program = env::current_exe().unwrap();
        let own = program.to_str().unwrap().replace('\\', "/");
        let good = format!(
            r#"{{"name":"good","command":["{own}","{{here}}/adapter.json","{{tools}}","-x"],
                "environment":{{"A":"{{tools}}/lib{{exe}}"}},"needs":"nothing"}}"#
        );
        write(root.path(), "good", &good);
        write(root.path(), "tool", r#"{"name":"tool","command":["{tools}/p"],"needs":"P 2"}"#);
        write(root.path(), "built", r#"{"name":"built","command":["{programs}/none{exe}"],"needs":"P"}"#);
        write(root.path(), "path", r#"{"name":"path","command":["no-such-program"],"needs":"P"}"#);
        write(root.path(), "brace", r#"{"name":"brace","command":["{home}/p"],"needs":"P"}"#);
        write(root.path(), "other", r#"{"name":"another","command":["p"],"needs":"P"}"#);
        write(root.path(), "openssl", &good.replace("good", "openssl"));
        write(root.path(), "torn", r#"{"name":"#);
        let adapters = root.path().join("interop/adapters");
        fs::create_dir_all(adapters.join("not-one")).unwrap();
        fs::create_dir_all(root.path().join("target/adapters")).unwrap();

        let found = shipped(&adapters).unwrap();
        assert_eq!(found.len(), 8);
        let why = |name: &str| {
            let skipped = found.iter().filter_map(|found| found.as_ref().err());
            skipped.into_iter().find(|skipped| skipped.peer == name).unwrap().why.clone()
        };
        assert!(why("tool").contains("run scripts/adapters.sh (it needs P 2)"));
        assert!(why("built").contains("cargo build --release -p pqsig-interop"));
        assert!(why("path").contains("`no-such-program` is not on the PATH: run scripts/adapters.sh"));
        assert!(why("brace").contains("`{home}` is no placeholder"));
        assert!(why("other").contains("calls itself `another`"));
        assert!(why("openssl").contains("in-process backend"));
        assert!(why("torn").contains("adapter.json: EOF"));

        let [launch] = &found.iter().flatten().collect::<Vec<_>>()[..] else { panic!("{found:?}") };
        let tools = root.path().join("target").join("adapters");
        assert_eq!(launch.name, "good");
        assert_eq!(launch.arguments[1], tools.as_os_str());
        assert_eq!(launch.arguments[2], "-x");
        assert_eq!(launch.environment[0].0, "A");
        assert!(Path::new(&launch.environment[0].1).starts_with(&tools));
    }

    #[test]
    fn the_folder_is_the_given_one_or_that_of_the_source_tree() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(folder(Some(root.path())).unwrap(), root.path());
        assert!(folder(Some(&root.path().join("none"))).unwrap_err().contains("is no folder"));
        if env::var_os(FOLDER_VARIABLE).is_none() {
            let shipped = shipped(&folder(None).unwrap()).unwrap();
            assert!(!shipped.is_empty());
        }
    }
}
