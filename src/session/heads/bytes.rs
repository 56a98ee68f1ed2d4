use crate::format::EntryId;

/// Writes small numbers in few bytes: seven bits in each, the lowest first, the last below 128.
pub(super) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Numbers near zero become small, whatever their sign.
pub(super) fn put_signed(number: i64, out: &mut Vec<u8>) {
    put_number((number << 1 ^ number >> 63) as u64, out);
}

/// Most of them are counts: those are written as such.
pub(super) fn put_float(number: f64, out: &mut Vec<u8>) {
    let count = number as u64;
    if (count as f64).to_bits() == number.to_bits() && count < 1 << 53 {
        put_number(count << 1, out);
    } else {
        put_number(1, out);
        out.extend(number.to_bits().to_le_bytes());
    }
}

pub(super) fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

pub(super) fn put_some_text(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        Some(text) => {
            put_number(text.len() as u64 + 1, out);
            out.extend_from_slice(text.as_bytes());
        }
        None => out.push(0),
    }
}

pub(super) fn put_id(id: &EntryId, out: &mut Vec<u8>) {
    out.push(u8::from(id.is_json()));
    put_text(id.as_str(), out);
}

/// Reads what was written, in the same order.
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    pub(super) fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 || shift > 63 {
                return number;
            }
        }
    }

    pub(super) fn signed(&mut self) -> i64 {
        let number = self.number();
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }

    pub(super) fn float(&mut self) -> f64 {
        let count = self.number();
        if count & 1 == 0 {
            return (count >> 1) as f64;
        }
        let Some((bits, rest)) = self.0.split_first_chunk() else { return 0.0 };
        self.0 = rest;
        f64::from_bits(u64::from_le_bytes(*bits))
    }

    pub(super) fn text(&mut self) -> &'a str {
        let length = self.number() as usize;
        self.take(length)
    }

    pub(super) fn some_text(&mut self) -> Option<&'a str> {
        let length = self.number() as usize;
        length.checked_sub(1).map(|length| self.take(length))
    }

    pub(super) fn id(&mut self) -> EntryId {
        let is_json = self.byte() == 1;
        let text = self.text();
        if is_json { EntryId::json(text) } else { EntryId::text(text) }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let Some((text, rest)) = self.0.split_at_checked(length) else { return "" };
        self.0 = rest;
        std::str::from_utf8(text).unwrap_or_default()
    }
}
