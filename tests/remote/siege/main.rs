//! A bank under siege: a process that listens over every engine, while attackers of all kinds do their worst
//! and honest clients do their business. The bank does not panic, no honest client is refused or gets a wrong
//! answer, no client gets in without the certificate that it needs, and when the attackers have gone, the
//! bank has no more tasks, files and memory than before.
//!
//! `PIPES_SIEGE` sets how many seconds it lasts, `PIPES_RANDOM_SEED` what the attackers choose.
#![cfg(target_os = "linux")]

mod another;
mod attacks;
mod away;
mod bank;
mod honest;
mod ledger;
mod places;
mod server;

use another::{Another, Use};
use attacks::{Camp, killed};
use honest::{Done, visit};
use ledger::Ledger;
use peak_alloc::PeakAlloc;
use pipes_remote_tests::size;
use places::{Place, Places};
use std::env;
use std::io::{Read, stdin};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What another process is to be.
const ROLE: &str = "PIPES_TEST_ROLE";
/// It prints this before what it says: the test harness prints other lines.
const SAYS: &str = "says ";

/// The attackers at a time.
const ATTACKERS: usize = 24;

/// What the bank may keep after an attack, beyond what it had before.
const MORE_BYTES: u64 = 4 << 20;

/// The most memory of its process at any time. An allocator may keep what was freed: an hour's attack left
/// 118 MiB with the process, of which 8 were in use.
const MOST_KILOBYTES: u64 = 256 << 10;

/// How long it may take to come to rest. A connection of QUIC whose client was killed lasts 15 s.
const REST: Duration = Duration::from_secs(60);

/// Only for other processes; a run without a role has nothing to do but to check that.
#[test]
fn as_another_process() {
    let role = env::var(ROLE).unwrap_or_default();
    match role.split_once(' ') {
        Some(("bank", folder)) => server::run(Path::new(folder)),
        Some(("clients", written)) => {
            let (folder, addresses) = written.split_once(' ').expect("it has both");
            killed::run(&Places::new(Path::new(folder), addresses));
        }
        _ => assert_eq!(role, "", "an unknown role"),
    }
}

/// Until this process is killed, or the one that started it has gone.
fn wait_for_ever() {
    let mut rest = Vec::new();
    stdin().read_to_end(&mut rest).expect("it can be read");
}

/// What the bank has.
#[derive(Clone, Copy, Debug)]
struct State {
    tasks: u64,
    bytes: u64,
    /// That are open, and that there were.
    sessions: u64,
    begun: u64,
    uses: Use,
}

impl State {
    fn of(bank: &mut Another) -> Self {
        bank.tell("state");
        let said = bank.says();
        let numbers: Vec<u64> = said.split(' ').map(|it| it.parse().expect("it is a number")).collect();
        let [tasks, bytes, sessions, begun] = numbers[..] else { panic!("{said}") };
        State { tasks, bytes, sessions, begun, uses: bank.uses() }
    }

    /// Returns `true` if this is as it was at rest.
    fn is_as(&self, rest: &State) -> bool {
        self.sessions == 0
            && self.tasks <= rest.tasks
            && self.uses.files <= rest.uses.files
            && self.bytes <= rest.bytes + MORE_BYTES
    }
}

/// It lives, and has nothing to complain about.
fn is_well(bank: &mut Another) {
    let errors = bank.errors();
    assert!(bank.is_alive() && errors.is_empty(), "the bank: {errors}");
}

/// Honest clients at all places.
fn visitors(runtime: &Runtime, places: &Places, day: &'static str) -> (Arc<Done>, Vec<JoinHandle<()>>) {
    let done = Arc::new(Done::default());
    let visit = |place| runtime.spawn(visit(places.clone(), place, done.clone(), day));
    let visiting = Place::ALL.into_iter().map(visit).collect();
    (done, visiting)
}

fn go_home(runtime: &Runtime, done: &Done, visiting: Vec<JoinHandle<()>>) {
    done.stops.store(true, Ordering::Relaxed);
    for visiting in visiting {
        let ended = runtime.block_on(async { timeout(Duration::from_secs(120), visiting).await });
        ended.expect("its session ends").expect("each honest client gets what it is due");
    }
}

/// Waits until the bank is at rest: all that it has for its clients is gone.
fn at_rest(bank: &mut Another, rest: &State) -> (State, Duration) {
    let begin = Instant::now();
    loop {
        let state = State::of(bank);
        if state.is_as(rest) {
            return (state, begin.elapsed());
        }
        assert!(begin.elapsed() < REST, "it does not come to rest: {state:?}, and it was {rest:?}");
        sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_bank_under_siege() {
    let (time, seed) = (Duration::from_secs(size("PIPES_SIEGE", 8)), size("PIPES_RANDOM_SEED", 0));
    let folder = tempfile::tempdir().expect("there is room");
    places::write(folder.path());
    let role = format!("bank {}", folder.path().display());
    let mut bank = Another::start(&role, Some(folder.path().join("errors")));
    let places = Places::new(folder.path(), &bank.says());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("threads can be had");

    // What it has at rest, after some peaceful business.
    let fresh = State::of(&mut bank);
    let (done, visiting) = visitors(&runtime, &places, "in peace");
    while done.sessions.iter().any(|count| count.load(Ordering::Relaxed) < 20) {
        sleep(Duration::from_millis(10));
        assert!(!visiting.iter().any(JoinHandle::is_finished), "an honest client has failed");
    }
    go_home(&runtime, &done, visiting);
    let (rest, _) = at_rest(&mut bank, &State { bytes: fresh.bytes + MORE_BYTES, ..fresh });
    println!("at first: {fresh:?}\nat rest: {rest:?}");

    let ledger = Arc::new(Ledger::default());
    let camp = Arc::new(runtime.block_on(Camp::new(places.clone(), ledger.clone())));
    let (done, visiting) = visitors(&runtime, &places, "under siege");
    let begin = Instant::now();
    let until = tokio::time::Instant::now() + time;
    let attack = |number| {
        let seed = seed * ATTACKERS as u64 + number as u64 + 1;
        runtime.spawn(camp.clone().attack(number, ATTACKERS, until, seed))
    };
    let attackers: Vec<_> = (0..ATTACKERS).map(attack).collect();
    let (mut most, mut told) = (rest, Instant::now());
    while !attackers.iter().all(JoinHandle::is_finished) {
        sleep(Duration::from_millis(500));
        is_well(&mut bank);
        assert!(!visiting.iter().any(JoinHandle::is_finished), "an honest client has failed");
        assert!(begin.elapsed() < time + Duration::from_secs(300), "the attackers do not come to an end");
        let state = State::of(&mut bank);
        most.sessions = most.sessions.max(state.sessions);
        most.tasks = most.tasks.max(state.tasks);
        most.bytes = most.bytes.max(state.bytes);
        most.uses.kilobytes = most.uses.kilobytes.max(state.uses.kilobytes);
        most.uses.files = most.uses.files.max(state.uses.files);
        assert!(state.uses.kilobytes <= MOST_KILOBYTES, "the bank takes too much: {state:?}");
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            println!("after {:?}: {state:?}, {:?}", begin.elapsed(), done);
        }
        assert!(ledger.all_wrong().is_empty(), "{:#?}", ledger.all_wrong());
    }
    for attacker in attackers {
        runtime.block_on(attacker).expect("the attackers are all right");
    }
    go_home(&runtime, &done, visiting);
    let (after, took) = at_rest(&mut bank, &rest);
    print!("{ledger}");
    println!("{done:?}");
    println!("the most: {:?}", State { begun: after.begun, ..most });
    println!("at rest again after {took:?}: {after:?}");
    camp.check();
    done.check();

    bank.tell("drain");
    assert_eq!(bank.says(), "drained");
    assert!(bank.ends().success());
    assert_eq!(bank.errors(), "");
}
