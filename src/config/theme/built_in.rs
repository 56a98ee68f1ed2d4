/// The file of one of pi's own themes. They are those of pi 1.6.0, which is under the MIT licence.
pub(super) fn source(name: &str) -> Option<&'static str> {
    match name {
        "dark" => Some(include_str!("../../../assets/themes/pi-dark.json")),
        "light" => Some(include_str!("../../../assets/themes/pi-light.json")),
        _ => None,
    }
}
