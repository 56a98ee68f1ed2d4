//! A look at a page that is stricter than any browser: every tag, attribute and address must be one that we write, and
//! every element must end where it should.

/// Elements that have no end.
const VOID: &[&str] = &["meta", "br", "hr", "img", "input"];
/// Elements that stand in running text.
const INLINE: &[&str] = &[
    "a",
    "b",
    "i",
    "u",
    "s",
    "em",
    "strong",
    "code",
    "span",
    "br",
    "ins",
    "del",
    "img",
    "input",
    "label",
    "legend",
    "title",
    "h1",
    "h2",
    "figcaption",
];
const BLOCK: &[&str] = &[
    "html",
    "head",
    "meta",
    "style",
    "body",
    "nav",
    "main",
    "header",
    "footer",
    "article",
    "details",
    "summary",
    "p",
    "div",
    "pre",
    "ul",
    "ol",
    "li",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "figure",
    "fieldset",
];
const ATTRIBUTES: &[&str] = &[
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "href",
    "rel",
    "title",
    "aria-label",
    "start",
    "alt",
    "width",
    "height",
    "src",
    "type",
    "checked",
    "open",
];

/// The first thing about a page that must not be; `None` where all is well.
pub(crate) fn flaw(page: &str) -> Option<String> {
    check(page).err()
}

fn check(page: &str) -> Result<(), String> {
    if let Some(c) = page.chars().find(|&c| (c.is_control() && c != '\n' && c != '\t') || turns(c)) {
        return Err(format!("holds {c:?}"));
    }
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    let mut open: Vec<&str> = Vec::new();
    let mut ids = std::collections::HashSet::new();
    while let Some(at) = rest.find(['<', '>', '&', '"', '\'']) {
        if open.last() == Some(&"style") {
            let (sheet, behind) = rest.split_once("</style>").ok_or("a style sheet without end")?;
            if sheet.contains('<') || sheet.contains("url(") || sheet.contains("@import") {
                return Err("a style sheet that holds more than styles".into());
            }
            open.pop();
            rest = behind;
            continue;
        }
        let behind = &rest[at..];
        if behind.starts_with('&') {
            let end = behind.find(';').ok_or("an entity without end")?;
            if !["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].contains(&&behind[..=end]) {
                return Err(format!("not an entity of ours: {}", &behind[..=end]));
            }
            rest = &behind[end + 1..];
        } else if let Some(tag) = behind.strip_prefix("</") {
            let (name, behind) = tag.split_once('>').ok_or("an end without end")?;
            if open.pop() != Some(name) {
                return Err(format!("</{name}> ends nothing"));
            }
            rest = behind;
        } else if let Some(tag) = behind.strip_prefix('<') {
            let (name, behind) = tag.split_at(tag.find([' ', '>']).ok_or("a tag without end")?);
            let is_block = BLOCK.contains(&name);
            if !is_block && !INLINE.contains(&name) {
                return Err(format!("<{name}> is not ours"));
            }
            let within = open.last().copied().unwrap_or_default();
            if is_block && (within == "p" || (INLINE.contains(&within) && within != "span")) {
                return Err(format!("<{name}> in <{within}>"));
            }
            if name == "a" && open.contains(&"a") {
                return Err("a link in a link".into());
            }
            rest = attributes(name, behind, &mut ids)?;
            if !VOID.contains(&name) {
                open.push(name);
            }
        } else {
            return Err(format!("a bare {:?}", &behind[..1]));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} are still open")) }
}

/// Reads the attributes of a tag up to its end.
fn attributes<'p>(
    tag: &str,
    mut rest: &'p str,
    ids: &mut std::collections::HashSet<&'p str>,
) -> Result<&'p str, String> {
    loop {
        if let Some(behind) = rest.strip_prefix('>') {
            return Ok(behind);
        }
        rest = rest.strip_prefix(' ').ok_or_else(|| format!("no blank before an attribute of <{tag}>"))?;
        let end = rest.find(['=', ' ', '>']).ok_or("an attribute without end")?;
        let (name, behind) = rest.split_at(end);
        if !ATTRIBUTES.contains(&name) {
            return Err(format!("<{tag}> has {name}"));
        }
        let Some(value) = behind.strip_prefix("=\"") else {
            rest = behind;
            continue;
        };
        let (value, behind) = value.split_once('"').ok_or("a value without end")?;
        if value.contains(['<', '>', '\'']) && name != "content" {
            return Err(format!("{name} is {value}"));
        }
        let is_good = match name {
            "href" => {
                let starts = |start: &&str| value.to_ascii_lowercase().starts_with(start);
                ["#e", "https://", "http://", "mailto:"].iter().any(starts)
            }
            "src" => ["png", "jpeg", "gif", "webp"]
                .iter()
                .any(|kind| value.starts_with(&format!("data:image/{kind};base64,"))),
            "id" => ids.insert(value) && value.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            _ => true,
        };
        if !is_good {
            return Err(format!("{name} is {value}"));
        }
        rest = behind;
    }
}

/// What turns the writing direction.
fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn what_must_not_be_is_found() {
    let page = |body: &str| format!("<!DOCTYPE html><body>{body}</body>");
    assert_eq!(flaw(&page("<p>a &lt; <a href=\"#e1\">b</a></p>")), None);
    for (body, wanted) in [
        ("<script>", "<script> is not ours"),
        ("<p onclick=\"x\">", "<p> has onclick"),
        ("<a href=\"javascript:x\">", "href is javascript:x"),
        ("<img src=\"https://x\">", "src is https://x"),
        ("<b>", "</body> ends nothing"),
        ("a > b", "a bare \">\""),
        ("&nbsp;", "not an entity of ours: &nbsp;"),
        ("<p><div>", "<div> in <p>"),
        ("\u{202e}", "holds '\\u{202e}'"),
        ("<style>a{b:url(c)}</style>", "a style sheet that holds more than styles"),
    ] {
        assert_eq!(flaw(&page(body)).as_deref(), Some(wanted), "{body}");
    }
}
