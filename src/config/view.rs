use toml::de::{DeArray, DeValue};

use crate::present::Times;

/// How the screen is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// What a row of Sessions tells at its right, from left to right.
    pub columns: Vec<Column>,
    /// How lists tell when something was.
    pub list_times: Times,
    /// How messages tell it.
    pub message_times: Times,
    /// How the width of a screen is shared by Sessions, Tree and Messages.
    pub widths: [u16; 3],
    /// The pane that one begins in.
    pub first_pane: FirstPane,
    /// Whether it begins with the whole screen.
    pub zoom: bool,
}

/// Something that a row of Sessions tells in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// How many messages there are.
    Messages,
    /// How many tokens they took.
    Tokens,
    /// What they cost.
    Cost,
    /// How large the file is.
    Size,
    /// When it was begun.
    Created,
    /// When somebody last said something.
    Modified,
}

/// A pane, by its place from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the panes")]
pub enum FirstPane {
    Sessions,
    Tree,
    Messages,
}

impl Default for View {
    fn default() -> Self {
        Self {
            columns: vec![Column::Messages, Column::Modified],
            list_times: Times::Age,
            message_times: Times::Clock,
            widths: [28, 34, 38],
            first_pane: FirstPane::Sessions,
            zoom: false,
        }
    }
}

/// A setting: its name, and how its value is taken over. It fails with what the value must be.
type Setting = (&'static str, fn(&mut View, &DeValue<'_>) -> Result<(), String>);

/// All settings of the view.
pub(super) const SETTINGS: [Setting; 6] = [
    ("columns", |view, value| {
        let all =
            value.as_array().and_then(|list| texts(list)).ok_or_else(|| must_be(&COLUMNS, "a list of "))?;
        view.columns = all.into_iter().map(|name| named(name, &COLUMNS)).collect::<Result<_, _>>()?;
        Ok(())
    }),
    ("list-times", |view, value| chosen(value, &TIMES).map(|times| view.list_times = times)),
    ("message-times", |view, value| chosen(value, &TIMES).map(|times| view.message_times = times)),
    ("widths", |view, value| {
        let number = |value: &DeValue<'_>| {
            let number = value.as_integer()?;
            u16::from_str_radix(number.as_str(), number.radix())
                .ok()
                .filter(|number| (1..=1000).contains(number))
        };
        let numbers: Option<Vec<u16>> =
            value.as_array().and_then(|list| list.iter().map(|value| number(value.get_ref())).collect());
        let three = numbers.and_then(|numbers| <[u16; 3]>::try_from(numbers).ok());
        view.widths = three.ok_or("three numbers from 1 to 1000")?;
        Ok(())
    }),
    ("first-pane", |view, value| chosen(value, &PANES).map(|pane| view.first_pane = pane)),
    ("zoom", |view, value| {
        view.zoom = value.as_bool().ok_or("true or false")?;
        Ok(())
    }),
];

const COLUMNS: [(&str, Column); 6] = [
    ("messages", Column::Messages),
    ("tokens", Column::Tokens),
    ("cost", Column::Cost),
    ("size", Column::Size),
    ("created", Column::Created),
    ("modified", Column::Modified),
];
const TIMES: [(&str, Times); 3] = [("relative", Times::Age), ("clock", Times::Clock), ("iso", Times::Iso)];
const PANES: [(&str, FirstPane); 3] =
    [("sessions", FirstPane::Sessions), ("tree", FirstPane::Tree), ("messages", FirstPane::Messages)];

fn texts<'v>(list: &'v DeArray<'_>) -> Option<Vec<&'v str>> {
    list.iter().map(|value| value.get_ref().as_str()).collect()
}

fn chosen<T: Copy>(value: &DeValue<'_>, names: &[(&str, T)]) -> Result<T, String> {
    named(value.as_str().unwrap_or_default(), names)
}

fn named<T: Copy>(name: &str, names: &[(&str, T)]) -> Result<T, String> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| must_be(names, ""))
}

fn must_be<T>(names: &[(&str, T)], before: &str) -> String {
    let names: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    format!("{before}{}", names.join(", "))
}
