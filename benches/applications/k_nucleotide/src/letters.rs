//! The four letters and their codes, one by one and eight at a time.

/// Returns `true` if this is a letter of the sequence, in upper or lower case.
#[inline]
pub fn is_letter(byte: u8) -> bool {
    matches!(byte | 0x20, b'a' | b'c' | b'g' | b't')
}

/// The first of these bytes that is not a letter, if any.
pub fn stray(letters: &[u8]) -> Option<usize> {
    let (eights, rest) = letters.as_chunks::<8>();
    let unknown = eights.iter().fold(0, |unknown, eight| unknown | strays(u64::from_be_bytes(*eight)));
    if unknown == 0 && rest.iter().all(|letter| is_letter(*letter)) {
        return None;
    }
    letters.iter().position(|letter| !is_letter(*letter))
}

/// The code of a letter: A is 0, C is 1, T is 2 and G is 3, from two bits that are the same in upper and
/// lower case.
#[inline]
pub fn code(letter: u8) -> u64 {
    u64::from(letter >> 1 & 3)
}

/// The letter of a code.
pub fn letter(code: u64) -> char {
    ['A', 'C', 'T', 'G'][(code & 3) as usize]
}

/// The codes of eight letters, side by side.
#[inline]
pub fn codes(eight: u64) -> u64 {
    let bytes = eight >> 1 & 0x0303_0303_0303_0303;
    let pairs = (bytes | bytes >> 6) & 0x000f_000f_000f_000f;
    let fours = (pairs | pairs >> 12) & 0x0000_00ff_0000_00ff;
    (fours | fours >> 24) & 0xffff
}

/// Sets one or more bits in each of eight bytes that is not a letter.
///
/// The two bits of the code determine the other bits of a letter: for T the lowest bit is clear and the fifth
/// is set; for all other letters it is the other way round.
#[inline]
pub fn strays(eight: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let t = (eight >> 2 & !(eight >> 1)) & EACH;
    let due = (0x60 * EACH) | (eight & (0x06 * EACH)) | (t << 4) | (t ^ EACH);
    (eight | (0x20 * EACH)) ^ due
}
