//! Oklab, OKLCH and OKHSL, the perceptual colour spaces of Björn Ottosson, as sRGB.
//!
//! The formulas and their constants are those of <https://bottosson.github.io/posts/colorpicker/>, published by him under
//! the MIT licence (Copyright (c) 2021 Björn Ottosson), in the order in which pi 1.6.0 carries them out, so that every
//! colour comes out as pi's does.

type Vector = [f64; 3];

const LAB_TO_LMS: [Vector; 3] = [
    [1.0, 0.396_337_777_376_174_9, 0.215_803_757_309_913_6],
    [1.0, -0.105_561_345_815_658_6, -0.063_854_172_825_813_3],
    [1.0, -0.089_484_177_529_811_9, -1.291_485_548_019_409_2],
];
const LMS_TO_LINEAR: [Vector; 3] = [
    [4.076_741_636_075_958, -3.307_711_539_258_063, 0.230_969_903_182_104_3],
    [-1.268_437_973_285_031_5, 2.609_757_349_287_688, -0.341_319_376_002_657],
    [-0.004_196_076_138_675_6, -0.703_418_617_935_936_2, 1.707_614_694_074_611_7],
];
const LINEAR_TO_LMS: [Vector; 3] = [
    [0.412_221_469_470_762_9, 0.536_332_537_261_734_9, 0.051_445_993_267_502_2],
    [0.211_903_495_817_825_1, 0.680_699_550_645_234_4, 0.107_396_953_536_940_5],
    [0.088_302_459_190_056_4, 0.281_718_839_136_121_5, 0.629_978_701_673_822_2],
];
const LMS_TO_LAB: [Vector; 3] = [
    [0.210_454_268_309_314, 0.793_617_774_702_305, -0.004_072_043_011_619_3],
    [1.977_998_532_431_168_4, -2.428_592_242_048_58, 0.450_593_709_617_411],
    [0.025_904_042_465_547_8, 0.782_771_712_457_529_6, -0.808_675_754_923_077_4],
];

/// For red, green and blue: where among the hues that channel is the first to leave the gamut, and the polynomial that
/// is near the largest saturation there.
const SATURATION_FIT: [([f64; 2], [f64; 5]); 3] = [
    ([-1.881_703_1, -0.809_365_01], [1.190_862_77, 1.765_767_28, 0.596_626_41, 0.755_151_97, 0.567_712_45]),
    ([1.814_440_8, -1.194_452_67], [0.739_565_15, -0.459_544_04, 0.082_854_27, 0.125_410_73, -0.145_032_04]),
    ([0.131_107_58, 1.813_339_71], [1.357_336_52, -0.009_157_99, -1.151_302_1, -0.505_596_06, 0.006_921_67]),
];

/// The colour of an OKLCH lightness (0 to 1), chroma and hue (degrees). What sRGB cannot show keeps its lightness and
/// hue and loses chroma until it can.
pub(super) fn from_oklch(lightness: f64, chroma: f64, hue: f64) -> [u8; 3] {
    let (sin, cos) = normal_hue(hue).to_radians().sin_cos();
    let at = |chroma: f64| linear_of([lightness, chroma * cos, chroma * sin]);
    let is_shown = |linear: &Vector| linear.iter().all(|channel| (-1e-7..=1.0 + 1e-7).contains(channel));
    let direct = at(chroma);
    if is_shown(&direct) {
        return encoded(direct);
    }
    let (mut low, mut high, mut linear) = (0.0, chroma, at(0.0));
    for _ in 0..20 {
        let middle = f64::midpoint(low, high);
        let candidate = at(middle);
        if is_shown(&candidate) {
            (low, linear) = (middle, candidate);
        } else {
            high = middle;
        }
    }
    encoded(linear)
}

/// The colour of an OKHSL hue (degrees), saturation and lightness (0 to 1).
pub(super) fn from_okhsl(hue: f64, saturation: f64, lightness: f64) -> [u8; 3] {
    let light = oklab_lightness(lightness);
    if light <= 0.0 || light >= 1.0 || saturation <= 0.0 {
        return encoded(linear_of([light, 0.0, 0.0]));
    }
    let angle = std::f64::consts::TAU * normal_hue(hue) / 360.0;
    let (a, b) = (angle.cos(), angle.sin());
    let [start, middle, most] = chroma_stops(light, a, b);
    // Chroma rises from nothing through `middle` at a saturation of 0.8 to `most` at 1.
    let chroma = if saturation < 0.8 {
        let t = 1.25 * saturation;
        let k = 0.8 * start;
        t * k / (1.0 - (1.0 - k / middle) * t)
    } else {
        let t = 5.0 * (saturation - 0.8);
        let k = 0.2 * middle.powi(2) * 1.25_f64.powi(2) / start;
        middle + t * k / (1.0 - (1.0 - k / (most - middle)) * t)
    };
    encoded(linear_of([light, chroma * a, chroma * b]))
}

/// The chroma and the hue, in degrees, of a colour.
pub fn chroma_and_hue(colour: [u8; 3]) -> (f64, f64) {
    let linear = colour.map(|channel| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    let [_, a, b] = multiply(&LMS_TO_LAB, multiply(&LINEAR_TO_LMS, linear).map(f64::cbrt));
    (a.hypot(b), normal_hue(b.atan2(a).to_degrees()))
}

fn normal_hue(hue: f64) -> f64 {
    (hue % 360.0 + 360.0) % 360.0
}

fn dot(one: &Vector, other: &Vector) -> f64 {
    one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
}

fn multiply(matrix: &[Vector; 3], vector: Vector) -> Vector {
    [dot(&matrix[0], &vector), dot(&matrix[1], &vector), dot(&matrix[2], &vector)]
}

/// Oklab as linear sRGB, whose channels may lie outside of 0 to 1.
fn linear_of(lab: Vector) -> Vector {
    multiply(&LMS_TO_LINEAR, multiply(&LAB_TO_LMS, lab).map(|part| part.powi(3)))
}

fn encoded(linear: Vector) -> [u8; 3] {
    linear.map(|part| {
        let part = if part > 0.003_130_8 { 1.055 * part.powf(1.0 / 2.4) - 0.055 } else { 12.92 * part };
        (part.clamp(0.0, 1.0) * 255.0).round() as u8
    })
}

/// OKHSL's lightness as Oklab's.
fn oklab_lightness(lightness: f64) -> f64 {
    const K1: f64 = 0.206;
    const K2: f64 = 0.03;
    const K3: f64 = (1.0 + K1) / (1.0 + K2);
    (lightness * lightness + K1 * lightness) / (K3 * (lightness + K2))
}

/// How fast each part of LMS changes along a hue.
fn lms_slopes(a: f64, b: f64) -> Vector {
    LAB_TO_LMS.map(|row| row[1] * a + row[2] * b)
}

/// The largest saturation that sRGB has in a hue: a polynomial and one step of Halley's method.
fn most_saturation(a: f64, b: f64) -> f64 {
    let is_first = |([x, y], _): &([f64; 2], [f64; 5])| x * a + y * b > 1.0;
    let channel = SATURATION_FIT.iter().position(is_first).unwrap_or(2).min(2);
    let [k0, k1, k2, k3, k4] = SATURATION_FIT[channel].1;
    let saturation = k0 + k1 * a + k2 * b + k3 * a * a + k4 * a * b;
    let slopes = lms_slopes(a, b);
    let base = slopes.map(|slope| 1.0 + saturation * slope);
    let weights = &LMS_TO_LINEAR[channel];
    let each = |part: fn(f64, f64) -> f64| {
        dot(weights, &[part(base[0], slopes[0]), part(base[1], slopes[1]), part(base[2], slopes[2])])
    };
    let f = each(|base, _| base.powi(3));
    let f1 = each(|base, slope| 3.0 * slope * base.powi(2));
    let f2 = each(|base, slope| 6.0 * slope.powi(2) * base);
    saturation - f * f1 / (f1 * f1 - 0.5 * f * f2)
}

/// Lightness and chroma of the most saturated colour of a hue.
fn cusp(a: f64, b: f64) -> (f64, f64) {
    let saturation = most_saturation(a, b);
    let channels = linear_of([1.0, saturation * a, saturation * b]);
    let lightness = (1.0 / channels.into_iter().fold(f64::MIN, f64::max)).cbrt();
    (lightness, lightness * saturation)
}

/// The chroma at which a line of one lightness leaves sRGB.
fn most_chroma(a: f64, b: f64, lightness: f64, (cusp_lightness, cusp_chroma): (f64, f64)) -> f64 {
    if lightness <= cusp_lightness {
        return cusp_chroma * lightness / cusp_lightness;
    }
    // Above the cusp: the edge of the triangle, then one step of Halley's method towards each channel's end.
    let edge = cusp_chroma * (lightness - 1.0) / (cusp_lightness - 1.0);
    let slopes = lms_slopes(a, b);
    let lms = slopes.map(|slope| lightness + edge * slope);
    let each = |part: fn(f64, f64) -> f64| {
        [part(lms[0], slopes[0]), part(lms[1], slopes[1]), part(lms[2], slopes[2])]
    };
    let cubes = each(|lms, _| lms.powi(3));
    let first = each(|lms, slope| 3.0 * slope * lms.powi(2));
    let second = each(|lms, slope| 6.0 * slope.powi(2) * lms);
    let steps = LMS_TO_LINEAR.iter().map(|row| {
        let (f, f1, f2) = (dot(row, &cubes) - 1.0, dot(row, &first), dot(row, &second));
        let step = f1 / (f1 * f1 - 0.5 * f * f2);
        if step >= 0.0 { -f * step } else { f64::MAX }
    });
    edge + steps.fold(f64::MAX, f64::min)
}

/// The chroma at a saturation of (nearly) 0, of 0.8 and of 1.
fn chroma_stops(light: f64, a: f64, b: f64) -> [f64; 3] {
    let peak = cusp(a, b);
    let most = most_chroma(a, b, light, peak);
    let k = most / (light * (peak.1 / peak.0)).min((1.0 - light) * (peak.1 / (1.0 - peak.0)));
    let middle_s = 0.115_169_93
        + 1.0
            / (7.447_789_7
                + 4.159_012_4 * b
                + a * (-2.195_573_47
                    + 1.751_984_01 * b
                    + a * (-2.137_049_48 - 10.023_010_43 * b
                        + a * (-4.248_945_61 + 5.387_708_19 * b + 4.698_910_13 * a))));
    let middle_t = 0.112_396_42
        + 1.0
            / (1.613_203_2 - 0.681_243_79 * b
                + a * (0.403_706_12
                    + 0.901_481_23 * b
                    + a * (-0.270_879_43
                        + 0.612_239_9 * b
                        + a * (0.002_992_15 - 0.453_995_68 * b - 0.146_618_72 * a))));
    let soft = |one: f64, other: f64, power: i32| 1.0 / (1.0 / one.powi(power) + 1.0 / other.powi(power));
    let middle = 0.9 * k * soft(light * middle_s, (1.0 - light) * middle_t, 4).sqrt().sqrt();
    [soft(light * 0.4, (1.0 - light) * 0.8, 2).sqrt(), middle, most]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_come_out() {
        // White and black have no hue; the others are what pi 1.6.0 makes of them.
        for (hue, saturation, lightness, colour) in [
            (0.0, 0.0, 1.0, [255, 255, 255]),
            (123.0, 1.0, 0.0, [0, 0, 0]),
            (29.23, 1.0, 0.568, [255, 0, 0]),
            (264.05, 1.0, 0.366_565, [1, 52, 226]),
        ] {
            let found = from_okhsl(hue, saturation, lightness);
            let near = found.iter().zip(colour).all(|(one, other): (&u8, u8)| one.abs_diff(other) < 4);
            assert!(near, "{hue} {saturation} {lightness}: {found:?}");
        }
        assert_eq!(from_oklch(1.0, 0.3, 150.0), [255, 255, 255]);
        assert_eq!(from_oklch(0.5, 0.0, 0.0), [99, 99, 99]);
    }

    #[test]
    fn chroma_and_hue_of_a_colour_give_it_again() {
        for colour in [[0x7a, 0xa2, 0xf7], [200, 30, 40], [1, 2, 3]] {
            let (chroma, hue) = chroma_and_hue(colour);
            let lightness = (0..=1000).map(|part| f64::from(part) / 1000.0);
            let found = lightness.map(|lightness| from_oklch(lightness, chroma, hue));
            let distance =
                |other: [u8; 3]| colour.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
            assert!(found.map(distance).min() < Some(4_u32), "{colour:?}");
        }
    }
}
