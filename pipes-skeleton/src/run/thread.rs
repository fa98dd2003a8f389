//! The thread of a stage.

use super::crew::{Crew, Halted};
use crate::sync::Builder;

/// What the thread of a stage owns; if there is no thread for it, this is the order in which it is dropped.
struct Body<W, F> {
    /// `None` if it was dropped.
    way_out: Option<W>,
    stage: F,
}

/// A [`Body`] of any type.
trait Parts: Send {
    fn run(&mut self, crew: &Crew);
    fn drop_way_out(&mut self);
}

impl<W, F> Parts for Body<W, F>
where
    W: Send,
    F: FnMut(&Crew, &mut W) -> Result<(), Halted> + Send,
{
    fn run(&mut self, crew: &Crew) {
        if let Some(way_out) = &mut self.way_out {
            // It was halted, or it has come to its end: in any case it is over.
            let _ = (self.stage)(crew, way_out);
        }
    }

    fn drop_way_out(&mut self) {
        self.way_out = None;
    }
}

impl Crew {
    /// Runs a stage in a new thread. What the stage owns is dropped after its failure was reported, so that
    /// the reason is known when a channel closes. Its output is dropped first, because a destructor of the
    /// user's may wait for the stages behind.
    pub(crate) fn spawn<W: Send + 'static>(
        &self,
        name: String,
        way_out: W,
        stage: impl FnMut(&Crew, &mut W) -> Result<(), Halted> + Send + 'static,
    ) {
        self.spawn_boxed(name, Box::new(Body { way_out: Some(way_out), stage }));
    }

    /// Starts the thread. Not generic, so that it is compiled once and not for each stage.
    fn spawn_boxed(&self, name: String, mut body: Box<dyn Parts>) {
        let mut badge = self.enlist(name.clone());
        let stage_name = name.clone();
        let run: Box<dyn FnOnce() + Send> = Box::new(move || {
            badge.begin();
            let crew = &badge.crew;
            crew.guarded(&name, || body.run(crew));
            crew.guarded(&name, || body.drop_way_out());
            crew.guarded(&name, || drop(body));
        });
        // The name of a thread cannot contain zeros.
        let mut thread = Builder::new().name(stage_name.replace('\0', ""));
        if let Some(bytes) = self.stack_size() {
            thread = thread.stack_size(bytes);
        }
        // If the system cannot start a thread, what the stage owns is dropped here.
        self.guarded(&stage_name, || drop(thread.spawn(run)));
    }
}
