//! The loop between the terminal and the processes.

use crate::ask::{self, Answer, Failure};
use crate::draw::draw;
use crate::screen::{Flow, Screen};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event};
use ratatui::widgets::TableState;
use signal_hook::consts::TERM_SIGNALS;
use signal_hook::flag;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// The time after which new answers are shown while no key is pressed.
const LOOK: Duration = Duration::from_millis(50);

/// Shows the processes until a key or a signal ends it.
///
/// The terminal is then as it was before, and after a panic as well, before its message is printed.
pub fn run(paths: &[PathBuf], interval: Duration, screen: Screen) -> io::Result<()> {
    let is_ended = Arc::new(AtomicBool::new(false));
    for signal in TERM_SIGNALS {
        flag::register(*signal, Arc::clone(&is_ended))?;
    }
    // Sets the panic hook as well.
    let mut terminal = ratatui::try_init()?;
    let answers = ask::keep_asking(paths, interval);
    let shown = show(&mut terminal, screen, interval, &answers, &is_ended);
    ratatui::try_restore().and(shown)
}

fn show(
    terminal: &mut DefaultTerminal,
    mut screen: Screen,
    interval: Duration,
    answers: &Receiver<(usize, Result<Answer, Failure>)>,
    is_ended: &AtomicBool,
) -> io::Result<()> {
    let mut position = TableState::new();
    let mut has_changed = true;
    while !is_ended.load(Ordering::Relaxed) {
        if has_changed {
            terminal.draw(|frame| draw(&mut screen, interval, &mut position, frame))?;
        }
        has_changed = wait_for_event()?;
        while has_changed && event::poll(Duration::ZERO)? {
            if let Event::Key(key) = event::read()?
                && screen.key(key) == Flow::Ends
            {
                return Ok(());
            }
        }
        for (index, answer) in answers.try_iter() {
            screen.update(index, answer);
            has_changed = true;
        }
    }
    Ok(())
}

/// Waits until a key is pressed, or the terminal has another size. Returns `false` if neither happens soon.
fn wait_for_event() -> io::Result<bool> {
    match event::poll(LOOK) {
        // A signal, at which the loop looks.
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(false),
        other => other,
    }
}
