//! The first process: its worker has a thread, which starts each search in all processes.

use super::Search;
use super::children::Children;
use super::driver::Driver;
use super::meeting::Met;
use super::team::{Crew, Trouble};
use crate::count::Count;
use crate::sides::failed;
use pipes_graph500::problem::Problem;
use pipes_graph500::trees::each;
use pipes_graph500::workers::{Gone, Worker};
use runs::Idle;
use std::io;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pipes::proto! {
    /// What the command requests of the thread.
    runs {
        starting: recv {
            ready(Arc<Problem>) -> idle,
            failed(io::Error) -> !,
        }
        idle: send {
            /// Searches from all roots, into these trees.
            run(Vec<Vec<i32>>) -> running,
        }
        running: recv {
            ran(Ran) -> idle,
            failed(io::Error) -> !,
        }
    }
}

/// The results of a run.
#[derive(Debug)]
pub struct Ran {
    trees: Vec<Vec<i32>>,
    seconds: Vec<f64>,
    bytes: Vec<u64>,
}

/// The most time that the others may take to hear that all is over.
const END: Duration = Duration::from_secs(5);

/// The thread. When this is dropped, it ends all other processes, and then itself.
pub struct First {
    client: Mutex<Option<runs::client::Idle>>,
    thread: Option<JoinHandle<()>>,
}

impl First {
    /// Starts the thread, and with it the other processes, unless they were started by hand. Returns the
    /// problem as well, when all processes are ready.
    pub fn start(search: &Search) -> io::Result<(First, Arc<Problem>)> {
        let (client, server) = runs::pipe();
        let search = search.clone();
        let work = move || lead(&search, server);
        let thread = thread::Builder::new().name("worker 0".to_owned()).spawn(work)?;
        let mut first = First { client: Mutex::new(None), thread: Some(thread) };
        match client.recv().map_err(failed)? {
            runs::Starting::Ready(problem, client) => {
                first.client = Mutex::new(Some(client));
                Ok((first, problem))
            }
            runs::Starting::Failed(error) => Err(error),
        }
    }

    /// Searches from all roots; returns the seconds and the bytes of each search.
    pub fn run(&self, trees: &mut [Vec<i32>]) -> io::Result<(Vec<f64>, Vec<u64>)> {
        let mut place = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let client = place.take().ok_or_else(|| io::Error::other("a run has failed before"))?;
        let lent = trees.iter_mut().map(take).collect();
        match client.run(lent).map_err(failed)?.recv().map_err(failed)? {
            runs::Running::Ran(ran, client) => {
                *place = Some(client);
                trees.iter_mut().zip(ran.trees).for_each(|(place, tree)| *place = tree);
                Ok((ran.seconds, ran.bytes))
            }
            runs::Running::Failed(error) => Err(error),
        }
    }
}

impl Drop for First {
    fn drop(&mut self) {
        drop(self.client.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        // If it has panicked, it has said so.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Runs in the thread: lets the processes meet, and leads the search.
fn lead(search: &Search, server: runs::server::Starting) {
    let (mut children, written) = (Children::default(), Count::default());
    // If the command is gone, so is the one that the failure would be told.
    let made = Driver::new().and_then(|driver| {
        let mut told = |own: &str| children.start(own, search.workers(), |rank| search.arguments(rank));
        let met = search.meet(&driver, 0, &mut told, &written)?;
        Ok((driver, met))
    });
    match made {
        Ok((driver, met)) => with(search, &driver, met, &written, server),
        Err(error) => drop(server.failed(error)),
    }
}

/// Leads the search when all processes have met.
fn with(search: &Search, driver: &Driver, mut met: Met, written: &Count, server: runs::server::Starting) {
    let mut ready = || {
        let problem = Arc::new(driver.beside(|| search.problem())??);
        Ok((problem, Crew::ready(driver, take(&mut met.team))?))
    };
    let ready: Result<_, Trouble> = ready();
    let (problem, crew) = match ready {
        Ok(ready) => ready,
        Err(trouble) => {
            let _ = server.failed(trouble.told(driver, &met.links));
            return;
        }
    };
    let cuts = problem.graph.cuts(search.workers());
    let part = problem.graph.part(0..cuts[1]);
    let worker = Worker::new(driver, &part, &cuts, 0, met.peers(&cuts, 0));
    let mut lead = Lead { driver, problem: &problem, cuts: &cuts, worker, written };
    let ended = server.ready(problem.clone()).map_err(drop).and_then(|server| {
        let mut next = (server, crew);
        loop {
            let (server, crew) = next;
            let Ok(Idle::Run(trees, running)) = driver.run(server.recv_async()) else {
                crew.over();
                return Ok(());
            };
            next = match lead.run(crew, trees) {
                Ok((ran, crew)) => (running.ran(ran).map_err(drop)?, crew),
                Err(gone) => {
                    let _ = running.failed(met.links.told(driver, gone));
                    return Err(());
                }
            };
        }
    });
    drop(lead);
    met.links.drain(driver, if ended.is_ok() { END } else { END / 5 });
}

/// The first worker.
struct Lead<'a> {
    driver: &'a Driver,
    problem: &'a Problem,
    cuts: &'a [usize],
    worker: Worker<'a, &'a Driver>,
    written: &'a Count,
}

impl Lead<'_> {
    /// Searches from all roots, one after another, and collects the trees.
    fn run(&mut self, crew: Crew, mut trees: Vec<Vec<i32>>) -> Result<(Ran, Crew), Gone> {
        let (driver, roots, own) = (self.driver, &self.problem.roots, self.cuts[1]);
        let (mut bytes, mut crew, mut gone, mut number) = (Vec::new(), Some(crew), None, 0);
        let seconds = each(roots, &mut trees, |root, tree| {
            let mut search = || {
                let before = self.written.get();
                let busy = crew.take().ok_or(Gone::Left)?.search(driver, number, root)?;
                self.worker.search(root, &mut tree[..own])?;
                let (idle, written) = busy.done(driver)?;
                bytes.push(written.saturating_add(self.written.get() - before));
                crew = Some(idle);
                number += 1;
                Ok(())
            };
            search().map_err(|left: Gone| {
                gone = Some(left);
                left.into()
            })
        });
        let (Ok(seconds), Some(mut crew)) = (seconds, crew) else { return Err(gone.unwrap_or(Gone::Left)) };
        for (number, tree) in trees.iter_mut().enumerate() {
            crew = crew.collect(driver, number, self.cuts, tree)?;
        }
        Ok((Ran { trees, seconds, bytes }, crew))
    }
}
