//! A service under siege: a process that listens over every engine, while attackers of all kinds do their
//! worst and honest clients do their business. The service does not panic, no honest client is refused or
//! gets a wrong answer, no client gets in without the certificate that it needs, and when the attackers have
//! gone, the service has no more tasks, files and memory than before.
//!
//! `PIPES_SIEGE` sets how many seconds it lasts, `PIPES_RANDOM_SEED` what the attackers choose.
#![cfg(target_os = "linux")]

mod attacks;
mod honest;
mod places;
mod server;

use attacks::Attackers;
use honest::Honest;
use peak_alloc::PeakAlloc;
use pipes_remote_tests::children::{Another, command, role};
use pipes_remote_tests::size;
use places::Places;
use std::fs::{self, File};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What the service may keep after an attack, beyond what it had before.
const MORE_BYTES: u64 = 4 << 20;

/// The most memory of its process at any time. An allocator may keep what was freed: an hour's attack left
/// 118 MiB with the process, of which 8 were in use.
const MOST_KILOBYTES: u64 = 256 << 10;

/// How long it may take to come to rest. A connection of QUIC whose client was killed lasts 15 s.
const REST: Duration = Duration::from_secs(60);

/// Only for other processes; a run without a role has nothing to do.
#[test]
fn as_another_process() {
    let Some((role, rest)) = role() else { return };
    match role.as_str() {
        "service" => server::run(Path::new(&rest)),
        "clients" => attacks::clients(&Places::read(&rest)),
        _ => panic!("an unknown role: {role}"),
    }
}

/// The service's process, and the file of its complaints.
struct Service {
    process: Another,
    errors: std::path::PathBuf,
}

/// What the service has now.
#[derive(Clone, Copy, Debug)]
struct State {
    tasks: u64,
    bytes: u64,
    sessions: u64,
    kilobytes: u64,
    files: u64,
}

impl Service {
    fn start(folder: &Path) -> Self {
        let errors = folder.join("errors");
        let mut command = command("as_another_process", &format!("service {}", folder.display()), "");
        command.stderr(File::create(&errors).expect("it can be written"));
        Service { process: Another::of(command), errors }
    }

    /// Asks for its state. It must be alive, and have nothing to complain about.
    fn state(&mut self) -> State {
        let errors = fs::read_to_string(&self.errors).expect("it is there");
        assert_eq!(errors, "", "the service complains");
        self.process.tell("state");
        let said = self.process.says();
        let numbers: Vec<u64> = said.split(' ').map(|it| it.parse().expect("it is a number")).collect();
        let [tasks, bytes, sessions] = numbers[..] else { panic!("{said}") };
        let process = Path::new("/proc").join(self.process.child.id().to_string());
        let status = fs::read_to_string(process.join("status")).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it is there");
        let kilobytes = line.trim().trim_end_matches(" kB").parse().expect("it is a number");
        let files = fs::read_dir(process.join("fd")).expect("it runs").count() as u64;
        State { tasks, bytes, sessions, kilobytes, files }
    }

    /// Waits until all that it had for its clients is gone.
    fn at_rest(&mut self, rest: &State) -> State {
        let begin = Instant::now();
        loop {
            let state = self.state();
            if state.sessions == 0
                && state.tasks <= rest.tasks
                && state.files <= rest.files
                && state.bytes <= rest.bytes + MORE_BYTES
            {
                return state;
            }
            assert!(begin.elapsed() < REST, "it does not come to rest: {state:?}, and it was {rest:?}");
            sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn a_service_under_siege() {
    let (time, seed) = (Duration::from_secs(size("PIPES_SIEGE", 8)), size("PIPES_RANDOM_SEED", 0));
    let folder = tempfile::tempdir().expect("there is room");
    places::write(folder.path());
    let mut service = Service::start(folder.path());
    let places = Places::read(&service.process.says());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("threads can be had");
    let _inside = runtime.enter();

    // What it has at rest, after some peaceful business.
    let fresh = service.state();
    let honest = Honest::come(&places);
    while !honest.have_been_served(20) {
        sleep(Duration::from_millis(10));
    }
    runtime.block_on(honest.go_home());
    let rest = service.at_rest(&State { bytes: fresh.bytes + MORE_BYTES, ..fresh });
    println!("at first: {fresh:?}\nat rest: {rest:?}");

    let honest = Honest::come(&places);
    let attackers = Attackers::come(&places, time, seed);
    let (begin, mut most, mut told) = (Instant::now(), rest, Instant::now());
    while !attackers.have_gone() {
        sleep(Duration::from_millis(500));
        let state = service.state();
        assert!(state.kilobytes <= MOST_KILOBYTES, "the service takes too much: {state:?}");
        assert!(!honest.have_failed(), "an honest client has failed");
        assert!(begin.elapsed() < time + Duration::from_secs(300), "the attackers do not come to an end");
        if state.bytes > most.bytes {
            most = state;
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            println!("after {:?}: {state:?}", begin.elapsed());
        }
    }
    attackers.told();
    assert!(honest.have_been_served(1), "there was business everywhere");
    runtime.block_on(honest.go_home());
    println!("the most: {most:?}\nat rest again: {:?}", service.at_rest(&rest));

    service.process.tell("drain");
    assert_eq!(service.process.says(), "drained");
    service.process.ends_well();
    assert_eq!(fs::read_to_string(&service.errors).expect("it is there"), "");
}
