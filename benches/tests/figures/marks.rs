//! The marks between which a page has generated text.

const BEGIN: &str = "<!-- figures: ";
const END: &str = "<!-- end of figures -->";

/// Returns the page with other text between its marks, or what is wrong with its marks.
pub fn replaced(page: &str, mut of: impl FnMut(&str) -> Result<String, String>) -> Result<String, String> {
    let mut new = String::new();
    let (mut is_between, mut is_code) = (false, false);
    for (index, line) in page.lines().enumerate() {
        let problem = |why: &str| Err(format!("line {}: {why}", index + 1));
        if line.contains("<!--") && line.contains("figures") && !line.starts_with(BEGIN) && line != END {
            return problem("a mark that is written in another way");
        }
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code && (line.starts_with(BEGIN) || line == END) {
            return problem("a mark in a block of code");
        }
        match (line.strip_prefix(BEGIN), line == END) {
            (Some(_), _) if is_between => return problem("a mark before the end of the last one"),
            (Some(rest), _) => {
                let Some(wanted) = rest.strip_suffix(" -->") else {
                    return problem("a mark that does not end");
                };
                is_between = true;
                new += &format!("{line}\n{}\n{END}\n", of(wanted)?);
            }
            (None, true) if !is_between => return problem("an end without a mark"),
            (None, true) => is_between = false,
            (None, false) if is_between => {}
            (None, false) => new += &format!("{line}\n"),
        }
    }
    if is_code {
        return Err("a block of code without an end".to_owned());
    }
    if is_between { Err("a mark without an end".to_owned()) } else { Ok(new) }
}

/// Returns the page without what is between its marks.
pub fn without(page: &str) -> String {
    replaced(page, |_| Ok(String::new())).unwrap_or_else(|_| page.to_owned())
}

#[test]
fn only_what_is_between_marks_changes() {
    let page = "a\n<!-- figures: one two -->\nold\n\nold\n<!-- end of figures -->\nb\n";
    let new = replaced(page, |wanted| Ok(format!("new {wanted}")));
    assert_eq!(
        new.expect("the marks are right"),
        "a\n<!-- figures: one two -->\nnew one two\n<!-- end of figures -->\nb\n"
    );
    assert_eq!(replaced(page, |_| Err("no".to_owned())), Err("no".to_owned()));
}

#[test]
fn wrong_marks_are_found() {
    let end = "<!-- end of figures -->";
    for wrong in [
        "<!-- figures: a -->\ntext",
        &format!("{end}\n"),
        &format!("<!-- figures: a\n{end}"),
        &format!("<!-- figures: a -->\n<!-- figures: b -->\n{end}"),
        &format!("  <!-- figures: a -->\n  {end}"),
        &format!("```\n<!-- figures: a -->\n{end}\n```"),
        "```\ntext",
    ] {
        assert!(replaced(wrong, |_| Ok(String::new())).is_err(), "{wrong}");
        assert_eq!(without(wrong), wrong, "nothing of it is left out");
    }
}
