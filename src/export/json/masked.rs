use std::borrow::Cow;

use crate::export::Redactor;
use crate::format::js;
use crate::format::json::{Items, Shape, Value};

/// A value as compact JSON, with the secrets in its texts and names masked. Nesting costs memory and not stack.
pub(in crate::export) fn masked(value: Value<'_>, redactor: Option<&Redactor>) -> String {
    let Some(redactor) = redactor else { return value.to_json() };
    let mut out = String::new();
    let mut frames = Vec::new();
    open(value, None, redactor, &mut out, &mut frames);
    while let Some(frame) = frames.last_mut() {
        let is_first = std::mem::take(&mut frame.is_first);
        let next = match &mut frame.rest {
            Rest::Items(items) => items.next().map(|value| (None, value)),
            Rest::Members(members) => members.next().map(|(name, value)| (Some(name), value)),
        };
        let Some((name, value)) = next else {
            out.push(if matches!(frame.rest, Rest::Items(_)) { ']' } else { '}' });
            frames.pop();
            continue;
        };
        if !is_first {
            out.push(',');
        }
        if let Some(name) = &name {
            js::quote(&redactor.mask(name), &mut out);
            out.push(':');
        }
        open(value, name.as_deref(), redactor, &mut out, &mut frames);
    }
    out
}

struct Frame<'t> {
    rest: Rest<'t>,
    is_first: bool,
}

enum Rest<'t> {
    Items(Items<'t>),
    Members(std::vec::IntoIter<(Cow<'t, str>, Value<'t>)>),
}

fn open<'t>(
    value: Value<'t>,
    name: Option<&str>,
    redactor: &Redactor,
    out: &mut String,
    frames: &mut Vec<Frame<'t>>,
) {
    match value.shape() {
        Shape::Array => {
            out.push('[');
            frames.push(Frame { rest: Rest::Items(value.items()), is_first: true });
        }
        Shape::Object => {
            out.push('{');
            let members = value.members().into_iter();
            frames.push(Frame { rest: Rest::Members(members), is_first: true });
        }
        Shape::String => {
            let text = value.as_str().unwrap_or_default();
            let masked = match name {
                Some(name) => redactor.mask_named(name, &text),
                None => redactor.mask(&text),
            };
            js::quote(&masked, out);
        }
        _ => out.push_str(&value.to_json()),
    }
}
