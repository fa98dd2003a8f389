//! The conversation of the guide: a client and a server of a bank.

use super::{in_short, of_threads, record_alone};
use crate::start;
use pipes::inspect::{Recording, note, snapshot};
use pipes_tests::watched;
use std::path::Path;
use std::{env, fs, thread};

pipes::proto! {
    /// A customer logs in, and puts money into an account.
    bank {
        login: send { login(String) -> answer }
        answer: recv { ok -> account, refused -> login }
        account: send { deposit(u64) -> account, leave -> ! }
    }
}

/// Waits until the thread of this name is asleep.
fn until_asleep(name: &str) {
    let is_asleep = || snapshot().sleepers.iter().any(|it| it.name.as_deref() == Some(name) && !it.is_woken);
    while !is_asleep() {
        thread::yield_now();
    }
}

fn serve(login: bank::Server<bank::Login>) {
    let mut login = login;
    let mut account = loop {
        let Ok(bank::Login::Login(name, answer)) = login.recv() else { return };
        until_asleep("client");
        match &*name {
            "Ada" => break answer.ok().expect("the client waits"),
            _ => login = answer.refused().expect("the client waits"),
        }
    };
    while let Ok(bank::Account::Deposit(_, next)) = account.recv() {
        account = next;
    }
}

fn log_in(client: bank::Client<bank::Login>, name: &str) -> bank::Answer {
    until_asleep("server");
    note(|| format!("is {name}"));
    client.login(name.to_owned()).expect("the server is there").recv().expect("it answers")
}

/// Two threads have a conversation, and each waits until the other one sleeps. `end` is called with the
/// client's last end.
fn conversation(end: fn(bank::Client<bank::Account>)) -> Recording {
    let (recorder, _one) = record_alone(100);
    let client = start("client", move || {
        let (client, server) = bank::pipe();
        let server = start("server", move || serve(server));
        let bank::Answer::Refused(client) = log_in(client, "Eve") else { panic!("it is refused") };
        let bank::Answer::Ok(client) = log_in(client, "Ada") else { panic!("it is not refused") };
        until_asleep("server");
        let client = client.deposit(5).expect("the server is there");
        until_asleep("server");
        end(client);
        server.join().expect("it does not panic");
    });
    client.join().expect("it does not panic");
    of_threads(recorder.stop(), &["client", "server"])
}

#[test]
fn the_conversation_is_drawn_as_in_the_guide() {
    watched(|| {
        let recording = conversation(|client| client.leave().expect("the server is there"));
        let mermaid = recording.to_mermaid();
        let expected = "\
sequenceDiagram
    participant t0 as client
    participant t1 as server
    Note over t1: waits for login
    Note over t0: is Eve
    t0->>t1: login
    Note over t0: waits for ok or refused
    t1->>t0: refused
    Note over t1: waits for login
    Note over t0: is Ada
    t0->>t1: login
    Note over t0: waits for ok or refused
    t1->>t0: ok
    Note over t1: waits for deposit or leave
    t0->>t1: deposit
    Note over t1: waits for deposit or leave
    t0->>t1: leave
";
        assert_eq!(mermaid, expected);
        let page = include_str!("../../../pipes/docs/what_happened.md");
        assert!(page.contains(&format!("```text\n{mermaid}```")), "the guide does not have\n{mermaid}");
        let picture = recording.to_svg();
        roxmltree::Document::parse(&picture).expect("it is XML");
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pipes/docs/what_happened.svg");
        if env::var_os("BLESS").is_some() {
            fs::write(&file, &picture).expect("it can be written");
        }
        let kept = fs::read_to_string(&file).expect("it is there");
        assert_eq!(kept, picture, "this test with BLESS=1 draws it anew");
    });
}

#[test]
fn each_step_of_a_conversation_is_recorded() {
    watched(|| {
        let recording = conversation(|client| client.leave().expect("the server is there"));
        let mut steps = in_short(&recording);
        steps.retain(|it| !it.starts_with("fell") && !it.starts_with("woke"));
        let expected = [
            "made bank",
            "noted is Eve",
            "client sent login 0",
            "server received login 0",
            "server sent refused 1",
            "client received refused 1",
            "noted is Ada",
            "client sent login 2",
            "server received login 2",
            "server sent ok 3",
            "client received ok 3",
            "client sent deposit 4",
            "server received deposit 4",
            "client sent leave 5",
            "server received leave 5",
        ];
        assert_eq!(steps, expected);
    });
}

#[test]
fn a_close_is_drawn_before_the_one_that_it_causes() {
    watched(|| {
        let recording = conversation(drop);
        let expected = "
    t0->>t1: deposit
    Note over t1: waits for deposit or leave
    Note over t0: closes bank
    Note over t1: closes bank
";
        assert!(recording.to_mermaid().ends_with(expected), "{}", recording.to_mermaid());
    });
}
