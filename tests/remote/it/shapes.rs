//! Payloads that serde can describe and postcard cannot carry: which side finds them, and what it says.

use pipes::remote::{Cause, Fault, Link};
use pipes_remote_tests::{Net, Unchecked, within};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::num::NonZero;

/// A variant in the middle that is never sent: serde counts it when it writes.
#[derive(Debug, Serialize, Deserialize)]
pub enum Shifted {
    First,
    #[serde(skip)]
    #[expect(dead_code, reason = "it is skipped")]
    Hidden,
    Second(u8),
    Third(u8),
}

/// The skipped variant is the last one, so no other one has another index.
#[derive(Debug, Serialize, Deserialize)]
pub enum Harmless {
    #[serde(alias = "Zero", alias = "Zéro")]
    First,
    #[serde(rename(serialize = "second", deserialize = "Deux"))]
    Second {
        #[serde(skip)]
        hidden: u8,
        shown: u8,
    },
    #[serde(skip)]
    #[expect(dead_code, reason = "it is skipped")]
    Hidden,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Untagged {
    Number(u64),
    Text(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Flat {
    #[serde(flatten)]
    more: BTreeMap<String, u8>,
}

/// Without the first field, the bytes of the others are also those of all three.
#[derive(Debug, Serialize, Deserialize)]
pub struct Gap {
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<u8>,
    small: u8,
    large: u32,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct OneWay {
    #[serde(skip_deserializing)]
    written: u8,
    both: u8,
}

/// What is fine, and looks as if it were not.
#[derive(Debug, Serialize, Deserialize)]
pub struct Fine {
    harmless: Vec<Harmless>,
    order: HashMap<u64, Harmless>,
    number: NonZero<u8>,
    maybe: Option<Result<(), String>>,
}

/// Refuses what it has written itself.
#[derive(Debug, Serialize)]
pub struct Refused;

impl<'a> Deserialize<'a> for Refused {
    fn deserialize<D: serde::Deserializer<'a>>(_: D) -> Result<Self, D::Error> {
        Err(serde::de::Error::custom("not here"))
    }
}

pipes::proto! {
    /// A message for each shape.
    #[remote]
    pub shapes {
        open: send {
            shifted(Shifted) -> open,
            untagged(Untagged) -> open,
            flat(Flat) -> open,
            gap(Gap) -> open,
            one_way(OneWay) -> open,
            any(serde_json::Value) -> open,
            fine(Fine) -> open,
            refused(Refused) -> open
        }
    }
}

type Client = shapes::Client<shapes::Open>;

/// Sends something, and waits until both sides know what became of it: what the server received, and the
/// causes at the client and at the server.
async fn send(send: impl FnOnce(Client) -> Client, is_checked: bool) -> (Option<shapes::Open>, Cause, Cause) {
    let net = Net::new();
    let ((client, link), (server, its_link)) =
        if is_checked { session(&net.via()).await } else { session(&net.via().codec(Unchecked)).await };
    let client = send(client);
    let received = within(server).await.ok();
    if received.is_none() {
        let mut client = client;
        within(pipes::Closing::closed(&mut client)).await;
    }
    (received, link.cause(), its_link.cause())
}

async fn session<V>(via: &V) -> ((Client, Link), (shapes::Server<shapes::Open>, Link))
where
    V: pipes::remote::Dial<shapes::Protocol>
        + pipes::remote::Serve<shapes::Protocol, (shapes::Server<shapes::Open>, Link)>,
{
    let mut listener = shapes::listen_with_links_async(via).await.expect("it is free");
    let client = shapes::connect_with_link_async(via).await.expect("it listens");
    (client, within(listener.recv_async()).await.expect("a client comes"))
}

/// The sentence with which a side ends the session, where these words are all in it.
#[track_caller]
fn assert_says(cause: &Cause, words: &[&str]) {
    let said = match cause {
        Cause::Fault(Fault::Unencodable(said) | Fault::Undecodable(said)) => said,
        other => panic!("{other:?}"),
    };
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

macro_rules! sent {
    ($message:ident($payload:expr)) => {
        send(|client| client.$message($payload).expect("the link stands"), true)
    };
    ($message:ident($payload:expr), unchecked) => {
        send(|client| client.$message($payload).expect("the link stands"), false)
    };
}

#[cfg(debug_assertions)]
mod where_it_is_sent {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_variant_that_would_arrive_as_another_one() {
        let (_, cause, theirs) = sent!(shifted(Shifted::Second(7))).await;
        let words =
            ["`shifted` of `shapes`", "shapes::Shifted`", "`Shifted::Second` is decoded as `Shifted::Third`"];
        assert_says(&cause, &words);
        assert_says(&cause, &["#[serde(skip)]"]);
        assert!(theirs.to_string().contains("decoded as `Shifted::Third`"), "{theirs}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_variant_whose_index_does_not_exist_there() {
        let (_, cause, _) = sent!(shifted(Shifted::Third(7))).await;
        assert_says(&cause, &["`shifted` of `shapes`", "`Shifted::Third`", "#[serde(skip)]"]);
    }

    #[tokio::test(start_paused = true)]
    async fn types_that_ask_what_comes_next() {
        let words = ["deserialize_any", "untagged"];
        let (_, cause, _) = sent!(untagged(Untagged::Number(7))).await;
        assert_says(&cause, &[&words[..], &["`untagged` of `shapes`", "Untagged"]].concat());
        let (_, cause, _) = sent!(untagged(Untagged::Text("x".into()))).await;
        assert_says(&cause, &words);
        let (_, cause, _) = sent!(any(serde_json::json!([1, "two"]))).await;
        assert_says(&cause, &[&words[..], &["`any` of `shapes`", "serde_json"]].concat());
    }

    #[tokio::test(start_paused = true)]
    async fn fields_that_are_left_out() {
        let (_, cause, _) = sent!(gap(Gap { maybe: None, small: 1, large: 0xffff })).await;
        assert_says(&cause, &["`gap` of `shapes`", "`maybe`", "skip_serializing_if"]);
        let (received, ..) = sent!(gap(Gap { maybe: Some(1), small: 1, large: 0xffff })).await;
        assert!(received.is_some(), "nothing was left out");
        let (_, cause, _) = sent!(one_way(OneWay { written: 1, both: 2 })).await;
        assert_says(&cause, &["`one_way` of `shapes`", "1 bytes"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_map_without_a_length_is_refused_where_it_is_sent() {
    let more = BTreeMap::from([("x".into(), 1)]);
    let (_, cause, _) = sent!(flat(Flat { more })).await;
    assert_says(&cause, &["`flat` of `shapes`", "shapes::Flat`", "#[serde(flatten)]"]);
}

#[tokio::test(start_paused = true)]
async fn types_that_ask_what_comes_next_are_named_where_they_arrive() {
    let (_, _, cause) = sent!(untagged(Untagged::Number(7)), unchecked).await;
    assert_says(&cause, &["`untagged` of `shapes`", "shapes::Untagged`", "deserialize_any"]);
    let (_, _, cause) = sent!(any(serde_json::json!(1)), unchecked).await;
    assert_says(&cause, &["`any` of `shapes`", "Value", "deserialize_any"]);
}

#[tokio::test(start_paused = true)]
async fn a_payload_that_is_fine_arrives() {
    let order = (0..100).map(|number| {
        let second = Harmless::Second { hidden: 1, shown: number as u8 };
        (number, if number % 3 == 0 { Harmless::First } else { second })
    });
    let fine = Fine {
        harmless: vec![Harmless::Second { hidden: 0, shown: 7 }, Harmless::First],
        order: order.collect(),
        number: NonZero::<u8>::MIN,
        maybe: Some(Err("none".into())),
    };
    let (received, cause, _) = sent!(fine(fine)).await;
    assert!(matches!(received, Some(shapes::Open::Fine(Fine { .. }, _))), "{cause}");
    let (received, ..) = sent!(shifted(Shifted::First)).await;
    assert!(matches!(received, Some(shapes::Open::Shifted(Shifted::First, _))));
}

/// What a type refuses may depend on the program.
#[tokio::test(start_paused = true)]
async fn what_a_type_refuses_itself_is_refused_where_it_arrives() {
    let (_, theirs, cause) = sent!(refused(Refused)).await;
    assert_says(&cause, &["`refused` of `shapes`", "shapes::Refused`", "refuses"]);
    assert!(matches!(theirs, Cause::Fault(Fault::Reported(_))), "{theirs:?}");
}
