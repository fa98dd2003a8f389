//! What the JSON of a snapshot says of a deadlock.

use crate::{asking, names, start};
use pipes::Closing;
use pipes::inspect::snapshot;
use pipes_tests::watched;
use serde_json::{Value, from_str, json};

#[test]
fn the_json_has_the_deadlocks() {
    watched(|| {
        let (mut client, server) = asking::pipe();
        start("json: closing", move || client.wait_closed());
        start("json: receiving", move || drop(server.recv()));
        let (seen, deadlock) = loop {
            let seen = snapshot();
            let found = seen.deadlocks.iter().find(|it| names(it).contains(&"json: closing".to_owned()));
            if let Some(found) = found.cloned() {
                break (seen, found);
            }
            std::thread::yield_now();
        };
        let members = deadlock.places.iter().map(|place| seen.sleepers[*place].id);
        assert!(members.eq(deadlock.sleepers.iter().map(|thread| thread.id)));
        let json: Value = from_str(&seen.to_json()).expect("it is JSON");
        let report = deadlock.to_string();
        let found = json["deadlocks"].as_array().expect("a list").iter().find(|it| it["report"] == report);
        let wanted = json!({"verdict": "certain", "sleepers": deadlock.places, "report": report});
        assert_eq!(found, Some(&wanted));
    });
}
