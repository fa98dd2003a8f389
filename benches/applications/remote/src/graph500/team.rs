//! What the first worker requests of the others, and how they do it.

use super::driver::Driver;
use super::links::Links;
use crate::count::Count;
use crate::sides::failed;
use pipes_graph500::graph::Graph;
use pipes_graph500::trees::UNWRITTEN;
use pipes_graph500::workers::{Gone, Wait, Worker};
use std::io;

pipes::proto! {
    /// What the first worker requests of another one.
    #[remote]
    pub team {
        /// The worker makes its graph.
        starting: recv {
            ready -> idle,
            /// Why not.
            failed(String) -> !,
        }
        idle: send {
            /// The search with this number, from this root.
            search(u32, u32) -> searching,
            /// The worker's part of the tree of this search.
            collect(u32) -> collecting,
            /// There is nothing more to do.
            over -> !,
        }
        searching: recv {
            /// The number of bytes that the worker has written in this search.
            done(u64) -> idle,
        }
        collecting: recv {
            /// The parents of the next vertices.
            parents(Vec<i32>) -> collecting,
            all -> idle,
        }
    }
}

pub use team::client;
pub use team::server;

/// The number of parents that are sent together.
const CHUNK: usize = 1 << 16;

/// The processes that the first one has requested something of.
pub struct Crew(Vec<client::Idle>);

/// The processes while they search.
pub struct Searching(Vec<client::Searching>);

impl Crew {
    /// Waits until all others have their graphs.
    pub fn ready(driver: &Driver, starting: Vec<client::Starting>) -> Result<Crew, Trouble> {
        let ready = starting.into_iter().map(|client| match driver.soon(client)? {
            team::Starting::Ready(client) => Ok(client),
            team::Starting::Failed(why) => Err(Trouble::Other(failed(why))),
        });
        ready.collect::<Result<_, _>>().map(Crew)
    }

    /// Begins a search.
    pub fn search(self, driver: &Driver, number: usize, root: u32) -> Result<Searching, Gone> {
        let busy = self.0.into_iter().map(|client| client.search(number as u32, root).map_err(Gone::left));
        let busy = busy.collect::<Result<_, _>>().map(Searching);
        // The others begin now, and not when this worker first waits.
        driver.pass();
        busy
    }

    /// Collects a tree: each worker has the part between two of these cuts, the first one this process.
    pub fn collect(
        self,
        driver: &Driver,
        number: usize,
        cuts: &[usize],
        tree: &mut [i32],
    ) -> Result<Crew, Gone> {
        let asked = self.0.into_iter().map(|client| client.collect(number as u32).map_err(Gone::left));
        let asked: Vec<_> = asked.collect::<Result<_, _>>()?;
        let told = asked.into_iter().zip(cuts[1..].windows(2)).map(|(mut client, cut)| {
            let mut part = &mut tree[cut[0]..cut[1]];
            loop {
                match driver.soon(client)? {
                    team::Collecting::Parents(parents, next) => {
                        let places = part.split_off_mut(..parents.len()).ok_or(Gone::Astray)?;
                        places.copy_from_slice(&parents);
                        client = next;
                    }
                    team::Collecting::All(client) if part.is_empty() => return Ok(client),
                    team::Collecting::All(_) => return Err(Gone::Astray),
                }
            }
        });
        told.collect::<Result<_, _>>().map(Crew)
    }

    /// Ends the other processes.
    pub fn over(self) {
        // One that has gone already ends in its own way.
        for client in self.0 {
            let _ = client.over();
        }
    }
}

impl Searching {
    /// Waits until all have found their parts; returns the number of bytes that they have written.
    pub fn done(self, driver: &Driver) -> Result<(Crew, u64), Gone> {
        let mut written = 0_u64;
        let done = self.0.into_iter().map(|client| {
            let team::Searching::Done(bytes, client) = driver.soon(client)?;
            written = written.saturating_add(bytes);
            Ok(client)
        });
        let crew = done.collect::<Result<_, _>>().map(Crew)?;
        Ok((crew, written))
    }
}

/// Why a process cannot go on.
#[derive(Debug)]
pub enum Trouble {
    /// Another one has gone, or is astray.
    Gone(Gone),
    /// Something else.
    Other(io::Error),
}

impl From<Gone> for Trouble {
    fn from(gone: Gone) -> Trouble {
        Trouble::Gone(gone)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Other(error)
    }
}

impl Trouble {
    /// In words, with what these links know.
    pub fn told(self, driver: &Driver, links: &Links) -> io::Error {
        match self {
            Trouble::Gone(gone) => links.told(driver, gone),
            Trouble::Other(error) => error,
        }
    }
}

/// A worker, and its parts of the trees that were found since the first search.
pub struct Served<'a> {
    pub driver: &'a Driver,
    pub graph: &'a Graph,
    pub worker: Worker<'a, &'a Driver>,
    /// The number of vertices that it owns.
    pub vertices: usize,
    pub written: &'a Count,
}

impl Served<'_> {
    /// Does what the first worker requests, until there is nothing more to do. Calls this when the first
    /// search begins.
    pub fn serve(mut self, mut server: server::Idle, begun: impl FnOnce()) -> Result<(), Gone> {
        let mut begun = Some(begun);
        let mut parts: Vec<Vec<i32>> = Vec::new();
        loop {
            server = match self.driver.soon(server)? {
                team::Idle::Search(number, root, searching) => {
                    let number = number as usize;
                    if number > parts.len() || root as usize >= self.graph.vertices() {
                        return Err(Gone::Astray);
                    }
                    if number == parts.len() {
                        parts.push(vec![UNWRITTEN; self.vertices]);
                    }
                    if let Some(begun) = begun.take() {
                        begun();
                    }
                    let before = self.written.get();
                    self.worker.search(root, &mut parts[number])?;
                    searching.done(self.written.get() - before).map_err(Gone::left)?
                }
                team::Idle::Collect(number, mut collecting) => {
                    let part = parts.get(number as usize).ok_or(Gone::Astray)?;
                    for chunk in part.chunks(CHUNK) {
                        collecting = collecting.parents(chunk.to_vec()).map_err(Gone::left)?;
                    }
                    collecting.all().map_err(Gone::left)?
                }
                team::Idle::Over => return Ok(()),
            }
        }
    }
}
