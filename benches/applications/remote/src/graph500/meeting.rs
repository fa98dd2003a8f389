//! How the processes meet: each connects to all others, and says who it is.

use super::driver::Driver;
use super::links::Links;
use super::team::{client, server, team};
use super::wire::{Place, Wire};
use crate::count::{Count, Counted, Traffic};
use crate::sides::failed;
use futures::future::{try_join, try_join_all};
use pipes::{Listener, remote::Link};
use pipes_graph500::workers::{Down, Member, levels};
use pipes_remote::{ConnectError, Refusal, Via};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// The most bytes of a message.
const LIMIT: usize = 1 << 26;
/// How many messages, and bytes, of pairs may wait for a worker that computes.
const WINDOW: (usize, usize) = (1 << 16, 1 << 26);
/// The time between two attempts to reach a process that is not there yet.
const AGAIN: Duration = Duration::from_millis(50);
/// The most time that a process takes to say who it is, or to hear that it is refused.
const WORDS: Duration = Duration::from_secs(5);

/// How a process learns where the others are.
pub enum Origin<'a> {
    /// It gets them once it has said where it listens itself.
    Told(&'a mut dyn FnMut(&str) -> io::Result<Vec<String>>),
    /// The addresses are named, and the file with its certificate.
    Named(&'a [String], Option<&'a Path>),
}

/// What a process has when all have met.
pub struct Met {
    /// The ends to and from each other worker, by rank.
    ends: Vec<(usize, levels::client::Down, levels::server::Down)>,
    /// The sessions.
    pub links: Links,
    /// In the first process: the others.
    pub team: Vec<client::Starting>,
    /// In the others: the end to the first one.
    pub head: Option<server::Starting>,
}

impl Met {
    /// The other workers, as this one sees them, with the parts that these cuts define.
    pub fn peers(&mut self, cuts: &[usize], rank: usize) -> Vec<Down> {
        let peer = |(theirs, to, from)| Down::new(cuts, (rank, theirs), to, from);
        self.ends.drain(..).map(peer).collect()
    }
}

/// Waits, for this time at most, until all processes have met.
pub fn meet<E: Wire>(
    driver: &Driver,
    origin: Origin<'_>,
    me: Member,
    patience: Duration,
    written: &Count,
) -> io::Result<Met> {
    let (place, addresses) = match origin {
        Origin::Told(told) => {
            let place = E::free()?;
            let addresses = told(&place.address)?;
            (place, addresses)
        }
        Origin::Named(addresses, identity) => {
            (E::named(addresses, me.rank as usize, identity)?, addresses.to_vec())
        }
    };
    if addresses.len() != me.of as usize {
        return Err(io::Error::other("the command that started this worker has ended"));
    }
    driver.run(met(place, &addresses, me, patience, written))
}

/// The address of this engine, with our limits.
fn via<E: Wire>(engine: E, written: &Count) -> Via<Counted<E>> {
    Via::new(Counted { engine, traffic: Traffic { written: written.clone(), ..Traffic::default() } })
        .limit(LIMIT)
        .window(WINDOW.0, WINDOW.1)
}

async fn met<E: Wire>(
    place: Place<E>,
    addresses: &[String],
    me: Member,
    patience: Duration,
    written: &Count,
) -> io::Result<Met> {
    let deadline = Instant::now() + patience;
    let others = || (0..addresses.len()).filter(|rank| *rank != me.rank as usize);
    let there = |rank: usize| Ok((rank, via(E::there(&place, &addresses[rank])?, written)));
    let theirs: Vec<_> = others().map(there).collect::<io::Result<_>>()?;

    let here = via(place.engine, written);
    let mut joiners = levels::listen_with_links_async(&here).await.map_err(failed)?;
    let mut heads = team::listen_with_links_async(&here).await.map_err(failed)?;
    let join_all = try_join_all(theirs.iter().map(|(rank, via)| join(via, *rank, me, deadline)));
    let (mut from, to) = try_join(welcomed(&mut joiners, me, deadline), join_all).await?;

    let mut met = Met { ends: Vec::new(), links: Links::default(), team: Vec::new(), head: None };
    for (rank, (to, link)) in others().zip(to) {
        met.links.add(rank, link);
        if let Some((from, link)) = from.remove(&rank) {
            met.links.add(rank, link);
            met.ends.push((rank, to, from));
        }
    }
    if me.rank == 0 {
        for (rank, via) in &theirs {
            let connected = team::connect_with_link_async(via).await;
            let (client, link) = connected.map_err(|error| absent(*rank, &error))?;
            met.links.add(*rank, link);
            met.team.push(client);
        }
    } else {
        let late = |_| io::Error::other("worker 0 has not connected in time");
        let (head, link) = timeout_at(deadline, heads.recv_async()).await.map_err(late)?.map_err(failed)?;
        met.links.add(0, link);
        met.head = Some(head);
    }
    Ok(met)
}

/// Connects to another process, as soon as it is there.
async fn join<E: Wire>(
    via: &Via<Counted<E>>,
    rank: usize,
    me: Member,
    deadline: Instant,
) -> io::Result<(levels::client::Down, Link)> {
    let (client, link) = loop {
        match levels::connect_with_link_async(via).await {
            Ok(connected) => break connected,
            Err(error) if may_come(&error) && Instant::now() < deadline => sleep(AGAIN).await,
            Err(error) => return Err(absent(rank, &error)),
        }
    };
    let left = |link: &Link| io::Error::other(format!("worker {rank} has left: {}", link.cause()));
    let answer = client.join(me).map_err(|_| left(&link))?.recv_async();
    match timeout_at(deadline, answer).await {
        Ok(Ok(levels::Answer::Welcome(client))) => Ok((client, link)),
        Ok(Ok(levels::Answer::Refuse(why))) => Err(io::Error::other(why)),
        Ok(Err(_)) => Err(left(&link)),
        Err(_) => Err(io::Error::other(format!("worker {rank} does not answer"))),
    }
}

/// Returns `true` if the process may only be late.
fn may_come(error: &ConnectError) -> bool {
    match error {
        ConnectError::Refused { reason, .. } => {
            matches!(reason, Refusal::UnknownProtocol | Refusal::NobodyListens | Refusal::Busy)
        }
        _ => true,
    }
}

fn absent(rank: usize, error: &ConnectError) -> io::Error {
    io::Error::other(format!("worker {rank} is not there: {error}"))
}

type Welcomed = BTreeMap<usize, (levels::server::Down, Link)>;

/// Accepts all other processes.
async fn welcomed(
    joiners: &mut Listener<levels::Protocol, (levels::server::Meeting, Link)>,
    me: Member,
    deadline: Instant,
) -> io::Result<Welcomed> {
    let mut there = Welcomed::new();
    while there.len() + 1 < me.of as usize {
        let Ok(joined) = timeout_at(deadline, joiners.recv_async()).await else {
            let is_missing = |rank: &u32| *rank != me.rank && !there.contains_key(&(*rank as usize));
            let missing: Vec<_> = (0..me.of).filter(is_missing).map(|rank| rank.to_string()).collect();
            return Err(io::Error::other(format!(
                "worker {} has not connected in time",
                missing.join(" and ")
            )));
        };
        let (server, link) = joined.map_err(failed)?;
        // What says nothing is no worker.
        let Ok(Ok(joined)) = timeout(WORDS, server.recv_async()).await else { continue };
        let levels::Meeting::Join(member, answer) = joined;
        if let Some(why) = objection(me, member, &there) {
            let _ = answer.refuse(why.clone());
            // If it does not hear that, it finds that this process has ended.
            let _ = timeout(WORDS, link.delivered_async()).await;
            return Err(io::Error::other(why));
        }
        if let Ok(server) = answer.welcome() {
            there.insert(member.rank as usize, (server, link));
        }
    }
    Ok(there)
}

/// Why this member cannot search together with this one and those who are there, in a sentence for both.
fn objection(me: Member, member: Member, there: &Welcomed) -> Option<String> {
    let pair = [me, member];
    if me.of != member.of {
        let [mine, theirs] = pair.map(|it| format!("worker {} is one of {}", it.rank, it.of));
        return Some(format!("{mine}, but {theirs}"));
    }
    if (me.scale, me.seed) != (member.scale, member.seed) {
        let graph = |it: Member| format!("worker {} has --scale {} --seed {}", it.rank, it.scale, it.seed);
        let [mine, theirs] = pair.map(graph);
        return Some(format!("{mine}, but {theirs}"));
    }
    let is_taken = member.rank == me.rank || there.contains_key(&(member.rank as usize));
    if is_taken || member.rank >= me.of {
        return Some(format!("there is more than one worker {}", member.rank));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_members_of_the_same_searches_are_welcome() {
        let me = Member { rank: 0, of: 3, scale: 8, seed: 1 };
        let told = |member| objection(me, member, &Welcomed::new());
        assert_eq!(told(Member { rank: 1, ..me }), None);
        let cases = [
            (Member { rank: 1, of: 2, ..me }, "worker 0 is one of 3, but worker 1 is one of 2"),
            (
                Member { rank: 1, seed: 2, ..me },
                "worker 0 has --scale 8 --seed 1, but worker 1 has --scale 8 --seed 2",
            ),
            (me, "there is more than one worker 0"),
            (Member { rank: 3, ..me }, "there is more than one worker 3"),
        ];
        for (member, sentence) in cases {
            assert_eq!(told(member).as_deref(), Some(sentence));
        }
    }
}
