use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use super::Plan;
use crate::store::Environment;

/// A program that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program(PathBuf);

/// A program that is nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramNotFound {
    /// As it is called.
    pub name: PathBuf,
    /// The folders in which it was looked for.
    pub looked_in: Vec<PathBuf>,
}

impl Program {
    /// Looks for a program in the folders of `PATH`, or where its name says if that is a path.
    ///
    /// # Errors
    /// Where it is in none of them.
    pub fn find(name: &OsStr, environment: &Environment) -> Result<Self, ProgramNotFound> {
        let name = Path::new(name);
        let not_found = |looked_in| ProgramNotFound { name: name.to_owned(), looked_in };
        if name.components().count() != 1 {
            let path = environment.absolute(name);
            let folder = path.parent().map(Path::to_owned);
            return if is_program(&path) {
                Ok(Self(path))
            } else {
                Err(not_found(folder.into_iter().collect()))
            };
        }
        let path = environment.variable("PATH");
        let mut seen = HashSet::new();
        let folders: Vec<PathBuf> = path
            .into_iter()
            .flat_map(std::env::split_paths)
            .map(|folder| environment.cwd().join(folder))
            .filter(|folder| seen.insert(folder.clone()))
            .collect();
        match folders.iter().map(|folder| folder.join(name)).find(|path| is_program(path)) {
            Some(path) => Ok(Self(path)),
            None => Err(not_found(folders)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

impl Plan {
    /// Becomes the program: this process ends and the program takes its place, in the same job and terminal.
    /// Returns only to say why that failed. On systems where that does not exist the program runs as a child, and
    /// this process ends with its status.
    pub fn exec(&self, program: &Program) -> io::Error {
        let mut command = self.command(program);
        #[cfg(unix)]
        return std::os::unix::process::CommandExt::exec(&mut command);
        #[cfg(not(unix))]
        match command.status() {
            Ok(status) => std::process::exit(status.code().unwrap_or(1)),
            Err(error) => error,
        }
    }

    /// Runs the program and waits for its end.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn run(&self, program: &Program) -> io::Result<ExitStatus> {
        self.command(program).status()
    }

    fn command(&self, program: &Program) -> Command {
        let mut command = Command::new(program.path());
        command.args(self.argv.iter().skip(1)).current_dir(&self.cwd).envs(self.env.iter().cloned());
        // The shell's idea of the folder, which some programs trust.
        command.env("PWD", &self.cwd);
        command
    }
}

impl fmt::Display for ProgramNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folders: Vec<String> = self.looked_in.iter().map(|folder| folder.display().to_string()).collect();
        if folders.is_empty() {
            return write!(f, "{} was not found: PATH is empty", self.name.display());
        }
        write!(f, "{} was not found in {}", self.name.display(), folders.join(", "))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_program_is_a_file_that_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
        for folder in [&one, &two] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("pi"), "").unwrap();
        }
        fs::set_permissions(two.join("pi"), PermissionsExt::from_mode(0o755)).unwrap();
        let path = std::env::join_paths([&one, &two]).unwrap();
        let environment = Environment::new("/", folder.path()).with("PATH", path);
        let find = |name: &str| Program::find(OsStr::new(name), &environment);
        assert_eq!(find("pi").unwrap().path(), two.join("pi"));
        assert_eq!(find("./two/pi").unwrap().path(), folder.path().join("./two/pi"));
        let missing = find("pj").unwrap_err();
        assert_eq!(missing.looked_in, [one.clone(), two]);
        assert!(missing.to_string().starts_with(&format!("pj was not found in {}", one.display())));
        assert!(find("one/pi").is_err());
        let nowhere = Program::find(OsStr::new("pi"), &Environment::new("/", "/")).unwrap_err();
        assert_eq!(nowhere.to_string(), "pi was not found: PATH is empty");
    }
}
