//! A place of the ring, with the message that lies there.
//!
//! # The word
//!
//! It counts the receivers that have not received the message, and one more for the message itself. The
//! message is that of the number in the cell.
//!
//! | count | meaning | by | next |
//! |---|---|---|---|
//! | 0 | there is no message | a sender **puts** one | receivers + 1 |
//! | more than 2 | several receivers have not received it | one of them clones it and **leaves** | one less |
//! | 2 | one has not | it **takes** the message | 0 |
//! | 1 | none has: the last two have cloned it at the same time | the one that left last **takes** the message | 0 |
//!
//! A receiver clones the message and leaves with the lock for reading. *Put* and *take* need the lock for
//! writing. A message that is lost because the sender does not wait is overwritten, whatever the count is.
//!
//! `WAITED_FOR` says that a sender waits for the count 0. *Mark* and *take* change the same word: so either
//! the sender finds 0 and does not wait, or the receiver finds the mark.
//!
//! # No wait for user code
//!
//! Only `T::clone` runs with a lock. Where a sender waits for its receivers, a writer waits only for readers
//! that have left already: *put* finds the count 0, and *take* finds that no other receiver has to receive
//! the message. Where it does not wait, writers do not wait for the lock either.

use crate::sync::{AtomicUsize, Ordering, ReadGuard, RwLock, WriteGuard};
use crate::wait::Count;

const WAITED_FOR: usize = 1;
/// The unit of the count.
const ONE: usize = 2;

/// A place of the ring.
pub(super) struct Slot<T> {
    word: AtomicUsize,
    cell: RwLock<Cell<T>>,
    /// A writer may wait for readers.
    waits: bool,
}

/// A message and its number. There is no message if it was taken.
struct Cell<T> {
    number: Count,
    message: Option<T>,
}

/// What the last receiver leaves behind.
pub(super) struct Rest<T> {
    /// The message, to be dropped without a lock.
    pub(super) message: Option<T>,
    /// A sender waits for the place.
    pub(super) is_waited_for: bool,
}

impl<T> Rest<T> {
    const NONE: Self = Rest { message: None, is_waited_for: false };
}

impl<T> Slot<T> {
    pub(super) fn new(waits: bool) -> Self {
        let cell = RwLock::new(Cell { number: Count::NEVER, message: None });
        Slot { word: AtomicUsize::new(0), cell, waits }
    }

    /// Returns `true` if there is no message that a receiver has not received.
    pub(super) fn is_free(&self) -> bool {
        // ORDERING: Relaxed: the lock of the cell orders what follows.
        self.word.load(Ordering::Relaxed) < ONE
    }

    /// Announces that a sender waits for the place. Returns `true` if it is free.
    pub(super) fn mark(&self) -> bool {
        // ORDERING: Relaxed, as in `is_free`; the wake-up of the sender is ordered by the lock of the tail.
        self.word.fetch_or(WAITED_FOR, Ordering::Relaxed) < ONE
    }

    /// Locks the place for writing. If the sender does not wait for its receivers, this may fail.
    fn lock(&self) -> Option<WriteGuard<'_, Cell<T>>> {
        if self.waits { Some(self.cell.write()) } else { self.cell.try_write() }
    }

    /// Puts a message for this number of receivers into the place, which the caller knows to be free if it
    /// waits for receivers. Returns what was there, or the new message if a receiver is busy here.
    pub(super) fn put(&self, number: Count, message: T, receivers: usize) -> Result<Option<T>, T> {
        let Some(mut cell) = self.lock() else { return Err(message) };
        // ORDERING: Relaxed here and below: the number and the count are changed and read with the lock of
        // the cell.
        self.word.store((receivers + 1) * ONE, Ordering::Relaxed);
        cell.number = number;
        Ok(cell.message.replace(message))
    }

    /// Locks the place for reading, if the message of this number is there.
    fn read(&self, number: Count) -> Option<ReadGuard<'_, Cell<T>>> {
        let cell = self.cell.read();
        (cell.number == number).then_some(cell)
    }

    /// Receives the message of this number. Returns `None` if it is not here.
    ///
    /// `alone` says whether the caller is likely to be the only receiver that has not received it, and then
    /// whether it was.
    #[inline]
    pub(super) fn receive(&self, number: Count, alone: &mut bool) -> Option<(T, Rest<T>)>
    where
        T: Clone,
    {
        // A guess does not wait for the lock: another receiver may be cloning.
        if *alone && let Some(taken) = self.take_alone(self.cell.try_write(), number) {
            return Some(taken);
        }
        let mut cell = self.read(number)?;
        *alone = self.is_left_to_one();
        if *alone {
            drop(cell);
            if let Some(taken) = self.take_alone(self.lock(), number) {
                return Some(taken);
            }
            cell = self.read(number)?;
        }
        let message = cell.message.clone()?;
        Some((message, self.leave_with(cell)))
    }

    /// Returns `true` if one receiver has not received the message.
    fn is_left_to_one(&self) -> bool {
        self.word.load(Ordering::Relaxed) / ONE == 2
    }

    /// Takes the message if it has this number, and the caller alone has not received it.
    fn take_alone(&self, cell: Option<WriteGuard<'_, Cell<T>>>, number: Count) -> Option<(T, Rest<T>)> {
        let cell = cell.filter(|cell| cell.number == number && self.is_left_to_one())?;
        let Rest { message, is_waited_for } = self.take_with(cell);
        Some((message?, Rest { message: None, is_waited_for }))
    }

    /// Gives up the caller's claim to the message of this number.
    pub(super) fn leave(&self, number: Count) -> Rest<T> {
        self.read(number).map_or(Rest::NONE, |cell| self.leave_with(cell))
    }

    /// Leaves the message. The last receiver takes it.
    ///
    /// If the sender does not wait, the message may stay: another receiver may be just about to release the
    /// lock. Then it stays until it is overwritten.
    #[inline(always)]
    fn leave_with(&self, cell: ReadGuard<'_, Cell<T>>) -> Rest<T> {
        let number = cell.number;
        let is_last = self.word.fetch_sub(ONE, Ordering::Relaxed) / ONE == 2;
        drop(cell);
        if is_last { self.take_last(number) } else { Rest::NONE }
    }

    #[cold]
    fn take_last(&self, number: Count) -> Rest<T> {
        let cell = self.lock().filter(|cell| cell.number == number);
        cell.map_or(Rest::NONE, |cell| self.take_with(cell))
    }

    /// Takes the message, which no other receiver has to receive.
    fn take_with(&self, mut cell: WriteGuard<'_, Cell<T>>) -> Rest<T> {
        let message = cell.message.take();
        let is_waited_for = if self.waits {
            self.word.swap(0, Ordering::Relaxed) & WAITED_FOR != 0
        } else {
            self.word.store(0, Ordering::Relaxed);
            false
        };
        Rest { message, is_waited_for }
    }

    /// Adds a receiver to those that have not received the message of this number. The caller keeps another
    /// one among them.
    pub(super) fn join(&self, number: Count) {
        if let Some(_cell) = self.read(number) {
            self.word.fetch_add(ONE, Ordering::Relaxed);
        }
    }
}
