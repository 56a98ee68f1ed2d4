use proptest::prelude::*;

use super::*;
use crate::present::code::CodeTones;

fn set(text: &str, columns: usize, room: usize) -> (Vec<Row>, usize) {
    markdown(&sanitize::text(text), Tone::Text, columns, room, &mut CodeSetter::new(CodeTones::Highlighted))
}

fn rendered(text: &str, columns: usize) -> Vec<String> {
    set(text, columns, 200).0.iter().map(|row| row.plain().trim_end().to_owned()).collect()
}

#[test]
fn marks_become_tones() {
    let (rows, _) = set("say `x` and **now `y`** or * *so* ~~not~~", 60, 9);
    assert_eq!(
        rows[0].spans,
        [
            Span::new("say ", Tone::Text),
            Span::new("x", Tone::Code),
            Span::new(" and ", Tone::Text),
            Span::new("now ", Tone::Text).with(Emphasis::BOLD),
            Span::new("y", Tone::Code).with(Emphasis::BOLD),
            Span::new(" or * ", Tone::Text),
            Span::new("so", Tone::Text).with(Emphasis::ITALIC),
            Span::new(" ", Tone::Text),
            Span::new("not", Tone::Text).with(Emphasis::STRIKE),
        ]
    );
    let (rows, _) = set("## A `b`", 20, 9);
    assert_eq!(
        rows[0],
        Row::new().bold("A ", Tone::Strong).then(Span::new("b", Tone::Code).with(Emphasis::BOLD).into())
    );
    assert_eq!(rendered("#no ####### no", 20), ["#no ####### no"]);
}

#[test]
fn lines_and_blank_lines_stay_where_they_are() {
    assert_eq!(rendered("a\nb\n\n\n\nc", 20), ["a", "b", "", "c"]);
    assert_eq!(rendered("# A\ntext\n- x\n- y\n\nend", 20), ["A", "text", "• x", "• y", "", "end"]);
}

#[test]
fn lists_and_quotes_hang() {
    assert_eq!(rendered("- one two three", 9), ["• one two", "  three"]);
    assert_eq!(rendered("9. one\n10. two three", 9), ["9. one", "10. two", "    three"]);
    assert_eq!(
        rendered("1. a\n   - b\n     more\n   - c\n\n2. d", 20),
        ["1. a", "   • b", "     more", "   • c", "", "2. d"]
    );
    assert_eq!(rendered("- [x] done\n- [ ] not yet\n-", 20), ["[x] done", "[ ] not yet", "•"]);
    assert_eq!(rendered("> one two\n>\n> > x", 8), ["│ one", "│ two", "│", "│ │ x"]);
    assert_eq!(rendered("---", 4), ["────"]);
}

#[test]
fn code_keeps_its_lines() {
    assert_eq!(
        rendered("a\n```rust\nfn x() {\n\n    # y\n}\n```\nb\n~~~\n```", 20),
        ["a", "  rust", "  fn x() {", "", "      # y", "  }", "b", "  ```"]
    );
    assert_eq!(rendered("- a\n  ```\n  b\n  ```", 20), ["• a", "    b"]);
    let (rows, _) = set("```js title=x\nconst a = 1\n```", 20, 9);
    assert_eq!((rows[0].plain().as_str(), rows[1].spans[1].tone), ("  js", Tone::Keyword));
}

#[test]
fn links_say_where_they_lead() {
    assert_eq!(rendered("[a](https://b.c/d) <https://e.f>", 60), ["a (https://b.c/d) https://e.f"]);
    assert_eq!(rendered("[a](#b) ![p](c.png) <g@h.i>", 60), ["a ▣ p (c.png) g@h.i"]);
    assert_eq!(rendered("[a](<x&#27;]8;;y>)", 60), ["a (x)"]);
}

#[test]
fn tables_fit() {
    let table = "| name | n |\n|---|--:|\n| one | 1 |\n| twenty two | 22 |";
    assert_eq!(rendered(table, 40), ["name         n", "──────────  ──", "one          1", "twenty two  22"]);
    assert_eq!(rendered(table, 11), ["name      n", "───────  ──", "one       1", "twenty   22", "two"]);
    assert_eq!(
        rendered(table, 5),
        ["name:", "  one", "n: 1", "", "name:", "  twe", "  nty", "  two", "n: 22"]
    );
}

#[test]
fn lines_without_room_are_counted() {
    let (rows, left) = set("a\n\nb\n\nc\n\nd", 10, 3);
    assert_eq!((rows.len(), left), (3, 3));
    let (rows, left) = set(&format!("```\n{}```", "x\n".repeat(10_000)), 10, 5);
    assert_eq!((rows.len(), left), (5, 9_996));
}

#[test]
fn hostile_nesting_does_no_harm() {
    for text in [
        ">".repeat(20_000),
        "- ".repeat(5_000),
        "[".repeat(20_000),
        "*a_ ".repeat(5_000),
        format!("{}\n{}", "|a".repeat(2_000), "|-".repeat(2_000)),
        (0..300).map(|depth| "  ".repeat(depth) + "- x\n").collect(),
    ] {
        for columns in [0, 1, 7, 80] {
            let (rows, _) = set(&text, columns, 300);
            assert!(rows.iter().all(|row| row.width() <= columns));
        }
    }
}

proptest! {
    #[test]
    fn no_row_is_too_wide_and_none_holds_a_control_character(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "a", "word ", "設計", "\n", "\n\n", "- ", "1. ", "> ", "    ", "```", "```rust\n", "|", "|-|-|\n", "|a|b|\n",
            "**", "*", "`", "~~", "[x](", ")", "](\u{1b}[31m", "<b>", "&#27;", "&#10;", "\u{202e}", "\u{9b}2J", "# ",
            "---\n", "- [x] ", "![", "https://a.b ", "\t", "\r", "e\u{301}", "👩\u{200d}💻",
        ]), 0..40),
        columns in 0usize..60,
    ) {
        let (rows, _) = set(&pieces.concat(), columns, 60);
        prop_assert!(rows.len() <= 60);
        for row in rows {
            prop_assert!(row.width() <= columns, "{row:?}");
            prop_assert!(!row.plain().contains(|c: char| c.is_control() || c == '\u{202e}'), "{row:?}");
        }
    }
}
