//! Draws the screen: a line for all, a line for each process, the table, and a line about the keys.

use crate::details;
use crate::model::{Column, Process, Row as Thread, State, duration};
use crate::screen::{Mode, Screen};
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Cell, Clear, Paragraph, Row, Table, TableState, Wrap};
use std::time::Duration;

/// The most processes that have a line of their own.
const MOST_PROCESSES: usize = 5;
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const REVERSED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Draws the screen. `position` remembers from which row on.
pub fn draw(screen: &Screen, interval: Duration, position: &mut TableState, frame: &mut Frame) {
    let processes = processes(screen);
    let [top, middle, table, bottom] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(processes.len() as u16 + 1),
        Constraint::Min(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(Line::styled(summary(screen, interval), BOLD), top);
    frame.render_widget(Paragraph::new(processes), middle);
    draw_table(screen, position, table, frame);
    frame.render_widget(keys(screen), bottom);
    if let Mode::Details { thread, line } = &screen.mode {
        let text = details::text(&screen.processes, thread);
        draw_details(text, *line, frame);
    }
}

fn summary(screen: &Screen, interval: Duration) -> String {
    let count = screen.processes.0.len();
    let asleep: usize = (0..count).filter_map(|index| screen.processes.threads(index)).sum();
    let shown = match screen.rows().len() {
        shown if shown == asleep => String::new(),
        shown => format!(", {shown} shown"),
    };
    format!(
        "pipes-top: {} in {}{shown}, every {}",
        plural(asleep, "sleeping thread", "sleeping threads"),
        plural(count, "process", "processes"),
        duration(interval),
    )
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A line for each process, those first that do not answer.
fn processes(screen: &Screen) -> Vec<Line<'static>> {
    let mut all: Vec<&Process> = screen.processes.0.iter().collect();
    all.sort_by_key(|it| matches!(it.state, State::Answers(_)));
    let line = |process: &&Process| {
        let (state, style) = match &process.state {
            State::Answers(snapshot) => {
                (plural(snapshot.threads.len(), "sleeping thread", "sleeping threads"), Style::new())
            }
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
    let columns = Column::of(screen.processes.0.len());
    let widths = widths(screen.rows(), columns, area.width);
    let title = |column: &Column| {
        let mark = if *column == screen.order { "▾" } else { "" };
        aligned(format!("{}{mark}", column.title()), *column)
    };
    let header = Row::new(columns.iter().map(title)).style(REVERSED);
    let row = |row: &Thread| {
        Row::new(columns.iter().zip(&widths).map(|(column, width)| {
            let text = row.text(*column);
            let is_path = matches!(column, Column::Process | Column::At);
            aligned(if is_path { cut_front(&text, *width) } else { cut(&text, *width) }, *column)
        }))
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

/// The widths of the columns. What a thread waits for has at least half of the room that the short columns
/// leave, and its place in the source has the rest.
fn widths(rows: &[Thread], columns: &[Column], width: u16) -> Vec<u16> {
    let longest = |column: Column| {
        let texts = rows.iter().map(|row| row.text(column).chars().count());
        let title = column.title().chars().count() + 1;
        u16::try_from(texts.chain([title]).max().unwrap_or(title)).unwrap_or(u16::MAX)
    };
    let short = |column: Column| match column {
        Column::Process | Column::Thread => longest(column).min(24),
        _ => 8,
    };
    let spaces = 2 * (columns.len() as u16 - 1);
    let used: u16 = columns[..columns.len() - 2].iter().map(|it| short(*it)).sum();
    let room = width.saturating_sub(used + spaces);
    let place = longest(Column::At).min(room - room / 2);
    let waits_for = longest(Column::WaitsFor).min(room - place);
    let place = longest(Column::At).min(room - waits_for);
    let width = |column: &Column| match column {
        Column::WaitsFor => waits_for,
        Column::At => place,
        short_one => short(*short_one),
    };
    columns.iter().map(width).collect()
}

/// Returns the text, or its begin and `…` if it is wider.
fn cut(text: &str, width: u16) -> String {
    let width = usize::from(width);
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Returns the text, or `…` and its end if it is wider.
fn cut_front(text: &str, width: u16) -> String {
    let (width, count) = (usize::from(width), text.chars().count());
    if count <= width {
        return text.to_owned();
    }
    ['…'].into_iter().chain(text.chars().skip(count - width.saturating_sub(1))).collect()
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

fn draw_details(text: String, line: u16, frame: &mut Frame) {
    let [_, area, _] = Layout::vertical([Constraint::Length(2), Constraint::Min(3), Constraint::Length(2)])
        .areas(frame.area());
    let block = Block::bordered().title(" details ");
    let inside = block.inner(area);
    let width = usize::from(inside.width.max(1));
    // About as many as there will be: lines break between words.
    let broken = |line: &str| line.chars().count().div_ceil(width).max(1);
    let lines = u16::try_from(text.lines().map(broken).sum::<usize>()).unwrap_or(u16::MAX);
    let line = line.min(lines.saturating_sub(inside.height));
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(text).block(block).wrap(Wrap { trim: false }).scroll((line, 0)), area);
}
