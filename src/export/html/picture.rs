use std::io;

use super::Html;
use crate::present::ImageFacts;

impl Html<'_> {
    /// Writes a picture where it is one that browsers show; of anything else only what it is said to be.
    pub(super) fn picture(&mut self, facts: &ImageFacts, base64: &str) -> io::Result<()> {
        let source = match &*facts.media_type {
            "image/png" => "src=\"data:image/png;base64,",
            "image/jpeg" => "src=\"data:image/jpeg;base64,",
            "image/gif" => "src=\"data:image/gif;base64,",
            "image/webp" => "src=\"data:image/webp;base64,",
            _ => "",
        };
        let words = facts.to_string();
        if source.is_empty() || !is_base64(base64) {
            return self.element("<p class=\"remark\">▣ ", &words, ", not shown</p>\n");
        }
        self.element("<figure><img alt=\"", &words, "\" ")?;
        if let Some((width, height)) = facts.pixels {
            self.element("width=\"", &width.to_string(), "\" ")?;
            self.element("height=\"", &height.to_string(), "\" ")?;
        }
        self.element(source, base64, "\">")?;
        self.element("<figcaption>", &words, "</figcaption></figure>\n")
    }
}

/// Whether a text is base64 and nothing else: whole groups of four, filled up at the end only.
fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    !digits.is_empty()
        && text.len().is_multiple_of(4)
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_whole() {
        for (text, wanted) in [
            ("AAAA", true),
            ("AA==", true),
            ("AAA=", true),
            ("a+/9", true),
            ("", false),
            ("====", false),
            ("AAA", false),
            ("A===", false),
            ("AA=A", false),
            ("AA A", false),
            ("AA\"A", false),
        ] {
            assert_eq!(is_base64(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn only_pictures_are_shown() {
        let written = |media_type: &str, data: &str| {
            let mut out = Vec::new();
            Html::new(&mut out).picture(&ImageFacts::new(media_type, data), data).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(
            written("image/png", "AAAA")
                .contains("<img alt=\"image/png 3 B\" src=\"data:image/png;base64,AAAA\">")
        );
        for (media_type, data) in [
            ("image/svg+xml", "AAAA"),
            ("text/html", "AAAA"),
            ("image/png", "\" onload=x"),
            ("IMAGE/PNG\"", "AAAA"),
        ] {
            let html = written(media_type, data);
            assert!(!html.contains("<img") && html.contains("not shown"), "{html}");
        }
    }
}
