//! The steps of a recording as a sequence chart.
//!
//! A chart has a column for each thread, and rows. Which row a step has does not depend on time, but only on
//! what comes before it: a step is below those of its thread, and a receive below its send. Those are the
//! logical clocks of Lamport, *Time, Clocks, and the Ordering of Events in a Distributed System*, 1978. So
//! two runs in which the threads do the same have the same rows. Mermaid has no rows, and gets the steps in
//! the order of time.

use super::recording::{Event, RecordedThread, Recording};
use std::collections::HashMap;

/// A sequence chart.
pub(super) struct Chart {
    /// The names of the threads.
    pub(super) columns: Vec<String>,
    /// What is drawn, sorted by time.
    pub(super) items: Vec<Item>,
}

/// Something in a chart, at the row and the column at which it begins.
pub(super) struct Item {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) text: String,
    /// Where the arrow of a message ends, as a row and a column. Without it, this is a note.
    pub(super) to: Option<(usize, usize)>,
}

impl Recording {
    /// Returns the steps as a sequence diagram for Mermaid: an arrow for each message from the thread that
    /// has sent it to the one that has received it, and notes for sleeps, for closes, for what threads
    /// [note](super::note()), and for messages of which only one end is among the steps.
    ///
    /// All is in the order of time, an arrow at the time at which the message was sent. The times themselves
    /// are not shown.
    ///
    /// ```
    /// # let recorder = pipes::inspect::record(100).expect("there is no other recorder");
    /// println!("{}", recorder.recording().to_mermaid());
    /// ```
    pub fn to_mermaid(&self) -> String {
        let chart = self.chart();
        let mut text = "sequenceDiagram\n".to_owned();
        for (column, name) in chart.columns.iter().enumerate() {
            text += &format!("    participant t{column} as {}\n", escaped(name));
        }
        for Item { column, text: label, to, .. } in &chart.items {
            let label = escaped(label);
            text += &match to {
                Some((_, to)) => format!("    t{column}->>t{to}: {label}\n"),
                None => format!("    Note over t{column}: {label}\n"),
            };
        }
        text
    }

    pub(super) fn chart(&self) -> Chart {
        let rows = self.rows();
        let mut received = HashMap::new();
        for (step, row) in self.steps.iter().zip(&rows) {
            if let Event::Received { number: Some(number), .. } = step.event {
                received.insert(number, (*row, step.thread));
            }
        }
        let sent: Vec<_> = self.sends().map(|(_, number)| number).collect();
        let mut items = Vec::new();
        for (step, row) in self.steps.iter().zip(&rows) {
            let to = match &step.event {
                Event::Sent { number, .. } => received.get(number).copied(),
                Event::Received { number: Some(number), .. } if sent.binary_search(number).is_ok() => {
                    continue;
                }
                _ => None,
            };
            if let Some(text) = self.text(&step.event, to.is_some()) {
                items.push(Item { row: *row, column: step.thread, text, to });
            }
        }
        // Only threads that are drawn have a column.
        let mut columns: Vec<_> =
            items.iter().flat_map(|it| [Some(it.column), it.to.map(|(_, to)| to)]).flatten().collect();
        columns.sort_unstable();
        columns.dedup();
        let column = |thread: usize| columns.iter().position(|it| *it == thread).unwrap_or_default();
        for item in &mut items {
            item.column = column(item.column);
            item.to = item.to.map(|(row, to)| (row, column(to)));
        }
        Chart { columns: columns.iter().map(|it| self.threads[*it].title()).collect(), items }
    }

    /// Returns the place of each send, and the number of its message.
    fn sends(&self) -> impl Iterator<Item = (usize, usize)> {
        self.steps.iter().enumerate().filter_map(|(place, step)| match step.event {
            Event::Sent { number, .. } => Some((place, number)),
            _ => None,
        })
    }

    /// Returns the text of what is drawn.
    fn text(&self, event: &Event, has_arrow: bool) -> Option<String> {
        Some(match event {
            Event::Sent { message, .. } if has_arrow => message.name.clone(),
            Event::Sent { message, .. } => format!("sends {}", message.name),
            Event::Received { message, .. } => format!("receives {}", message.name),
            Event::Closed { channel, .. } => format!("closes {}", self.channels[*channel]),
            Event::FellAsleep { waits_for, waits_for_other, .. } => {
                let other = waits_for_other.map(str::to_owned);
                let waits: Vec<_> = waits_for.iter().map(ToString::to_string).chain(other).collect();
                format!("waits for {}", waits.join(" or "))
            }
            Event::Noted(text) => text.clone(),
            Event::Made { .. } | Event::Woke => return None,
        })
    }

    /// Returns the row of each step. One that is not drawn has that of the step before.
    fn rows(&self) -> Vec<usize> {
        let causes = self.causes();
        let mut queues = vec![Vec::new(); self.threads.len()];
        for (place, step) in self.steps.iter().enumerate().rev() {
            queues[step.thread].push(place);
        }
        let mut rows: Vec<Option<usize>> = vec![None; self.steps.len()];
        let mut lowest = vec![0; self.threads.len()];
        // The threads that wait for the row of a step, and those that can go on.
        let mut waiting: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut ready: Vec<usize> = (0..self.threads.len()).collect();
        while let Some(thread) = ready.pop() {
            while let Some(place) = queues[thread].last().copied() {
                if let Some(cause) = causes[place].iter().find(|cause| rows[**cause].is_none()) {
                    waiting.entry(*cause).or_default().push(thread);
                    break;
                }
                queues[thread].pop();
                let below = causes[place].iter().filter_map(|cause| rows[*cause]).max();
                let is_drawn = !matches!(self.steps[place].event, Event::Made { .. } | Event::Woke);
                let own = lowest[thread] + usize::from(is_drawn);
                lowest[thread] = own.max(below.map_or(0, |row| row + 1));
                rows[place] = Some(lowest[thread]);
                ready.extend(waiting.remove(&place).into_iter().flatten());
            }
        }
        rows.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Returns for each step the steps of other threads that come before it.
    fn causes(&self) -> Vec<Vec<usize>> {
        let sent: HashMap<_, _> = self.sends().map(|(place, number)| (number, place)).collect();
        let mut made = HashMap::new();
        let mut closed = HashMap::new();
        let mut causes = Vec::new();
        for (place, step) in self.steps.iter().enumerate() {
            let mut of_step = Vec::new();
            let mut channels = Vec::new();
            match &step.event {
                Event::Made { channel } => drop(made.insert(*channel, place)),
                Event::Sent { channel, .. } => channels.push(*channel),
                Event::Received { channel, number, .. } => {
                    channels.push(*channel);
                    of_step.extend(number.and_then(|number| sent.get(&number)));
                }
                Event::Closed { channel, .. } => {
                    channels.push(*channel);
                    of_step.extend(closed.insert(*channel, place));
                }
                Event::FellAsleep { waits_for, .. } => {
                    channels.extend(waits_for.iter().filter_map(|it| it.channel));
                }
                Event::Woke | Event::Noted(_) => {}
            }
            of_step.extend(channels.iter().filter_map(|channel| made.get(channel)));
            // Only what came before: otherwise steps could wait for each other.
            of_step.retain(|cause| *cause < place && self.steps[*cause].thread != step.thread);
            causes.push(of_step);
        }
        causes
    }
}

impl RecordedThread {
    /// Returns the name of the thread, or its number.
    fn title(&self) -> String {
        let name = self.name.clone().filter(|name| !name.trim().is_empty());
        name.unwrap_or_else(|| format!("{:?}", self.id))
    }
}

/// Returns the text for Mermaid, which reads some signs as its own. It is on one line.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            letter if letter.is_control() => escaped.push(' '),
            letter if letter.is_alphanumeric() || " _-.,()!?/&'".contains(letter) => escaped.push(letter),
            letter => escaped += &format!("#{};", u32::from(letter)),
        }
    }
    escaped
}
