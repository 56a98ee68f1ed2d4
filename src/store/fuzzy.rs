use crate::format::js;

/// Scores `query` as a fuzzy match in `text`, case ignored; lower is better, `None` is no match.
///
/// The characters of the query have to occur in order. Runs are good, gaps and late positions are bad, the
/// start of a word is good; an equal text is best. A query of letters and digits may also have its halves
/// swapped: `gpt5` finds `5gpt`. Positions count UTF-16 units, as in pi.
pub fn fuzzy_score(query: &str, text: &str) -> Option<f64> {
    let query = query.to_lowercase();
    let text: Vec<u16> = text.to_lowercase().encode_utf16().collect();
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    score(&units(&query), &text)
        .or_else(|| score(&units(&swapped_halves(&query)?), &text).map(|score| score + 5.0))
}

fn score(query: &[u16], text: &[u16]) -> Option<f64> {
    if query.is_empty() {
        return Some(0.0);
    }
    let mut best = alignment_score(first_places(query, text)?, text);
    for (start, _) in text.windows(query.len()).enumerate().filter(|(_, window)| *window == query) {
        best = best.min(alignment_score(start..start + query.len(), text));
    }
    Some(if query == text { best - 100.0 } else { best })
}

/// Each unit of the query at its first place after the one before.
fn first_places(query: &[u16], text: &[u16]) -> Option<Vec<usize>> {
    let mut from = 0;
    let mut places = Vec::with_capacity(query.len());
    for unit in query {
        let place = from + text.get(from..)?.iter().position(|other| other == unit)?;
        places.push(place);
        from = place + 1;
    }
    Some(places)
}

fn alignment_score(places: impl IntoIterator<Item = usize>, text: &[u16]) -> f64 {
    let mut score = 0.0;
    let mut run = 0;
    // The place after the one before; a match at the very start counts as a run.
    let mut expected = 0;
    for (at, place) in places.into_iter().enumerate() {
        if place == expected {
            run += 1;
            score -= f64::from(5 * run);
        } else {
            run = 0;
            if at > 0 {
                score += 2.0 * (place - expected) as f64;
            }
        }
        if place == 0 || is_word_break(text[place - 1]) {
            score -= 10.0;
        }
        score += 0.1 * place as f64;
        expected = place + 1;
    }
    score
}

fn is_word_break(unit: u16) -> bool {
    char::from_u32(u32::from(unit))
        .is_some_and(|c| js::is_space(c) || matches!(c, '-' | '_' | '.' | '/' | ':'))
}

/// `5gpt` for `gpt5` and the other way round, where the text is letters then digits or digits then letters.
fn swapped_halves(query: &str) -> Option<String> {
    let starts_with_digit = query.starts_with(|c: char| c.is_ascii_digit());
    let (head, tail) = query.split_at(query.find(|c: char| c.is_ascii_digit() != starts_with_digit)?);
    let (letters, digits) = if starts_with_digit { (tail, head) } else { (head, tail) };
    let fits = letters.bytes().all(|c| c.is_ascii_lowercase()) && digits.bytes().all(|c| c.is_ascii_digit());
    fits.then(|| format!("{tail}{head}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_pi() {
        for (query, text, expected) in [
            ("abc", "abc", Some(-139.7)),
            ("auth", "auth helper", Some(-59.4)),
            ("auth", "Refactor auth", Some(-35.8)),
            ("abc", "aXbXc", Some(-10.4)),
            ("a", "-a", Some(-9.9)),
            ("gpt5", "5gpt", Some(-154.4)),
            ("ab", "xab yab", Some(-4.7)),
            ("1a", "a1", Some(-119.9 + 0.0)),
            ("a1", "zz1azz", Some(0.5)),
            ("ü1", "1ü", None),
            ("abc", "😀abc", Some(-14.1)),
            ("foo bar", "foo bar", Some(-257.9)),
            ("", "x", Some(0.0)),
            ("long", "lon", None),
            ("ba", "ab", None),
        ] {
            let got = fuzzy_score(query, text);
            let close = match (got, expected) {
                (Some(got), Some(expected)) => (got - expected).abs() < 1e-9,
                (got, expected) => got == expected,
            };
            assert!(close, "{query} in {text}: {got:?}, not {expected:?}");
        }
    }
}
