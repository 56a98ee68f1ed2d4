//! The 256 colours that nearly every terminal has.

/// The colour of the palette of 256 that is nearest to `0xrrggbb`: the nearest of its cube or of its greys. The first
/// sixteen differ from terminal to terminal and are left out.
pub(super) fn nearest(colour: u32) -> u8 {
    let wanted = channels(colour);
    let level = |channel: u32| {
        LEVELS.iter().zip(0..).min_by_key(|(level, _)| channel.abs_diff(**level)).map_or(0, |(_, at)| at)
    };
    let [red, green, blue] = wanted.map(level);
    let grey = (wanted.iter().sum::<u32>() / 3).saturating_sub(3) / 10;
    let distance = |index: &u8| {
        let there = channels(of_palette(*index));
        wanted.iter().zip(there).map(|(one, other)| one.abs_diff(other).pow(2)).sum::<u32>()
    };
    let candidates = [16 + 36 * red + 6 * green + blue, 232 + grey.min(23) as u8];
    candidates.into_iter().min_by_key(distance).unwrap_or(15)
}

/// What a channel can be in the cube of the palette.
const LEVELS: [u32; 6] = [0, 95, 135, 175, 215, 255];

/// The colour behind an index from 16: a cube of 6 × 6 × 6, then 24 greys.
pub(super) fn of_palette(index: u8) -> u32 {
    let index = u32::from(index) - 16;
    if index >= 216 {
        return (8 + 10 * (index - 216)) * 0x01_01_01;
    }
    let level = |place| LEVELS[(index / place % 6) as usize];
    level(36) << 16 | level(6) << 8 | level(1)
}

pub(super) fn channels(colour: u32) -> [u32; 3] {
    [colour >> 16 & 0xff, colour >> 8 & 0xff, colour & 0xff]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_is_searched_for_the_nearest() {
        for (colour, index) in [(0x00_00_00, 16), (0xff_ff_ff, 231), (0x08_08_08, 232), (0x5f_87_af, 67)] {
            assert_eq!(nearest(colour), index, "{colour:06x}");
        }
    }
}
