//! The table and the JSON.

use super::{Order, asleep, start, thread_of, till, wait_for};
use pipes::inspect::snapshot;
use pipes::{PortSet, stream};
use pipes_tests::watched;

#[test]
fn the_table_has_at_most_a_hundred_columns() {
    watched(|| {
        let (chans, ports): (Vec<_>, Vec<_>) = (0..20).map(|_| stream::<[Vec<Order>; 3]>()).unzip();
        let name = format!("a \"name\" of more than twenty-four letters \n{}", "é".repeat(80));
        let mut set = PortSet::from_iter(ports);
        let thread = start(&name, move || drop(set.recv()));
        let (seen, _) = wait_for(|seen| thread_of(seen, &name).cloned());
        let table = seen.to_string();
        assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
        assert!(table.contains("THREAD") && table.contains("    … and 12 more\n"), "{table}");
        assert!(table.contains("    a message at Port<[Vec<Order>; 3]>\n"), "{table}");
        assert!(table.contains("printed.rs:"), "{table}");
        drop(chans);
        thread.join().expect("it does not panic");
    });
}

#[test]
fn the_json_can_be_read() {
    watched(|| {
        let (client, server) = till::pipe();
        let client = client.login("Ada".to_owned()).expect("the server is there");
        let name = "quo\"te\\ and \u{1} control";
        let thread = start(name, move || drop(client.recv()));
        asleep(name);
        let json: serde_json::Value = serde_json::from_str(&snapshot().to_json()).expect("it is JSON");
        assert_eq!(json["version"], 1);
        assert!(json["deadlocks"].is_array());
        let threads = json["sleepers"].as_array().expect("a list");
        let ours = threads.iter().find(|it| it["name"] == name).expect("it sleeps");
        assert!(ours["location"].as_str().is_some_and(|at| at.contains("printed.rs:")));
        assert!(ours["asleep_us"].is_u64() && ours["time_left_us"].is_null());
        assert_eq!(ours["waits_for_other"], false);
        let wait = &ours["waits_for"][0];
        assert_eq!(wait["awaited"], "message");
        assert_eq!(wait["end"], "till::Client<Answer>");
        assert_eq!(wait["protocol"], "till");
        assert_eq!(wait["state"], "answer");
        assert_eq!(wait["sender"], "server");
        assert_eq!(wait["messages"], serde_json::json!(["ok", "refused"]));
        assert_eq!(wait["other_side"], serde_json::json!([]));
        assert!(wait["channel"].is_u64());
        drop(server);
        thread.join().expect("it does not panic");
    });
}
