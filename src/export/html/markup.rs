use std::io;

/// Writes HTML: markup as it is, texts escaped.
pub(super) struct Html<'o> {
    out: &'o mut dyn io::Write,
    /// Bytes of code that may still be coloured.
    pub(super) colours: usize,
}

/// More code is not coloured: it takes a hundred times as long as to write it, and a document of that much of it is not
/// read line by line.
const MOST_COLOURED: usize = 2 * 1024 * 1024;

impl<'o> Html<'o> {
    pub(super) fn new(out: &'o mut dyn io::Write) -> Self {
        Self { out, colours: MOST_COLOURED }
    }

    /// Writes markup of our own. That it is a literal keeps out all that comes from a file.
    pub(super) fn markup(&mut self, markup: &'static str) -> io::Result<()> {
        self.out.write_all(markup.as_bytes())
    }

    /// Writes a text, in an element or in an attribute between double quotes.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            let (before, behind) = rest.split_at(at);
            self.out.write_all(before.as_bytes())?;
            self.out.write_all(match behind.as_bytes().first() {
                Some(b'&') => b"&amp;",
                Some(b'<') => b"&lt;",
                Some(b'>') => b"&gt;",
                Some(b'"') => b"&quot;",
                _ => b"&#39;",
            })?;
            rest = &behind[1..];
        }
        self.out.write_all(rest.as_bytes())
    }

    /// Writes a text between markup.
    pub(super) fn element(&mut self, open: &'static str, text: &str, close: &'static str) -> io::Result<()> {
        self.markup(open)?;
        self.text(text)?;
        self.markup(close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_that_means_something_is_escaped() {
        for (text, wanted) in [
            ("", ""),
            ("plain ü\n", "plain ü\n"),
            ("<b a=\"1\" c='2'>&amp;", "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"),
            ("a<", "a&lt;"),
        ] {
            let mut out = Vec::new();
            Html::new(&mut out).element("<p>", text, "</p>").unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), format!("<p>{wanted}</p>"));
        }
    }
}
