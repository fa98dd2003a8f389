//! Pictures from the bytes of a file, which need not be what they claim to be.

use std::io::{Cursor, ErrorKind};

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbaImage};

use super::jpeg;

/// The formats that are read. Of the others that the library knows, a truncated file may not be recognised.
pub const FORMATS: [ImageFormat; 3] = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Bmp];

/// The most pixels that a picture may have.
const MOST: u64 = 1 << 26;

const TRUNCATED: &str = "the data is truncated";

/// Decodes a picture, and turns it upright; or describes in one line why it cannot be decoded.
pub fn decode(bytes: &[u8]) -> Result<RgbaImage, String> {
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    // The result, and as much again for the decoder. A channel has two bytes at most.
    limits.max_alloc = Some(2 * 8 * MOST);
    reader.limits(limits);
    if reader.format().is_some_and(|format| !FORMATS.contains(&format)) {
        return Err("it is neither PNG nor JPEG nor BMP".to_owned());
    }
    // The decoder would fill what is missing with gray.
    if reader.format() == Some(ImageFormat::Jpeg) && !jpeg::is_complete(bytes) {
        return Err(TRUNCATED.to_owned());
    }
    let mut decoder = reader.into_decoder().map_err(one_line)?;
    // Checked before memory is reserved for what the header claims.
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST {
        return Err(format!(
            "it claims to have {width} by {height} pixels, which are more than the limit of {MOST}"
        ));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(one_line)?;
    picture.apply_orientation(orientation);
    Ok(picture.into_rgba8())
}

/// The description of an error, without line breaks.
fn one_line(error: ImageError) -> String {
    if matches!(&error, ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof) {
        return TRUNCATED.to_owned();
    }
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    /// A small picture, encoded.
    fn encoded(format: ImageFormat) -> Vec<u8> {
        let picture = RgbImage::from_fn(16, 11, |x, y| Rgb([15 * x as u8, 23 * y as u8, (x * y) as u8]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("it can be encoded");
        bytes.into_inner()
    }

    #[test]
    fn every_truncated_picture_is_told() {
        for format in FORMATS {
            let bytes = encoded(format);
            decode(&bytes).expect("the whole picture can be decoded");
            // What follows the last pixel of a PNG is not needed: a checksum, and a chunk without data.
            let least = if format == ImageFormat::Png { bytes.len() - 20 } else { bytes.len() };
            for length in 0..least {
                let told = decode(&bytes[..length]).expect_err("a part is not all");
                assert!(!told.is_empty() && !told.contains('\n'), "{format:?} {length}: {told}");
            }
        }
    }

    #[test]
    fn a_changed_byte_is_no_panic() {
        for format in FORMATS {
            let mut bytes = encoded(format);
            for place in 0..bytes.len() {
                for change in [1, 0x80] {
                    bytes[place] ^= change;
                    // Either result is fine, and so is any size.
                    let _ = decode(&bytes);
                    bytes[place] ^= change;
                }
            }
        }
    }

    #[test]
    fn other_formats_are_refused() {
        assert_eq!(
            decode(&encoded(ImageFormat::Gif)).err().as_deref(),
            Some("it is neither PNG nor JPEG nor BMP")
        );
    }

    #[test]
    fn claims_of_headers_are_checked_first() {
        let claim = 60_000_u32;
        let mut bmp = encoded(ImageFormat::Bmp);
        bmp[18..22].copy_from_slice(&claim.to_le_bytes());
        bmp[22..26].copy_from_slice(&claim.to_le_bytes());
        assert!(decode(&bmp).is_err_and(|told| told.contains("60000 by 60000 pixels")));
        let mut jpeg = encoded(ImageFormat::Jpeg);
        let frame = jpeg.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("it is a baseline JPEG");
        jpeg[frame + 5..frame + 7].copy_from_slice(&(claim as u16).to_be_bytes());
        jpeg[frame + 7..frame + 9].copy_from_slice(&(claim as u16).to_be_bytes());
        assert!(decode(&jpeg).is_err_and(|told| told.contains("60000 by 60000 pixels")));
    }
}
