//! One contender of a program: its name, its source text, and where it runs.

use std::fmt;
use std::io;

use super::Program;
use crate::executor::On;

/// One timed run.
pub type Run<P> = fn(&P, &<P as Program>::Setting) -> io::Result<<P as Program>::Outcome>;

/// One contender, built in a constant by naming where it runs.
pub struct Contender<P: Program> {
    /// The word on the command line and in the table.
    pub name: &'static str,
    /// Whether it runs only when requested by name, because it is not a rival.
    pub hidden: bool,
    sources: &'static [&'static str],
    threads: Option<Run<P>>,
    tasks: Option<Run<P>>,
    same: Option<Run<P>>,
    own: Option<Run<P>>,
    unable: fn(&P) -> Option<&'static str>,
}

impl<P: Program> Contender<P> {
    /// A contender that runs nowhere yet, with the text of all files that make up its version of the program.
    pub const fn new(name: &'static str, sources: &'static [&'static str]) -> Self {
        Contender {
            name,
            sources,
            hidden: false,
            threads: None,
            tasks: None,
            same: None,
            own: None,
            unable: |_| None,
        }
    }

    /// Sets how it runs on threads.
    pub const fn on_threads(mut self, run: Run<P>) -> Self {
        self.threads = Some(run);
        self
    }

    /// Sets how it runs on tasks, with any number of workers.
    pub const fn on_tasks(mut self, run: Run<P>) -> Self {
        self.tasks = Some(run);
        self
    }

    /// Sets how it runs in one thread.
    pub const fn in_one_thread(mut self, run: Run<P>) -> Self {
        self.same = Some(run);
        self
    }

    /// Sets how it runs in a program that leaves the place to each contender.
    pub const fn in_its_own_way(mut self, run: Run<P>) -> Self {
        self.own = Some(run);
        self
    }

    /// Leaves it out with some options, for the reason given.
    pub const fn unless(mut self, unable: fn(&P) -> Option<&'static str>) -> Self {
        self.unable = unable;
        self
    }

    /// Makes it run only when requested by name.
    pub const fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// How it runs in that place.
    pub fn run_on(&self, on: On) -> Option<Run<P>> {
        match on {
            On::Threads => self.threads,
            On::Tasks | On::Tasks2 => self.tasks,
            On::Same => self.same,
            On::Own => self.own,
        }
    }

    /// How it runs with these options, or why it is left out.
    pub fn run_for(&self, program: &P) -> Result<Run<P>, String> {
        if let Some(reason) = (self.unable)(program) {
            return Err(reason.to_owned());
        }
        self.run_on(program.on()).ok_or_else(|| match program.on() {
            On::Threads => "it has no blocking endpoints".to_owned(),
            On::Tasks | On::Tasks2 => "it has no endpoints for tasks".to_owned(),
            On::Same => "it has no form for one thread".to_owned(),
            On::Own => "it has no way of its own".to_owned(),
        })
    }

    /// Lines of code of its version, without blank lines and comments.
    pub fn lines(&self) -> usize {
        self.sources.iter().map(|text| lines_of_code(text)).sum()
    }
}

impl<P: Program> fmt::Debug for Contender<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Counts the lines that are neither blank nor only a comment.
fn lines_of_code(text: &str) -> usize {
    text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[cfg(test)]
mod tests {
    use super::lines_of_code;

    #[test]
    fn comments_and_blank_lines_do_not_count() {
        assert_eq!(lines_of_code("//! About.\n\nfn f() {\n    // why\n    g(); // how\n}\n"), 3);
    }
}
