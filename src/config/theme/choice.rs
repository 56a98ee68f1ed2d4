use std::path::PathBuf;
use std::sync::Arc;

use super::PiTheme;

/// Where the colours come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// Our own on a dark background.
    Dark,
    /// Our own on a light background.
    Light,
    /// The terminal's sixteen.
    System,
    /// A theme of pi.
    Pi(Arc<PiTheme>),
}

/// Which colours there are to be on a light terminal and on a dark one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeChoice {
    /// On a light one.
    pub light: Look,
    /// On a dark one.
    pub dark: Look,
}

impl Default for ThemeChoice {
    fn default() -> Self {
        Self { light: Look::Light, dark: Look::Dark }
    }
}

impl ThemeChoice {
    /// What the words of our setting come to, where pi's settings say `pi` and the person's themes lie in `folders`:
    /// `auto` (pi's where one is set, else our own), `pi`, `piscope`, `piscope-dark`, `piscope-light`, or what pi takes
    /// for a theme: `system`, the name of one, or two of them as `light/dark`.
    ///
    /// # Errors
    /// There is no such theme, or it is broken, in words.
    pub(crate) fn of(setting: Option<&str>, pi: Option<&str>, folders: &[PathBuf]) -> Result<Self, String> {
        let always = |look: Look| Self { light: look.clone(), dark: look };
        match (setting.unwrap_or("auto"), pi) {
            ("piscope", _) | ("auto", None) => Ok(Self::default()),
            ("piscope-dark", _) => Ok(always(Look::Dark)),
            ("piscope-light", _) => Ok(always(Look::Light)),
            ("pi", None) => Ok(always(Look::System)),
            ("auto" | "pi", Some(name)) | (name, _) => Self::of_pi(name, folders),
        }
    }

    fn of_pi(name: &str, folders: &[PathBuf]) -> Result<Self, String> {
        let (light, dark) = match name.split_once('/') {
            None => (name, name),
            Some((light, dark)) => (light.trim(), dark.trim()),
        };
        if light.is_empty() || dark.is_empty() || dark.contains('/') {
            return Err(format!("`{name}` names no theme, and no two as in `light/dark`"));
        }
        let find = |name: &str| match name {
            "system" => Ok(Look::System),
            name => PiTheme::find(name, folders).map(|theme| Look::Pi(Arc::new(theme))),
        };
        Ok(Self { light: find(light)?, dark: find(dark)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_setting_goes_before_pis_and_both_name_pis_themes() {
        let folder = tempfile::tempdir().unwrap();
        let name = |look: Look| match look {
            Look::Pi(theme) => theme.name.clone(),
            other => format!("{other:?}"),
        };
        let chosen = |setting, pi| match ThemeChoice::of(setting, pi, &[folder.path().to_owned()]) {
            Ok(ThemeChoice { light, dark }) => format!("{} {}", name(light), name(dark)),
            Err(reason) => reason,
        };
        for (setting, pi, expected) in [
            (None, None, "Light Dark"),
            (None, Some("dark"), "dark dark"),
            (Some("auto"), Some("light / dark"), "light dark"),
            (Some("pi"), None, "System System"),
            (Some("pi"), Some("system"), "System System"),
            (Some("pi"), Some("light"), "light light"),
            (Some("piscope"), Some("dark"), "Light Dark"),
            (Some("piscope-dark"), Some("dark"), "Dark Dark"),
            (Some("piscope-light"), None, "Light Light"),
            (Some("light"), Some("dark"), "light light"),
            (Some("system"), None, "System System"),
            (None, Some("system/dark"), "System dark"),
            (Some("mine"), None, "there is no theme `mine`"),
            (None, Some("a/b/c"), "`a/b/c` names no theme, and no two as in `light/dark`"),
            (None, Some("/dark"), "`/dark` names no theme, and no two as in `light/dark`"),
        ] {
            assert_eq!(chosen(setting, pi), expected, "{setting:?} {pi:?}");
        }
    }
}
