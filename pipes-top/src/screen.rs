//! What the screen shows, and what keys do.

use crate::ask::{Answer, Failure};
use crate::model::{Key, Processes};
use crate::rows::{Column, Row};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The rows that a page moves.
const PAGE: usize = 10;

#[derive(Debug)]
pub struct Screen {
    pub processes: Processes,
    pub order: Column,
    pub filter: String,
    pub mode: Mode,
    pub has_colors: bool,
    rows: Vec<Row>,
    selected: Option<Key>,
}

/// What the keys go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    Table,
    /// The line in which the filter is written.
    Filter,
    /// The details of a thread, from this line on.
    Details {
        thread: Key,
        line: u16,
    },
}

/// Whether the program goes on after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoesOn,
    Ends,
}

impl Screen {
    pub fn new(processes: Processes) -> Self {
        let mut screen = Screen {
            processes,
            order: Column::Asleep,
            filter: String::new(),
            mode: Mode::Table,
            has_colors: true,
            rows: Vec::new(),
            selected: None,
        };
        screen.refresh();
        screen
    }

    /// Notes what a process has answered.
    pub fn update(&mut self, index: usize, answer: Result<Answer, Failure>) {
        self.processes.update(index, answer);
        self.refresh();
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the place of the selected row.
    pub fn selected(&self) -> Option<usize> {
        let selected = self.selected.as_ref()?;
        self.rows.iter().position(|row| row.key == *selected)
    }

    /// Makes the rows again. The selected thread stays selected, wherever it is now. If it is no longer
    /// there, the row in its place is.
    fn refresh(&mut self) {
        let place = self.selected().unwrap_or(0);
        self.rows = self.processes.rows(self.order, &self.filter);
        if self.selected().is_none() {
            self.select(place);
        }
    }

    fn select(&mut self, place: usize) {
        let place = place.min(self.rows.len().saturating_sub(1));
        self.selected = self.rows.get(place).map(|row| row.key.clone());
    }

    /// Selects the row that is this many rows away, or the nearest to it.
    fn step(&mut self, rows: isize) {
        self.select(self.selected().unwrap_or(0).saturating_add_signed(rows));
    }

    pub fn key(&mut self, key: KeyEvent) -> Flow {
        if key.kind == KeyEventKind::Release {
            return Flow::GoesOn;
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Flow::Ends;
        }
        match self.mode {
            Mode::Table => return self.key_of_table(key.code),
            Mode::Filter => self.key_of_filter(key),
            Mode::Details { .. } => self.key_of_details(key.code),
        }
        Flow::GoesOn
    }

    fn key_of_table(&mut self, key: KeyCode) -> Flow {
        let page = PAGE as isize;
        match key {
            KeyCode::Char('q') => return Flow::Ends,
            KeyCode::Char('s') => {
                self.order = self.order.next(self.processes.all.len());
                self.refresh();
            }
            KeyCode::Char('/') => self.mode = Mode::Filter,
            KeyCode::Esc => self.set_filter(String::new()),
            KeyCode::Enter | KeyCode::Char('d') => {
                if let Some(thread) = self.selected.clone() {
                    self.mode = Mode::Details { thread, line: 0 };
                }
            }
            KeyCode::Up | KeyCode::Char('k') => self.step(-1),
            KeyCode::Down | KeyCode::Char('j') => self.step(1),
            KeyCode::PageUp => self.step(-page),
            KeyCode::PageDown => self.step(page),
            KeyCode::Home => self.select(0),
            KeyCode::End => self.select(usize::MAX),
            _ => {}
        }
        Flow::GoesOn
    }

    fn key_of_filter(&mut self, key: KeyEvent) {
        let mut filter = self.filter.clone();
        match key.code {
            KeyCode::Enter => self.mode = Mode::Table,
            KeyCode::Esc => {
                self.mode = Mode::Table;
                filter.clear();
            }
            KeyCode::Backspace => drop(filter.pop()),
            KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => filter.push(letter),
            _ => {}
        }
        self.set_filter(filter);
    }

    fn set_filter(&mut self, filter: String) {
        self.filter = filter;
        self.refresh();
    }

    fn key_of_details(&mut self, key: KeyCode) {
        let Mode::Details { line, .. } = &mut self.mode else { return };
        match key {
            KeyCode::Up | KeyCode::Char('k') => *line = line.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => *line = line.saturating_add(1),
            KeyCode::PageUp => *line = line.saturating_sub(PAGE as u16),
            KeyCode::PageDown => *line = line.saturating_add(PAGE as u16),
            KeyCode::Home => *line = 0,
            KeyCode::Enter | KeyCode::Esc | KeyCode::Char('d' | 'q') => self.mode = Mode::Table,
            _ => {}
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::model::tests::{answer, failure, shop};

    pub fn press(screen: &mut Screen, codes: &[KeyCode]) {
        for code in codes {
            assert_eq!(screen.key((*code).into()), Flow::GoesOn);
        }
    }

    pub fn write(screen: &mut Screen, text: &str) {
        text.chars().for_each(|letter| press(screen, &[KeyCode::Char(letter)]));
    }

    fn selected(screen: &Screen) -> &str {
        screen.selected().map_or("nothing", |place| &screen.rows()[place].thread)
    }

    #[test]
    fn keys_move_the_selection_within_the_rows() {
        let mut screen = Screen::new(shop());
        assert_eq!(selected(&screen), "till");
        for (key, wanted) in [
            (KeyCode::Up, "till"),
            (KeyCode::Down, "teller"),
            (KeyCode::Char('j'), "clerk"),
            (KeyCode::Down, "clerk"),
            (KeyCode::Char('k'), "teller"),
            (KeyCode::End, "clerk"),
            (KeyCode::Home, "till"),
            (KeyCode::PageDown, "clerk"),
            (KeyCode::PageUp, "till"),
        ] {
            press(&mut screen, &[key]);
            assert_eq!(selected(&screen), wanted, "{key:?}");
        }
    }

    #[test]
    fn the_selected_thread_stays_selected_in_another_order() {
        let mut screen = Screen::new(shop());
        press(&mut screen, &[KeyCode::Down]);
        write(&mut screen, "ssss");
        assert_eq!((screen.order, screen.selected(), selected(&screen)), (Column::Thread, Some(1), "teller"));
    }

    #[test]
    fn if_the_selected_thread_wakes_up_the_row_in_its_place_is_selected() {
        let mut screen = Screen::new(shop());
        press(&mut screen, &[KeyCode::Down]);
        screen.update(1, Err(failure(true, "no process listens there")));
        assert_eq!(selected(&screen), "clerk");
        screen.update(0, Ok(answer(&[])));
        assert_eq!(selected(&screen), "nothing");
        press(&mut screen, &[KeyCode::Down, KeyCode::End, KeyCode::Enter]);
        assert_eq!(screen.mode, Mode::Table);
        screen.update(1, Ok(answer(&[("back", 1, "Port<u8>")])));
        assert_eq!(selected(&screen), "back");
    }

    #[test]
    fn a_filter_is_written_letter_by_letter() {
        let mut screen = Screen::new(shop());
        write(&mut screen, "/quit");
        assert_eq!((screen.rows().len(), &*screen.filter), (0, "quit"));
        press(&mut screen, &[KeyCode::Backspace; 9]);
        write(&mut screen, "order");
        press(&mut screen, &[KeyCode::Enter]);
        assert_eq!((screen.rows().len(), &screen.mode), (2, &Mode::Table));
        write(&mut screen, "/s");
        press(&mut screen, &[KeyCode::Esc]);
        assert_eq!((screen.rows().len(), &*screen.filter), (3, ""));
        write(&mut screen, "/bank");
        press(&mut screen, &[KeyCode::Enter, KeyCode::Esc]);
        assert_eq!(screen.rows().len(), 3);
    }

    #[test]
    fn details_are_those_of_the_selected_thread() {
        let mut screen = Screen::new(shop());
        press(&mut screen, &[KeyCode::Down, KeyCode::Enter, KeyCode::Down, KeyCode::Down, KeyCode::Up]);
        let thread = (1, "ThreadId(0)".to_owned());
        assert_eq!(screen.mode, Mode::Details { thread, line: 1 });
        for close in [KeyCode::Enter, KeyCode::Esc, KeyCode::Char('d'), KeyCode::Char('q')] {
            press(&mut screen, &[close]);
            assert_eq!(screen.mode, Mode::Table);
            press(&mut screen, &[KeyCode::Char('d')]);
        }
    }

    #[test]
    fn q_ends_and_so_does_ctrl_c_anywhere() {
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        let mut screen = Screen::new(shop());
        assert_eq!(screen.key(KeyCode::Char('q').into()), Flow::Ends);
        for before in ["", "/", "d"] {
            let mut screen = Screen::new(shop());
            write(&mut screen, before);
            assert_eq!(screen.key(ctrl_c), Flow::Ends);
        }
    }
}
