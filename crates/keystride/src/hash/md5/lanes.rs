//! The rounds of MD5 for several messages at once: each word is a vector with one lane per message.
//!
//! The steps are those of RFC 1321, written for arrays; the compiler turns them into vectors of the widest kind that
//! the processor supports at run time.

use fearless_simd::{Level, dispatch};

use super::START;

/// The number of messages processed at once.
pub(super) const COUNT: usize = 16;

/// One word of each message.
type Lanes = [u32; COUNT];

/// Returns the states after all blocks of up to [`COUNT`] messages, word by word.
pub(super) fn states(level: Level, messages: &[&[[u8; 64]]]) -> [Lanes; 4] {
    let mut states = START.map(|word| [word; COUNT]);
    let most = messages.iter().map(|blocks| blocks.len()).max().unwrap_or(0);
    for index in 0..most {
        let before = states;
        let words = words(messages, index);
        dispatch!(level, _simd => compress(&mut states, &words));
        for (lane, _) in messages.iter().enumerate().filter(|(_, blocks)| index >= blocks.len()) {
            states.iter_mut().zip(&before).for_each(|(word, before)| word[lane] = before[lane]);
        }
    }
    states
}

/// Returns the words of block `index` of each message that has one.
#[expect(clippy::little_endian_bytes, reason = "MD5 reads its words little-endian")]
fn words(messages: &[&[[u8; 64]]], index: usize) -> [Lanes; 16] {
    let mut words = [[0; COUNT]; 16];
    let blocks = messages.iter().enumerate().filter_map(|(lane, blocks)| Some((lane, blocks.get(index)?)));
    for (lane, block) in blocks {
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            word[lane] = u32::from_le_bytes(*bytes);
        }
    }
    words
}

/// Adds one block of each message to the states.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for each kind of vectors where it is dispatched")]
fn compress(states: &mut [Lanes; 4], words: &[Lanes; 16]) {
    let mut state = *states;
    round(&mut state, words, 0, [7, 12, 17, 22], |step| step, |b, c, d| d ^ (b & (c ^ d)));
    round(&mut state, words, 16, [5, 9, 14, 20], |step| 5 * step + 1, |b, c, d| c ^ (d & (b ^ c)));
    round(&mut state, words, 32, [4, 11, 16, 23], |step| 3 * step + 5, |b, c, d| b ^ c ^ d);
    round(&mut state, words, 48, [6, 10, 15, 21], |step| 7 * step, |b, c, d| c ^ (b | !d));
    for (word, more) in states.iter_mut().zip(&state) {
        for (lane, more) in word.iter_mut().zip(more) {
            *lane = lane.wrapping_add(*more);
        }
    }
}

/// Performs sixteen steps, each with one word of the block and one of four shifts.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
fn round(
    state: &mut [Lanes; 4],
    words: &[Lanes; 16],
    first: usize,
    shifts: [u32; 4],
    word_of: impl Fn(usize) -> usize,
    mix: impl Fn(u32, u32, u32) -> u32,
) {
    for step in (first..first + 16).step_by(4) {
        for (step, shift) in (step..).zip(shifts) {
            turn(state, SINES[step], shift, &words[word_of(step) % 16], &mix);
        }
    }
}

/// Performs one step: the words of the state rotate, and one of them gets a new value. The compiler vectorizes only a
/// plain loop over the five arrays.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as above")]
fn turn(state: &mut [Lanes; 4], sine: u32, shift: u32, word: &Lanes, mix: impl Fn(u32, u32, u32) -> u32) {
    let [a, b, c, d] = *state;
    let mut new = [0; COUNT];
    for lane in 0..COUNT {
        let sum = a[lane].wrapping_add(mix(b[lane], c[lane], d[lane]));
        let sum = sum.wrapping_add(word[lane]).wrapping_add(sine);
        new[lane] = b[lane].wrapping_add(sum.rotate_left(shift));
    }
    *state = [d, new, b, c];
}

/// For each step *i* from 1 to 64, 2³² · |sin *i*|, truncated.
const SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];
