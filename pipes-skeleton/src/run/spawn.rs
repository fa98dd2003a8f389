//! Starting the thread of a stage.

use super::threads::{Stopped, Threads};
use crate::sync::Builder;

/// What the thread of a stage owns. If the system has no thread for the stage, the fields are dropped in this
/// order.
struct Body<O, F> {
    /// `None` after it was dropped.
    output: Option<O>,
    stage: F,
}

/// A [`Body`] of any type.
trait Parts: Send {
    fn run(&mut self, threads: &Threads);
    fn drop_output(&mut self);
}

impl<O, F> Parts for Body<O, F>
where
    O: Send,
    F: FnMut(&Threads, &mut O) -> Result<(), Stopped> + Send,
{
    fn run(&mut self, threads: &Threads) {
        if let Some(output) = &mut self.output {
            // Whether the stage was stopped or its items have ended, nothing more is to be done.
            let _ = (self.stage)(threads, output);
        }
    }

    fn drop_output(&mut self) {
        self.output = None;
    }
}

impl Threads {
    /// Runs a stage in a new thread. What the stage owns is dropped after its failure was reported, so that
    /// the reason is known when a channel closes. The output is dropped first, because a destructor in user
    /// code may wait for the next stages.
    pub(crate) fn spawn<O: Send + 'static>(
        &self,
        name: String,
        output: O,
        stage: impl FnMut(&Threads, &mut O) -> Result<(), Stopped> + Send + 'static,
    ) {
        self.spawn_boxed(name, false, Box::new(Body { output: Some(output), stage }));
    }

    /// Runs a stage like [`spawn`](Threads::spawn). When the run is stopped, the caller does not wait for it,
    /// because it may block in a `read`.
    pub(crate) fn spawn_reader<O: Send + 'static>(
        &self,
        name: String,
        output: O,
        stage: impl FnMut(&Threads, &mut O) -> Result<(), Stopped> + Send + 'static,
    ) {
        self.spawn_boxed(name, true, Box::new(Body { output: Some(output), stage }));
    }

    /// Starts the thread. This is not generic, so that it is compiled once and not for each stage.
    fn spawn_boxed(&self, name: String, may_block: bool, mut body: Box<dyn Parts>) {
        let mut guard = self.register(name.clone(), may_block);
        let stage_name = name.clone();
        let run: Box<dyn FnOnce() + Send> = Box::new(move || {
            guard.started();
            let threads = &guard.threads;
            threads.catch_panic(&name, || body.run(threads));
            threads.catch_panic(&name, || body.drop_output());
            threads.catch_panic(&name, || drop(body));
        });
        // The name of a thread cannot contain null bytes.
        let mut thread = Builder::new().name(stage_name.replace('\0', ""));
        if let Some(bytes) = self.setting().stack_size {
            thread = thread.stack_size(bytes);
        }
        // If the system cannot start a thread, what the stage owns is dropped here.
        self.catch_panic(&stage_name, || drop(thread.spawn(run)));
    }
}
