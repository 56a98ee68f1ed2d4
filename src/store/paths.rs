use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

/// Returns the name of the folder in which pi keeps the sessions of a working directory: one leading
/// separator dropped, every `/`, `\` and `:` turned into `-`, and `--` put around it.
///
/// `cwd` must be absolute; it is normalised here (`..`, trailing separators), links are not resolved. The
/// encoding is lossy: `/a:b/c` and `/a/b/c` share a folder. So never decode a folder name; the working
/// directory of a session is the one in its header.
pub fn encode_cwd(cwd: &Path) -> String {
    let cwd = normalize(cwd);
    let text = cwd.to_string_lossy();
    let bare = text.strip_prefix(['/', '\\']).unwrap_or(&text);
    format!("--{}--", bare.replace(['/', '\\', ':'], "-"))
}

/// Shortens the home directory at the start of an absolute path to `~`, for people to read.
pub fn shorten_home<'t>(path: &'t str, home: &Path) -> Cow<'t, str> {
    let Some(home) = home.to_str().map(|home| home.trim_end_matches('/')).filter(|home| !home.is_empty())
    else {
        return Cow::Borrowed(path);
    };
    match path.strip_prefix(home) {
        Some("") => Cow::Borrowed("~"),
        Some(rest) if rest.starts_with(['/', '\\']) => Cow::Owned(format!("~{rest}")),
        _ => Cow::Borrowed(path),
    }
}

/// Makes a path absolute as pi does for the paths people give it: a leading `~` or `~/` is the home directory
/// (`~user` is not), a `file://` URL is its path, anything relative is below `base`.
pub(super) fn absolute(path: &Path, home: &Path, base: &Path) -> PathBuf {
    if let Ok(rest) = path.strip_prefix("~") {
        return if rest.as_os_str().is_empty() { home.to_owned() } else { home.join(rest) };
    }
    match path.to_str().and_then(file_url) {
        Some(path) => base.join(path),
        None => base.join(path),
    }
}

/// Resolves `.` and `..` by text alone and drops repeated and trailing separators, as Node's `path.resolve`
/// does.
pub(super) fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// A path by which two names of one file are recognised: links resolved, or, where there is no such file,
/// the text made absolute and normalised.
pub fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| normalize(path))
}

/// True for a path with a drive letter or a server name, which is absolute although this system may not see
/// it so.
pub(crate) fn is_windows_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    text.starts_with("\\\\")
        || (bytes.len() > 2
            && bytes[0].is_ascii_alphabetic()
            && bytes[1] == b':'
            && matches!(bytes[2], b'\\' | b'/'))
}

/// The path of a `file://` URL of this machine, percent signs resolved.
fn file_url(url: &str) -> Option<PathBuf> {
    let rest = url.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%')
            .then(|| after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok()))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    Some(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_directory_is_encoded_as_pi_does() {
        for (cwd, folder) in [
            ("/home/u/proj", "--home-u-proj--"),
            ("/", "----"),
            ("/a:b/c", "--a-b-c--"),
            ("/a/b/c", "--a-b-c--"),
            ("/a b/ü", "--a b-ü--"),
            ("/home/dev/trail/", "--home-dev-trail--"),
            ("//srv//x", "--srv-x--"),
            ("/a/../b/./c", "--b-c--"),
            ("/a\\b", "--a-b--"),
            ("/..", "----"),
        ] {
            assert_eq!(encode_cwd(Path::new(cwd)), folder, "{cwd}");
        }
    }

    #[test]
    fn paths_that_people_give_are_made_absolute() {
        let at = |text: &str| absolute(Path::new(text), Path::new("/home/u"), Path::new("/work"));
        for (text, path) in [
            ("~", "/home/u"),
            ("~/x/y", "/home/u/x/y"),
            ("~other/x", "/work/~other/x"),
            ("file:///a%20b/c", "/a b/c"),
            ("file://localhost/a?b#c", "/a"),
            ("file:///100%", "/100%"),
            ("file://elsewhere/a", "/work/file://elsewhere/a"),
            ("rel/x", "/work/rel/x"),
            ("/abs", "/abs"),
            (" /odd ", "/work/ /odd "),
        ] {
            assert_eq!(at(text), Path::new(path), "{text}");
        }
    }

    #[test]
    fn home_is_shortened_only_as_a_whole_name() {
        let short = |path| shorten_home(path, Path::new("/home/u"));
        assert_eq!(short("/home/u"), "~");
        assert_eq!(short("/home/u/p"), "~/p");
        assert_eq!(short("/home/user"), "/home/user");
        assert_eq!(short("C:\\x"), "C:\\x");
        assert_eq!(shorten_home("/x", Path::new("/")), "/x");
    }
}
