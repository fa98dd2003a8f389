//! Tests of the drawing's text and its lanes.

use super::*;

fn shape(name: &str, client_sends: bool, messages: &[(&str, Option<usize>)]) -> Shape {
    let arrow = |&(label, to): &(&str, _)| Arrow { label: String::from(label), to };
    Shape { name: name.into(), client_sends, messages: messages.iter().map(arrow).collect() }
}

fn bank() -> Picture {
    let states = vec![
        shape("login", true, &[("login(String, String)", Some(1))]),
        shape("login_response", false, &[("ok", Some(2)), ("invalid", Some(0))]),
        shape("connected", true, &[("deposit(u64)", Some(2)), ("withdrawal(u64)", Some(3))]),
        shape("withdrawal_response", false, &[("money(u64)", Some(2)), ("insufficient_funds", Some(2))]),
    ];
    Picture { name: "bank".into(), states }
}

/// Returns a random graph. About one step in eight ends the session, and a few lead to a state that does not
/// exist.
fn scrambled(mut seed: u64) -> Picture {
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % bound
    };
    let count = 1 + below(40);
    let mut picture = Picture { name: "scrambled".into(), states: Vec::new() };
    for state in 0..count {
        let targets: Vec<_> = (0..below(9)).map(|_| (below(8) > 0).then(|| below(count + 1))).collect();
        let messages: Vec<_> = targets.iter().map(|to| ("message", *to)).collect();
        picture.states.push(shape(&format!("state_{state}"), below(2) == 0, &messages));
    }
    picture
}

#[test]
fn all_words_are_in_it() {
    let drawing = draw(&bank());
    for state in bank().states {
        assert!(drawing.contains(&format!(">{}</text>", state.name)));
        for message in state.messages {
            assert!(drawing.contains(&format!(">{}</text>", message.label)));
        }
    }
}

#[test]
fn long_labels_are_cut_between_characters() {
    let long = "ß".repeat(45);
    let drawing = draw(&Picture { name: "long".into(), states: vec![shape("s", true, &[(&long, None)])] });
    assert!(drawing.contains(&format!("<title>{long} → end of the session</title>{}…<", "ß".repeat(43))));
}

#[test]
fn markdown_takes_it_for_one_block() {
    for picture in [bank(), scrambled(1), Picture { name: "a\n\nb\r\n\r\nc".into(), states: Vec::new() }] {
        let drawing = draw(&picture);
        assert!(drawing.starts_with("<div ") && drawing.ends_with("</div>"));
        assert!(drawing.lines().all(|line| line.starts_with('<')));
    }
}

#[test]
fn text_is_escaped() {
    let states = vec![shape("a<b", true, &[("c & \"d\"", Some(0))])];
    let drawing = draw(&Picture { name: "<script>".into(), states });
    for escaped in
        ["<title>The states of &lt;script&gt;</title>", "a&lt;b</text>", "c &amp; &quot;d&quot;</text>"]
    {
        assert!(drawing.contains(escaped), "{escaped}");
    }
}

/// The steps to one target are one line here, so two lines in the same lane must not touch.
#[test]
fn lines_in_a_lane_do_not_touch() {
    for seed in 0..200 {
        let lines = Layout::of(&scrambled(seed)).lines;
        for (index, one) in lines.iter().enumerate() {
            assert!(one.rows.iter().all(|y| (one.low..=one.high).contains(y)));
            for other in lines[index + 1..].iter().filter(|other| other.lane == one.lane) {
                assert!(one.high < other.low || other.high < one.low, "seed {seed}");
            }
        }
    }
}

/// Lines run horizontally at the heights of rows and headers, so these heights must differ.
#[test]
fn every_row_and_header_has_its_own_height() {
    for seed in 0..200 {
        let picture = scrambled(seed);
        let layout = Layout::of(&picture);
        let rows = steps(&picture, &layout.tops).map(|(y, _)| y);
        let mut heights: Vec<_> = rows.chain(layout.tops.iter().map(|top| top + HEADER / 2)).collect();
        heights.sort_unstable();
        assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 2 * BEND), "seed {seed}");
    }
}

#[test]
fn it_is_the_same_each_time() {
    for seed in 0..20 {
        assert_eq!(draw(&scrambled(seed)), draw(&scrambled(seed)));
    }
}

#[test]
fn nothing_can_be_drawn() {
    assert!(draw(&Picture { name: String::new(), states: Vec::new() }).contains("<svg"));
    assert!(draw(&Picture { name: String::new(), states: vec![shape("", true, &[])] }).contains("<rect"));
}
