//! Tests of what is escaped and cut.

use super::*;
use crate::expand::picture::Arrow;

fn shape(name: &str, client_sends: bool, messages: &[(&str, Option<usize>)]) -> Shape {
    let arrow = |&(label, to): &(&str, _)| Arrow { label: String::from(label), to };
    Shape { name: name.into(), client_sends, messages: messages.iter().map(arrow).collect() }
}

#[test]
fn mermaid_sees_no_punctuation_that_it_knows() {
    for (written, escaped) in [
        ("login_response", "login_response"),
        ("_front", "#95;front"),
        ("back_", "back#95;"),
        ("x__y", "x#95;#95;y"),
        ("v1_2", "v1_2"),
        ("r#type", "r#35;type"),
        ("m(Vec<&'a [u8; 4]>)", "m(Vec#60;#38;'a [u8#59; 4]#62;)"),
        ("m(at: std::io::Result<()>)", "m(at#58; std#58;#58;io#58;#58;Result#60;()#62;)"),
        ("m(*const u8)", "m(#42;const u8)"),
        ("m(n!(\"a\\n\", `%%{x}`))", "m(n#33;(#34;a#92;n#34;, #96;#37;#37;#123;x#125;#96;))"),
        ("a\nb", "a b"),
        ("ärger_请求", "ärger_请求"),
    ] {
        assert_eq!(mermaid_text(written), escaped);
    }
}

#[test]
fn graphviz_sees_no_escape_and_no_entity() {
    for (written, escaped) in [
        ("r#type", r#""r#type""#),
        (r#"m(n!("a\n"))"#, r#""m(n!(\"a\\n\"))""#),
        ("m([&lt; 4])", r#""m([&amp;lt; 4])""#),
        ("a\nb", r#""a b""#),
    ] {
        assert_eq!(quoted(written), escaped);
    }
    assert_eq!(quoted_lines(&["a".into(), "b\\".into()]), r#""a\nb\\""#);
}

#[test]
fn states_of_mermaid_have_names_of_their_own() {
    let names = ["end", "r#type", "ärger", "s_end", "s2", "请求"];
    let states = names.map(|name| shape(name, true, &[])).into();
    let picture = Picture { name: "p".into(), states };
    let ids: Vec<String> = (0..names.len()).map(|index| mermaid_id(&picture, index)).collect();
    assert_eq!(ids, ["s_end", "s_type", "s2", "s_s_end", "s_s2", "s5"]);
}

#[test]
fn payloads_are_cut_and_names_are_not() {
    let (name, ty) = ("n".repeat(50), "ß".repeat(50));
    assert_eq!(label(&format!("m({ty})")), format!("m({}…", "ß".repeat(41)));
    assert_eq!(label(&format!("{name}({ty})")), format!("{name}(…"));
    assert_eq!(label(&name), name);
}

#[test]
fn messages_to_one_state_share_an_arrow() {
    let states = vec![
        shape("a", true, &[("x", Some(1)), ("y", None), ("z(u8)", Some(1)), ("again", Some(0))]),
        shape("b", false, &[("bye", None)]),
    ];
    let picture = Picture { name: "p".into(), states };
    let (mermaid, dot) = (mermaid(&picture), dot(&picture));
    assert!(
        mermaid.contains("s_a: ↺ again\n") && mermaid.contains("s_a --> s_b: x<br/>z(u8)\n"),
        "{mermaid}"
    );
    assert!(!mermaid.contains("s_a --> s_a"), "{mermaid}");
    assert!(
        dot.contains(r#""a" -> "b" [label="x\nz(u8)"]"#) && dot.contains(r#""a" -> "a" [label="again"]"#)
    );
}

#[test]
fn nothing_can_be_shown() {
    let empty = Picture { name: String::new(), states: Vec::new() };
    assert!(mermaid(&empty).starts_with("stateDiagram-v2\n") && dot(&empty).ends_with("\n}\n"));
    let mute = Picture { name: "p".into(), states: vec![shape("s", false, &[])] };
    assert!(!mermaid(&mute).contains("class s_s client") && !dot(&mute).contains("\"!\""));
}
