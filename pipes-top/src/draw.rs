//! Draws the screen: a line for all, a line for each process, the table, and a line about the keys.

use crate::details;
use crate::model::{Process, State, counted};
use crate::rows::{Column, Row as Sleeper, duration};
use crate::screen::{Mode, Screen};
use crate::snapshot::Verdict;
use crate::width::{cut, cut_front, width};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Cell, Clear, Paragraph, Row, Table, TableState, Wrap};
use std::time::Duration;

/// The most processes that have a line of their own.
const MOST_PROCESSES: usize = 5;
/// The width that shows most names of files, with line and column.
const LEAST_PLACE: u16 = 24;
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const REVERSED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Draws the screen. `position` remembers from which row on.
pub fn draw(screen: &mut Screen, interval: Duration, position: &mut TableState, frame: &mut Frame) {
    let processes = processes(screen);
    let [top, middle, table, bottom] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(processes.len() as u16 + 1),
        Constraint::Min(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(summary(screen, interval), top);
    frame.render_widget(Paragraph::new(processes), middle);
    draw_table(screen, position, table, frame);
    frame.render_widget(keys(screen), bottom);
    if let Mode::Details { thread, line } = &mut screen.mode {
        draw_details(details::text(&screen.processes, thread), line, frame);
    }
}

fn summary(screen: &Screen, interval: Duration) -> Line<'static> {
    let (count, asleep) = (screen.processes.all.len(), screen.processes.sleepers().count());
    let shown = match screen.rows().len() {
        shown if shown == asleep => String::new(),
        shown => format!(", {shown} shown"),
    };
    let all = format!(
        "{} in {count} {}{shown}, every {}",
        counted("sleeping ", screen.processes.sleepers()),
        if count == 1 { "process" } else { "processes" },
        duration(interval),
    );
    // What does not fit is cut, so the deadlocks come first.
    let mut line = Line::styled("pipes-top: ", BOLD);
    for verdict in [Verdict::Certain, Verdict::Suspected, Verdict::Standing] {
        if let Some(count) = screen.processes.in_deadlocks(verdict) {
            line.push_span(Span::styled(count, style(verdict, screen)));
            line.push_span(Span::raw("; "));
        }
    }
    line.push_span(Span::raw(all));
    line
}

/// How threads in a deadlock are shown.
fn style(verdict: Verdict, screen: &Screen) -> Style {
    match verdict {
        _ if !screen.has_colors => BOLD,
        Verdict::Certain => BOLD.fg(Color::Red),
        Verdict::Suspected | Verdict::Standing => BOLD.fg(Color::Yellow),
    }
}

/// A line for each process, those first that do not answer.
fn processes(screen: &Screen) -> Vec<Line<'static>> {
    let mut all: Vec<&Process> = screen.processes.all.iter().collect();
    all.sort_by_key(|it| matches!(it.state, State::Answers(_)));
    let line = |process: &&Process| {
        let (state, style) = match &process.state {
            State::Answers(snapshot) => (counted("sleeping ", snapshot.sleepers.iter()), Style::new()),
            State::Gone => ("gone".to_owned(), BOLD),
            State::Fails(why) => (why.clone(), BOLD),
        };
        Line::styled(format!("  {}: {state}", process.path), style)
    };
    let mut lines: Vec<_> = all.iter().take(MOST_PROCESSES).map(line).collect();
    if all.len() > MOST_PROCESSES {
        lines.push(Line::raw(format!("  … and {} more", all.len() - MOST_PROCESSES)));
    }
    lines
}

fn draw_table(screen: &Screen, position: &mut TableState, area: Rect, frame: &mut Frame) {
    let columns = Column::of(screen.processes.all.len());
    let widths = widths(screen.rows(), columns, area.width);
    let title = |column: &Column| {
        let mark = if *column == screen.order { "▾" } else { "" };
        aligned(format!("{}{mark}", column.title()), *column)
    };
    let header = Row::new(columns.iter().map(title)).style(REVERSED);
    let row = |row: &Sleeper| {
        let cells = columns.iter().zip(&widths).map(|(column, most)| {
            let (text, most) = (row.text(*column), usize::from(*most));
            let is_path = matches!(column, Column::Process | Column::At);
            aligned(if is_path { cut_front(&text, most) } else { cut(&text, most) }, *column)
        });
        let deadlock = row.deadlock.map(|place| &screen.processes.deadlocks[place]);
        Row::new(cells).style(deadlock.map_or(Style::new(), |it| style(it.verdict, screen)))
    };
    let rows: Vec<_> = screen.rows().iter().map(row).collect();
    let table = Table::new(rows, widths.iter().map(|width| Constraint::Length(*width)))
        .header(header)
        .column_spacing(2)
        .row_highlight_style(REVERSED);
    position.select(screen.selected());
    frame.render_stateful_widget(table, area, position);
}

fn aligned(text: String, column: Column) -> Cell<'static> {
    let alignment = if column == Column::Asleep { Alignment::Right } else { Alignment::Left };
    Cell::from(Text::raw(text).alignment(alignment))
}

/// The widths of the columns. What a thread waits for has the room that the short columns leave, and its
/// place in the source has the rest, but at least as much as its end needs.
fn widths(rows: &[Sleeper], columns: &[Column], room: u16) -> Vec<u16> {
    let longest = |column: Column| {
        let texts = rows.iter().map(|row| width(&row.text(column)));
        let title = width(column.title()) + 1;
        u16::try_from(texts.chain([title]).max().unwrap_or(title)).unwrap_or(u16::MAX)
    };
    let short = |column: Column| match column {
        Column::Process | Column::Thread => longest(column).min(24),
        _ => 8,
    };
    let spaces = 2 * (columns.len() as u16 - 1);
    let used: u16 = columns[..columns.len() - 2].iter().map(|it| short(*it)).sum();
    let room = room.saturating_sub(used + spaces);
    let least = longest(Column::At).min(LEAST_PLACE).min(room / 2);
    let waits_for = longest(Column::WaitsFor).min(room - least);
    let place = longest(Column::At).min(room - waits_for);
    let room = |column: &Column| match column {
        Column::WaitsFor => waits_for,
        Column::At => place,
        short_one => short(*short_one),
    };
    columns.iter().map(room).collect()
}

fn keys(screen: &Screen) -> Line<'static> {
    match &screen.mode {
        Mode::Filter => Line::raw(format!("/{}█   Enter keeps the filter, Esc drops it", screen.filter)),
        Mode::Details { .. } => Line::raw("Esc closes, ↑↓ scroll"),
        Mode::Table if screen.filter.is_empty() => {
            Line::raw("q quit   s sort   / filter   Enter details   ↑↓ select")
        }
        Mode::Table => {
            let filter = &screen.filter;
            Line::raw(format!(
                "q quit   s sort   / filter: {filter}   Esc no filter   Enter details   ↑↓ select"
            ))
        }
    }
}

/// Draws the details from this line on, or from the last one from which they fill the room.
fn draw_details(text: String, line: &mut u16, frame: &mut Frame) {
    let [_, area, _] = Layout::vertical([Constraint::Length(2), Constraint::Min(3), Constraint::Length(2)])
        .areas(frame.area());
    let block = Block::bordered().title(" details ");
    let inside = block.inner(area);
    let columns = usize::from(inside.width.max(1));
    // About as many as there will be: lines break between words.
    let broken = |line: &str| width(line).div_ceil(columns).max(1);
    let lines = u16::try_from(text.lines().map(broken).sum::<usize>()).unwrap_or(u16::MAX);
    *line = lines.saturating_sub(inside.height).min(*line);
    frame.render_widget(Clear, area);
    frame
        .render_widget(Paragraph::new(text).block(block).wrap(Wrap { trim: false }).scroll((*line, 0)), area);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deadlocks::tests::{processes, services};
    use crate::model::Processes;
    use crate::model::tests::{answer, failure, shop};
    use crate::screen::tests::{press, write};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::KeyCode;
    use serde_json::json;
    use std::path::PathBuf;

    /// The lines of a terminal of this size, without the blanks at their ends.
    fn lines(screen: &mut Screen, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("it has a size");
        let drawn = terminal
            .draw(|frame| draw(screen, Duration::from_secs(1), &mut TableState::new(), frame))
            .expect("it cannot fail");
        let cells: Vec<_> = drawn.buffer.content().iter().map(|cell| cell.symbol()).collect();
        cells.chunks(width.into()).map(|line| line.concat().trim_end().to_owned()).collect()
    }

    #[test]
    fn the_screen_has_processes_threads_and_keys() {
        let mut screen = Screen::new(shop());
        screen.update(1, Err(failure(true, "no process listens there")));
        let wanted = [
            "pipes-top: 2 sleeping threads in 3 processes, every 1.0 s",
            "  /run/bank: gone",
            "  /run/none: there is no such socket",
            "  /run/shop: 2 sleeping threads",
            "",
            "PROCESS    THREAD    ASLEEP▾  WAITS FOR                  AT",
            "/run/shop  till        5.0 s  a message at Port<Order>   src/till.rs:1:2",
            "/run/shop  clerk       3.0 s  a message at Port<Return>  src/clerk.rs:1:2",
            "",
            "q quit   s sort   / filter   Enter details   ↑↓ select",
        ];
        assert_eq!(lines(&mut screen, 90, 10), wanted);
    }

    #[test]
    fn a_filter_is_shown_while_it_is_written_and_after() {
        let mut screen = Screen::new(shop());
        write(&mut screen, "/clerk");
        let seen = lines(&mut screen, 90, 10);
        assert_eq!(seen[0], "pipes-top: 3 sleeping threads in 3 processes, 1 shown, every 1.0 s");
        assert!(seen[9].starts_with("/clerk█"));
        press(&mut screen, &[KeyCode::Enter]);
        assert!(lines(&mut screen, 90, 10)[9].contains("/ filter: clerk   Esc no filter"));
    }

    #[test]
    fn what_does_not_fit_is_cut() {
        let long = "a_name_that_is_longer_than_a_column_can_be";
        let one =
            Processes::new(&["a".into()], vec![Ok(answer(&[(long, 5, "Port<VeryLongNameOfAMessage>")]))]);
        let seen = lines(&mut Screen::new(one), 80, 6);
        assert_eq!(
            seen[4],
            "a_name_that_is_longer_t…     5.0 s  a message at Port<Ve…  …column_can_be.rs:1:2"
        );
        let narrow = lines(&mut Screen::new(shop()), 7, 3);
        assert_eq!(narrow.len(), 3);
    }

    #[test]
    fn of_many_processes_those_that_do_not_answer_come_first() {
        let paths: Vec<_> = (0..8).map(|number| PathBuf::from(number.to_string())).collect();
        let mut screen = Screen::new(Processes::new(&paths, vec![Ok(answer(&[])); 8]));
        screen.update(6, Err(failure(true, "no process listens there")));
        let seen = lines(&mut screen, 60, 12);
        assert_eq!(seen[1], "  6: gone");
        assert_eq!(seen[2], "  0: 0 sleeping threads");
        assert_eq!(seen[6], "  … and 3 more");
    }

    #[test]
    fn details_scroll_as_far_as_there_are_lines() {
        let mut screen = Screen::new(shop());
        press(&mut screen, &[KeyCode::Enter]);
        assert!(lines(&mut screen, 60, 20)[3].starts_with("│process    /run/shop  "));
        press(&mut screen, &[KeyCode::PageDown; 9]);
        let seen = lines(&mut screen, 60, 10);
        assert!(
            seen[6].starts_with("│  no thread sleeps at the other end; its owner is unknown"),
            "the last one"
        );
        press(&mut screen, &[KeyCode::Up]);
        assert_ne!(lines(&mut screen, 60, 10), seen, "the line was limited");
        screen.update(0, Ok(answer(&[])));
        assert!(lines(&mut screen, 60, 10)[3].contains("this thread no longer sleeps"));
    }

    #[test]
    fn a_deadlock_is_counted_and_has_a_color() {
        let colors = |screen: &mut Screen| {
            let mut terminal = Terminal::new(TestBackend::new(120, 10)).expect("it has a size");
            let drawn = terminal
                .draw(|frame| draw(screen, Duration::from_secs(1), &mut TableState::new(), frame))
                .expect("it cannot fail");
            // At a letter of the deadlocks in the first line, and of the threads in the lines of the table.
            [0, 5, 6].map(|line| drawn.buffer[(12, line)].fg)
        };
        let [mut till, bank] = services();
        let mut suspected = Screen::new(processes(&[till.clone(), bank.clone()]));
        let seen = lines(&mut suspected, 120, 10);
        assert_eq!(
            seen[0],
            "pipes-top: 2 threads seem to wait for each other; 2 sleeping threads in 2 processes, every 1.0 s"
        );
        assert!(seen[5].contains("till") && seen[6].contains("bank"));
        assert_eq!(colors(&mut suspected), [Color::Yellow; 3]);
        suspected.has_colors = false;
        assert_eq!(colors(&mut suspected), [Color::Reset; 3]);

        till["deadlocks"] = json!([{"verdict": "certain", "sleepers": [0], "report": "deadlock: …\n"}]);
        let mut certain = Screen::new(processes(&[bank, till]));
        let seen = lines(&mut certain, 120, 10);
        assert!(
            seen[0]
                .contains(": 1 thread waits for itself; 2 threads seem to wait for each other; 2 sleeping"),
            "{seen:?}"
        );
        assert!(seen[5].contains("till") && seen[6].contains("bank"), "the certain one comes first");
        assert_eq!(colors(&mut certain), [Color::Red, Color::Red, Color::Yellow]);
    }
}
