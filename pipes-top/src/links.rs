//! The connections between the processes: who is at the other end, in another process.

use crate::snapshot::{Channel, Held, Side, Sleeper, Snapshot, Text, Wait};
use std::collections::HashMap;

/// A thread or a task, by the places of its process and of it in the snapshot of that.
pub type Place = (usize, usize);

/// What is known of both ends of each connection. A process that does not answer has no snapshot.
pub struct Links<'a> {
    snapshots: Vec<Option<&'a Snapshot>>,
    /// Where each number is.
    numbers: HashMap<(usize, &'a Text), Place>,
    /// Those that sleep at the ends of a connection.
    sleepers: HashMap<&'a Text, Vec<(Place, &'a Wait)>>,
}

impl<'a> Links<'a> {
    pub fn new(snapshots: Vec<Option<&'a Snapshot>>) -> Self {
        let mut links = Links { snapshots, numbers: HashMap::new(), sleepers: HashMap::new() };
        for place in links.places() {
            let Some(sleeper) = links.sleeper(place) else { continue };
            links.numbers.insert((place.0, &sleeper.id), place);
            for wait in &sleeper.waits_for {
                if let Some(link) = wait.link() {
                    links.sleepers.entry(link).or_default().push((place, wait));
                }
            }
        }
        links
    }

    /// Returns the places of all that sleep.
    pub fn places(&self) -> Vec<Place> {
        let processes = self.snapshots.iter().enumerate();
        let places = |(process, snapshot): (usize, &Option<&Snapshot>)| {
            (0..snapshot.map_or(0, |it| it.sleepers.len())).map(move |sleeper| (process, sleeper))
        };
        processes.flat_map(places).collect()
    }

    pub fn sleeper(&self, (process, sleeper): Place) -> Option<&'a Sleeper> {
        self.snapshot(process)?.sleepers.get(sleeper)
    }

    pub fn snapshot(&self, process: usize) -> Option<&'a Snapshot> {
        self.snapshots.get(process).copied().flatten()
    }

    /// Returns the place of the thread or task with this number, if it sleeps.
    pub fn find(&self, process: usize, id: &Text) -> Option<Place> {
        self.numbers.get(&(process, id)).copied()
    }

    /// Returns `true` if no wait is at a connection, so that the processes do not wait for each other.
    pub fn is_empty(&self) -> bool {
        self.sleepers.is_empty()
    }

    /// Returns those that sleep at the other end of the connection for which this process waits here.
    pub fn at_other_end(&self, process: usize, wait: &Wait) -> Vec<(Place, &'a Wait)> {
        let all = wait.link().and_then(|link| self.sleepers.get(link));
        all.into_iter().flatten().filter(|(place, _)| place.0 != process).copied().collect()
    }

    /// Returns those that have used the other side last, here or at the other end of a connection: the places
    /// of their processes, and their numbers.
    pub fn last_users(&self, process: usize, wait: &'a Wait) -> Vec<(usize, &'a Text)> {
        let mut users: Vec<_> = wait.last_users.iter().map(|user| (process, user)).collect();
        let Some(name) = wait.link() else { return users };
        for (other, snapshot) in self.snapshots.iter().enumerate().filter(|(other, _)| *other != process) {
            let Some(snapshot) = snapshot else { continue };
            for Channel { sides: [one, two], .. } in &snapshot.channels {
                let is_link = |side: &Side| side.held.as_ref().and_then(|it| it.link.as_ref()) == Some(name);
                let ours = [(one, two), (two, one)].into_iter().filter(|(side, _)| is_link(side));
                users.extend(ours.flat_map(|(_, side)| owners(snapshot, side)).map(|user| (other, user)));
            }
        }
        users
    }
}

/// Returns those that have an end. If it was not accepted yet, these are those that may accept it.
fn owners<'a>(snapshot: &'a Snapshot, side: &'a Side) -> &'a [Text] {
    match side.held.as_ref().and_then(Held::listener) {
        None => &side.last_users,
        Some(listener) => {
            let channel = snapshot.channels.iter().find(|it| it.channel == listener);
            channel.map_or(&[], |it| &it.sides[1].last_users)
        }
    }
}
