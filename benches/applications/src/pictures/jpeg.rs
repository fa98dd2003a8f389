//! Whether the data of a JPEG file are all there.

/// The codes of markers that have no segment; EOI is the end of the picture. A marker is a byte 255 and its
/// code.
const TEM: u8 = 0x01;
const RST0: u8 = 0xd0;
const RST7: u8 = 0xd7;
const SOI: u8 = 0xd8;
const EOI: u8 = 0xd9;

/// Returns `true` if the picture has its end marker. Thumbnails, which have end markers of their own, are
/// skipped with the segments that contain them.
pub fn is_complete(mut bytes: &[u8]) -> bool {
    // In the data of the picture, a byte 255 is followed by a zero; before a marker there may be more of 255.
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xff);
    while let Some(at) = bytes.windows(2).position(is_marker) {
        let rest = &bytes[at + 2..];
        bytes = match bytes[at + 1] {
            EOI => return true,
            TEM | RST0..=RST7 | SOI => rest,
            _ => after_segment(rest).unwrap_or_default(),
        };
    }
    false
}

/// What follows a segment, which begins with its length.
fn after_segment(bytes: &[u8]) -> Option<&[u8]> {
    let length = u16::from_be_bytes(*bytes.first_chunk()?);
    bytes.get(usize::from(length)..)
}

#[cfg(test)]
mod tests {
    use super::is_complete;

    #[test]
    fn the_end_of_the_picture_is_found_and_no_other() {
        let thumbnail = [0xff, 0xe1, 0, 6, 0xff, 0xd8, 0xff, 0xd9];
        let table = [0xff, 0xdb, 0, 3, 7];
        let scan = [0xff, 0xda, 0, 3, 1, 1, 2, 0xff, 0, 0xd9, 0xff, 0xd0, 0xff];
        let picture = [&[0xff, 0xd8], &thumbnail[..], &table, &scan, &[0xff, 0xd9]].concat();
        assert!(is_complete(&picture));
        for length in 0..picture.len() {
            assert!(!is_complete(&picture[..length]), "{length}");
        }
        assert!(is_complete(&[&picture[..], b"what an editor appends"].concat()));
    }
}
