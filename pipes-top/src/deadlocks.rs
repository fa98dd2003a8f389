//! Threads and tasks that wait for each other.
//!
//! Each process says which of its own do. Those of several processes are searched here, by the rules of the
//! library: one that sleeps goes on if any of its waits may be ended by one that goes on, or that is not
//! known. Those that remain wait for each other.
//!
//! The snapshots are not of the same moment, and a message may be on its way in a connection. So only those
//! take part that have slept for a while. If two sleep at both ends of a session, and neither waits for the
//! other to leave, then one has sent what the other one waits for.

use crate::links::{Links, Place};
use crate::model::{Process, counted};
use crate::snapshot::{Sleeper, Verdict, Wait};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

/// How long those of several processes must have slept together. A message on its way has arrived by then.
const SETTLED: Duration = Duration::from_secs(1);

/// Threads and tasks that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    pub verdict: Verdict,
    pub members: Vec<Place>,
    /// Who waits for what, in lines.
    pub report: String,
}

/// For each that may take part, those that can end its waits, and whether that is certain.
type Movers = BTreeMap<Place, Vec<(Place, bool)>>;

/// Returns the deadlocks, those first that are certain.
pub fn find(processes: &[Process], links: &Links<'_>) -> Vec<Deadlock> {
    let mut all = Vec::new();
    for process in 0..processes.len() {
        for said in links.snapshot(process).map_or(&[][..], |it| &it.deadlocks) {
            let members = said.sleepers.iter().map(|sleeper| (process, *sleeper)).collect();
            all.push(Deadlock { verdict: said.verdict, members, report: said.report.clone() });
        }
    }
    let stuck = stuck(links);
    for members in groups(&stuck) {
        // Those of one process are found there.
        if members.iter().any(|(process, _)| *process != members[0].0) {
            let is_certain = members.iter().flat_map(|it| &stuck[it]).all(|(_, is_certain)| *is_certain);
            let verdict = if is_certain { Verdict::Certain } else { Verdict::Suspected };
            let report = report(verdict, &members, processes, links);
            all.push(Deadlock { verdict, members, report });
        }
    }
    all.sort_by_key(|it| it.verdict != Verdict::Certain);
    all
}

/// Returns all that do not go on.
fn stuck(links: &Links<'_>) -> Movers {
    if links.is_empty() {
        return Movers::new();
    }
    let answers = || links.places().into_iter();
    let first = answers().filter_map(|(process, _)| Some(links.snapshot(process)?.read)).min();
    let is_settled = |(process, sleeper): Place| {
        let snapshot = links.snapshot(process)?;
        Some(snapshot.sleepers[sleeper].asleep >= snapshot.read.duration_since(first?) + SETTLED)
    };
    let settled = answers().filter(|place| is_settled(*place) == Some(true));
    let mut stuck: Movers = settled.filter_map(|place| Some((place, movers(place, links)?))).collect();
    loop {
        let names: BTreeSet<_> = stuck.keys().copied().collect();
        stuck.retain(|_, movers| movers.iter().all(|(mover, _)| names.contains(mover)));
        if stuck.len() == names.len() {
            return stuck;
        }
    }
}

/// Returns those that can end the waits of one that sleeps; `None` if one of them is not known.
fn movers(place: Place, links: &Links<'_>) -> Option<Vec<(Place, bool)>> {
    let sleeper = links.sleeper(place)?;
    let goes_on = sleeper.is_woken || sleeper.time_left.is_some() || sleeper.waits_for_other;
    if goes_on || sleeper.waits_for.is_empty() {
        return None;
    }
    let movers: Option<Vec<_>> = sleeper.waits_for.iter().map(|it| movers_of(place.0, it, links)).collect();
    Some(movers?.concat())
}

/// Returns those that can end a wait of this process; `None` if one of them is not known.
fn movers_of(process: usize, wait: &Wait, links: &Links<'_>) -> Option<Vec<(Place, bool)>> {
    let mut movers = Vec::new();
    // What a future belongs to may wait for something else as well.
    let is_certain = wait.future.is_none();
    // A session has one end at each side. A stream may have more, of which some are elsewhere.
    if wait.state.is_some() {
        movers.extend(wait.other_side.iter().map(|other| ((process, *other), is_certain)));
        for (other, its_wait) in links.at_other_end(process, wait) {
            if !wait.is_for_close() && !its_wait.is_for_close() {
                return None;
            }
            movers.push((other, is_certain));
        }
    }
    if movers.is_empty() {
        for (process, user) in links.last_users(process, wait) {
            movers.push((links.find(process, user)?, false));
        }
    }
    (!movers.is_empty()).then_some(movers)
}

/// Returns those together that are connected by waits, in either direction.
fn groups(stuck: &Movers) -> Vec<Vec<Place>> {
    let mut connected: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
    for (place, movers) in stuck {
        for (mover, _) in movers {
            connected.entry(*place).or_default().insert(*mover);
            connected.entry(*mover).or_default().insert(*place);
        }
    }
    let mut groups = Vec::new();
    while let Some((first, _)) = connected.first_key_value() {
        let (mut members, mut next) = (BTreeSet::new(), vec![*first]);
        while let Some(place) = next.pop() {
            next.extend(connected.remove(&place).into_iter().flatten());
            members.insert(place);
        }
        groups.push(members.into_iter().collect());
    }
    groups
}

/// Says of a deadlock of several processes who waits for what, and who could end that.
fn report(verdict: Verdict, members: &[Place], processes: &[Process], links: &Links<'_>) -> String {
    let of: BTreeSet<_> = members.iter().map(|(process, _)| process).collect();
    let (suspected, seem) = match verdict {
        Verdict::Certain => ("", ""),
        _ => (" suspected", "seem to "),
    };
    let count = counted("", members.iter().filter_map(|it| links.sleeper(*it)));
    let mut text =
        format!("deadlock{suspected}: {count} of {} processes {seem}wait for each other\n", of.len());
    let name = |place: Place| {
        let name = links.sleeper(place).map_or_else(String::new, Sleeper::quoted);
        format!("{name} in {}", processes[place.0].path)
    };
    for place in members {
        let Some(sleeper) = links.sleeper(*place) else { continue };
        let _never = writeln!(text, "  {} sleeps at {} and waits for", name(*place), sleeper.location);
        for wait in &sleeper.waits_for {
            let movers = movers_of(place.0, wait, links).unwrap_or_default();
            let is_at = movers.iter().all(|(_, is_certain)| *is_certain);
            let who: Vec<_> = movers.into_iter().map(|(mover, _)| name(mover)).collect();
            let how = if is_at { "at the other end sleeps" } else { "the other end was last used by" };
            let _never = writeln!(text, "    {wait};\n      {how} {}", who.join(", "));
        }
    }
    text
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::ask::{Answer, Failure};
    use crate::model::Processes;
    use crate::snapshot::Snapshot;
    use serde_json::{Value, json};
    use std::path::PathBuf;

    /// A wait for a message, or for the other side to leave, at an end of a session whose other side is that
    /// of a connection.
    fn at(link: &str, awaited: &str) -> Value {
        json!({
            "awaited": awaited, "end": "bank::Client<Answer>", "channel": 7, "protocol": "bank",
            "state": "answer", "sender": "server", "messages": ["ok"], "other_side": [],
            "held": {"by": "link", "channel": null, "link": link},
        })
    }

    /// A thread that has slept for ten seconds.
    fn thread(name: &str, wait: Value) -> Value {
        json!({
            "id": name, "name": name, "location": format!("src/{name}.rs:1:2"), "asleep_us": 10_000_000,
            "time_left_us": null, "waits_for": [wait], "waits_for_other": false,
        })
    }

    /// A process with these threads, and with threads that have used ends of connections.
    fn process(sleepers: &[Value], users: &[(&str, &str)]) -> Value {
        let channels = users.iter().map(|(link, user)| {
            let held = json!({"last_users": [], "held": {"by": "link", "link": link}});
            json!({"channel": 9, "sides": [held, {"last_users": [user], "held": null}]})
        });
        json!({"version": 1, "sleepers": sleepers, "channels": channels.collect::<Vec<_>>()})
    }

    /// The processes `/run/0`, `/run/1` and so on.
    pub fn processes(all: &[Value]) -> Processes {
        let paths: Vec<_> = (0..all.len()).map(|number| PathBuf::from(format!("/run/{number}"))).collect();
        let answer = |json: &Value| {
            let json = json.to_string();
            Ok::<_, Failure>(Answer { snapshot: Snapshot::read(&json).expect("it is a snapshot"), json })
        };
        Processes::new(&paths, all.iter().map(answer).collect())
    }

    /// Two programs, each of which serves the other one, and asks it before it answers.
    pub fn services() -> [Value; 2] {
        [
            process(&[thread("till", at("one", "message"))], &[("two", "till")]),
            process(&[thread("bank", at("two", "message"))], &[("one", "bank")]),
        ]
    }

    /// The verdict and the members of each deadlock.
    fn found(all: &[Value]) -> Vec<(Verdict, Vec<Place>)> {
        processes(all).deadlocks.into_iter().map(|it| (it.verdict, it.members)).collect()
    }

    #[test]
    fn what_a_process_says_comes_first_if_it_is_certain() {
        let [mut till, mut bank] = services();
        let said = |verdict| json!([{"verdict": verdict, "sleepers": [0], "report": "deadlock: …\n"}]);
        till["deadlocks"] = said("standing");
        bank["deadlocks"] = said("certain");
        let verdicts: Vec<_> = found(&[till, bank]).into_iter().map(|it| it.0).collect();
        assert_eq!(verdicts, [Verdict::Certain, Verdict::Standing, Verdict::Suspected]);
    }

    #[test]
    fn programs_that_ask_each_other_are_suspected() {
        let services = processes(&services());
        let wanted = "\
deadlock suspected: 2 threads of 2 processes seem to wait for each other
  'till' in /run/0 sleeps at src/till.rs:1:2 and waits for
    a message at bank::Client<Answer>: the server sends `ok`;
      the other end was last used by 'bank' in /run/1
  'bank' in /run/1 sleeps at src/bank.rs:1:2 and waits for
    a message at bank::Client<Answer>: the server sends `ok`;
      the other end was last used by 'till' in /run/0
";
        let [deadlock] = &*services.deadlocks else { panic!("there is one: {:?}", services.deadlocks) };
        assert_eq!(deadlock.report, wanted);
        assert_eq!((deadlock.verdict, &*deadlock.members), (Verdict::Suspected, &[(0, 0), (1, 0)][..]));
    }

    #[test]
    fn a_session_at_whose_ends_both_sleep_is_certain() {
        let sides = |awaited: [&str; 2]| {
            let [till, bank] = awaited.map(|awaited| at("one", awaited));
            [process(&[thread("till", till)], &[]), process(&[thread("bank", bank)], &[])]
        };
        let members = vec![(0, 0), (1, 0)];
        let mut future = sides(["close", "message"]);
        future[0]["sleepers"][0]["waits_for"][0]["future"] = "src/till.rs:5:6".into();
        assert_eq!(found(&future), [(Verdict::Suspected, members.clone())]);
        let both = vec![(Verdict::Certain, members)];
        assert_eq!(found(&sides(["close", "message"])), both);
        assert_eq!(found(&sides(["room", "close"])), both);
        // A message is on its way to one of them.
        assert_eq!(found(&sides(["message", "message"])), []);
        assert_eq!(found(&sides(["message", "room"])), []);
    }

    #[test]
    fn a_session_that_is_not_accepted_belongs_to_its_listener() {
        let [till, mut bank] = services();
        let side = &mut bank["channels"][0]["sides"][1];
        *side = json!({"last_users": ["a thread of the runtime"], "held": {"by": "listener", "channel": 5}});
        assert_eq!(found(&[till.clone(), bank.clone()]), []);
        let of_listener = json!({"last_users": ["bank"], "held": null});
        let listener = json!({"channel": 5, "sides": [{"last_users": [], "held": null}, of_listener]});
        bank["channels"].as_array_mut().expect("it is a list").push(listener);
        assert_eq!(found(&[till, bank]), [(Verdict::Suspected, vec![(0, 0), (1, 0)])]);
    }

    #[test]
    fn one_that_waits_for_a_deadlock_takes_part() {
        let [mut till, bank] = services();
        let wait = json!({
            "awaited": "message", "end": "Port<u8>", "channel": 8, "protocol": null, "state": null,
            "sender": null, "messages": [], "other_side": [], "last_users": ["till"],
        });
        till["sleepers"].as_array_mut().expect("it is a list").push(thread("clerk", wait));
        assert_eq!(found(&[till, bank]), [(Verdict::Suspected, vec![(0, 0), (0, 1), (1, 0)])]);
    }

    #[test]
    fn one_that_may_go_on_lets_all_go_on() {
        let [till, bank] = services();
        for (field, value) in [
            ("is_woken", json!(true)),
            ("time_left_us", json!(5)),
            ("waits_for_other", json!(true)),
            ("waits_for", json!([])),
            ("waits_for", json!([at("one", "message"), at("elsewhere", "message")])),
            ("asleep_us", json!(900_000)),
            ("id", json!("another one has used the end")),
        ] {
            let mut till = till.clone();
            till["sleepers"][0][field] = value;
            assert_eq!(found(&[till, bank.clone()]), [], "{field}");
        }
        let mut unknown = bank.clone();
        unknown["channels"] = json!([]);
        assert_eq!(found(&[till.clone(), unknown]), []);
        assert_eq!(found(&[till]), []);
    }
}
