use std::io;

/// How often a short id is drawn before a long one is taken.
const DRAWS: usize = 100;

/// A fresh entry id as pi makes them: eight random hex digits that no entry of the file has, or, should that
/// fail a hundred times, a whole UUID of version 4.
pub(super) fn entry_id(is_taken: impl Fn(&str) -> bool) -> io::Result<String> {
    for _ in 0..DRAWS {
        let id = format!("{:08x}", getrandom::u32().map_err(io::Error::other)?);
        if !is_taken(&id) {
            return Ok(id);
        }
    }
    Ok(uuid(with_version(random()?, 4)))
}

/// A fresh session id as pi makes them: a UUID of version 7, which begins with the time in milliseconds since
/// 1970.
pub(super) fn session_id(now: i64) -> io::Result<String> {
    let time = (now as u128 & 0xffff_ffff_ffff) << 80;
    let random = random()? & (u128::MAX >> 48);
    Ok(uuid(with_version(time | random, 7)))
}

fn random() -> io::Result<u128> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(u128::from_be_bytes(bytes))
}

/// Puts the version and the variant of RFC 9562 into their places.
fn with_version(bits: u128, version: u128) -> u128 {
    let bits = bits & !(0xf << 76) | (version << 76);
    bits & !(0b11 << 62) | (0b10 << 62)
}

fn uuid(bits: u128) -> String {
    let hex = format!("{bits:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_id_is_drawn_again_when_it_is_taken() {
        let drawn = std::cell::RefCell::new(Vec::new());
        let id = entry_id(|id| {
            drawn.borrow_mut().push(id.to_owned());
            drawn.borrow().len() < 3
        });
        assert_eq!(Some(&id.unwrap()), drawn.borrow().last());
        assert_eq!(drawn.borrow().len(), 3);
        assert!(drawn.borrow().iter().all(|id| id.len() == 8 && id.bytes().all(|b| b.is_ascii_hexdigit())));
    }

    #[test]
    fn a_long_id_ends_the_drawing() {
        let id = entry_id(|_| true).unwrap();
        assert_eq!((id.len(), &id[14..15]), (36, "4"));
    }

    #[test]
    fn a_session_id_tells_its_time() {
        let id = session_id(0x0198_a000_0000).unwrap();
        assert!(id.starts_with("0198a000-0000-7"), "{id}");
        assert!(matches!(&id[19..20], "8" | "9" | "a" | "b"), "{id}");
        assert_ne!(id, session_id(0x0198_a000_0000).unwrap());
    }
}
