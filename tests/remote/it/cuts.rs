//! A connection that is cut after each of its bytes, in each way: both sides are told what happened, and each
//! payload that was made is dropped.

use pipes::remote::Cause;
use pipes_remote::ConnectError;
use pipes_remote_tests::raw::{BYE, LEAVE, MESSAGE, codes};
use pipes_remote_tests::scripts::{Finish, Report, Script};
use pipes_remote_tests::{Cable, Counts, Cut, DOWN, Net, Plan, UP, rest, tasks, within};
use pipes_tests::Rng;
use std::io::ErrorKind;
use std::time::Duration;
use tokio::time::Instant;

/// The bytes of a read or a write.
const PIECES: [usize; 2] = [1, usize::MAX];
/// As the settings say.
const LOST: Duration = Duration::from_secs(15);

/// Plays the script on a connection, and checks what must hold whatever happened to it.
async fn play(script: Script, n: u64, pace: Duration, plan: Plan) -> Cable {
    play_at(Net::of(plan), script, n, pace, plan).await
}

async fn play_at(net: Net, script: Script, n: u64, pace: Duration, plan: Plan) -> Cable {
    let (base, before) = (tasks(), Counts::now().alive);
    let (client, server) = within(script.play(&net, n, pace)).await;
    rest().await;
    let context = format!("{script:?} {plan:?}");
    assert_eq!(tasks(), base, "tasks are left: {context}");
    assert_eq!(Counts::now().alive, before, "payloads are left: {context}");
    let cable = net.cable(0);
    if let (Some(client), Some(server)) = (&client, &server) {
        assert!(client.sent.starts_with(&server.heard), "{context}: {client:?} {server:?}");
        assert!(server.sent.starts_with(&client.heard), "{context}: {client:?} {server:?}");
    }
    for (report, line) in [(client, UP), (server, DOWN)] {
        match report {
            Some(report) => judge(&report, &cable, line, &context).await,
            None => assert!(plan.cut.is_some(), "no session: {context}"),
        }
    }
    cable
}

/// Checks what a side says, which writes to this line.
async fn judge(report: &Report, cable: &Cable, line: usize, context: &str) {
    let context = &format!("{context}: {report:?}");
    let heard = codes(&cable.history(1 - line));
    if report.finish != Finish::Left {
        let arrived = heard.iter().filter(|code| **code >= MESSAGE).count();
        assert_eq!(report.heard.len(), arrived, "{context}");
    }
    let (heard_bye, heard_leave) = (heard.contains(&BYE), heard.contains(&LEAVE));
    let cause = report.link.cause();
    let is_delivered = report.link.delivered_async().await.is_ok();
    match report.finish {
        Finish::SentLast => {
            assert_eq!(matches!(cause, Cause::Ended), heard_bye && !heard_leave, "{context}");
            assert_eq!(matches!(cause, Cause::Left), heard_leave, "{context}");
            assert_eq!(is_delivered, heard_bye, "{context}");
        }
        Finish::HeardLast => {
            assert!(matches!(report.cause, Cause::Ended), "known before the last message: {context}");
            assert!(matches!(cause, Cause::Ended), "{context}");
            assert!(is_delivered, "{context}");
        }
        Finish::Left => {
            // What it has not received may have been the last message, or the other side's LEAVE.
            assert!(!matches!(cause, Cause::Open | Cause::Fault(_)), "{context}");
            assert!(is_delivered || !heard_bye, "{context}");
        }
        Finish::Closed => {
            assert!(!matches!(report.cause, Cause::Open), "known before the end closes: {context}");
            assert_eq!(matches!(cause, Cause::Left), heard_leave, "{context}");
        }
    }
    if !matches!(cause, Cause::Ended | Cause::Left | Cause::LeftHere) {
        assert!(matches!(cause, Cause::Broken(_) | Cause::Silent(_)), "{context}");
    }
    let over = cable.dropped(line).expect("the pump has ended");
    match cable.heard(1 - line) {
        Some(heard_at) => when(&cause, over, heard_at, context),
        // An eager client that has heard nothing at all.
        None => assert!(matches!(cause, Cause::LeftHere) || is_unanswered(&cause), "{context}"),
    }
}

/// Returns `true` if the session had no answer.
fn is_unanswered(cause: &Cause) -> bool {
    let Cause::Broken(error) = cause else { return false };
    error.get_ref().is_some_and(|inner| inner.is::<ConnectError>())
}

/// Checks when the pump has ended.
fn when(cause: &Cause, over: Instant, heard_at: Instant, context: &str) {
    match cause {
        Cause::Silent(time) => {
            assert_eq!(*time, LOST, "{context}");
            assert_eq!(over - heard_at, LOST, "{context}");
        }
        // Only a side that waits for no confirmation of a message has a time limit for the closing
        // handshake.
        Cause::Broken(_) if is_unanswered(cause) => {}
        Cause::Broken(error) => assert_ne!(error.kind(), ErrorKind::TimedOut, "{context}"),
        _ => {}
    }
}

/// Cuts the script's connection after each byte, in each way. Returns how many times.
async fn sweep(script: Script, n: u64, pace: Duration, kinds: &[Cut], pieces: &[usize]) -> usize {
    let mut cuts = 0;
    for piece in pieces {
        let plan = Plan { piece: *piece, ..Plan::default() };
        let whole = play(script, n, pace, plan).await;
        for line in [UP, DOWN] {
            for at in 0..=whole.passed(line) {
                for how in kinds {
                    play(script, n, pace, Plan { cut: Some((line, at, *how)), ..plan }).await;
                    cuts += 1;
                }
            }
        }
    }
    cuts
}

macro_rules! sweeps {
    ($($name:ident: $script:ident, $n:expr;)*) => {
        $(
            #[tokio::test(start_paused = true)]
            async fn $name() {
                let cuts = sweep(Script::$script, $n, Duration::ZERO, &Cut::ALL, &PIECES).await;
                assert!(cuts > 1000, "{cuts} cuts");
            }
        )*
    };
}

sweeps! {
    talk_that_its_client_ends: TalkClientEnds, 3;
    talk_that_its_server_ends: TalkServerEnds, 3;
    talk_that_its_client_leaves: TalkClientLeaves, 3;
    talk_that_its_client_leaves_with_a_question: TalkClientLeavesAsking, 3;
    talk_that_its_server_leaves: TalkServerLeaves, 3;
    loads_that_end: Loads, 20;
    loads_that_their_client_leaves: LoadsClientLeaves, 20;
    loads_that_their_server_leaves: LoadsServerLeaves, 20;
    loads_whose_server_waits: LoadsServerWaits, 20;
}

/// With time between the messages, so that there are heartbeats and the silence begins late.
#[tokio::test(start_paused = true)]
async fn slow_sessions() {
    for script in Script::ALL {
        let pace = Duration::from_secs(7);
        sweep(script, 3, pace, &[Cut::Ends, Cut::Silence, Cut::Dead], &[usize::MAX]).await;
    }
}

/// Clients do not wait for the answer.
#[tokio::test(start_paused = true)]
async fn eager_sessions() {
    let mut cuts = 0;
    for script in Script::ALL {
        let plan = Plan { piece: 7, ..Plan::default() };
        let whole = play_at(Net::of(plan).eager(), script, 3, Duration::ZERO, plan).await;
        for (line, how) in [UP, DOWN].into_iter().flat_map(|line| Cut::ALL.map(|how| (line, how))) {
            for at in 0..=whole.passed(line) {
                let plan = Plan { cut: Some((line, at, how)), ..plan };
                play_at(Net::of(plan).eager(), script, 3, Duration::ZERO, plan).await;
                cuts += 1;
            }
        }
    }
    assert!(cuts > 1000, "{cuts} cuts");
}

/// Sessions of random length and pace over connections with little room, cut at a random byte or not at all.
#[tokio::test(start_paused = true)]
async fn random_sessions() {
    let mut random = Rng::with_seed(1);
    for _ in 0..2500 {
        let mut below = |limit: u64| random.u64(..limit);
        let script = Script::ALL[below(Script::ALL.len() as u64) as usize];
        let (n, pace) = (below(30), Duration::from_millis(below(3) * below(9000)));
        let (line, how) = ([UP, DOWN][below(2) as usize], Cut::ALL[below(5) as usize]);
        let cut = (below(4) > 0).then(|| (line, 40 + below(10 + 8 * n), how));
        let (piece, room) = (1 + below(20) as usize, 1 + below(100) as usize);
        play(script, n, pace, Plan { piece, room, cut, ..Plan::default() }).await;
    }
}
