//! Text in columns of a terminal, in which some letters take two, and some none.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns the number of columns that the text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Returns the text, or its begin and `…` if it is wider.
pub fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    taken(text.chars(), most).into_iter().chain(['…']).collect()
}

/// Returns the text, or `…` and its end if it is wider.
pub fn cut_front(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let end = taken(text.chars().rev(), most);
    ['…'].into_iter().chain(end.into_iter().rev()).collect()
}

/// Returns the first letters that fit beside a `…`.
fn taken(letters: impl Iterator<Item = char>, most: usize) -> Vec<char> {
    let mut room = most.saturating_sub(1);
    let fits = |letter: &char| {
        let width = letter.width().unwrap_or(0);
        let fits = width <= room;
        room = room.saturating_sub(width);
        fits
    };
    letters.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_stays() {
        assert_eq!((cut("till", 4), cut_front("till", 4)), ("till".to_owned(), "till".to_owned()));
        assert_eq!((cut("金庫", 4), cut_front("金庫", 4)), ("金庫".to_owned(), "金庫".to_owned()));
    }

    #[test]
    fn a_text_is_cut_between_letters() {
        assert_eq!((cut("teller", 4), cut_front("teller", 4)), ("tel…".to_owned(), "…ler".to_owned()));
        // Each of these letters takes two columns, so one column stays free.
        assert_eq!((cut("金庫番", 4), cut_front("金庫番", 4)), ("金…".to_owned(), "…番".to_owned()));
        assert_eq!((cut("e\u{301}te\u{301}s", 3), width("e\u{301}te\u{301}s")), ("e\u{301}t…".to_owned(), 4));
        assert_eq!((cut("金庫", 1), cut_front("金庫", 1)), ("…".to_owned(), "…".to_owned()));
    }
}
