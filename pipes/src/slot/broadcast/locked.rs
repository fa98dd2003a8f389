//! A place whose message may be overwritten before every receiver has received it.
//!
//! The message is that of the number in the cell. A receiver clones it and gives up its claim with the lock
//! for reading. All other steps need the lock for writing. A message that is lost because the sender does not
//! wait is overwritten, whatever the count of claims is.
//!
//! # No wait for user code
//!
//! Only `T::clone` runs with the lock, and no thread waits for the lock to write.

use super::place::{Place, Rest};
use super::state::Claims;
use crate::sync::{ReadGuard, RwLock, WriteGuard};
use crate::wait::Count;

/// A place for which no sender waits.
pub(crate) struct Locked<T> {
    claims: Claims,
    cell: RwLock<Cell<T>>,
}

/// A message and its number. There is no message if it was taken.
struct Cell<T> {
    number: Count,
    message: Option<T>,
}

impl<T> Place for Locked<T> {
    type Message = T;

    fn new() -> Self {
        Locked { claims: Claims::new(), cell: RwLock::new(Cell { number: Count::NEVER, message: None }) }
    }

    fn is_free(&self) -> bool {
        true
    }

    fn mark(&self) -> bool {
        true
    }

    unsafe fn put(&self, number: Count, message: T, receivers: usize) -> Result<Option<T>, T> {
        let Some(mut cell) = self.cell.try_write() else { return Err(message) };
        self.claims.put(receivers);
        cell.number = number;
        Ok(cell.message.replace(message))
    }

    #[inline]
    unsafe fn receive(&self, number: Count, alone: &mut bool) -> Option<(T, Rest<T>)>
    where
        T: Clone,
    {
        if *alone && let Some(message) = self.take_alone(number) {
            return Some((message, Rest::NONE));
        }
        let mut cell = self.read(number)?;
        *alone = self.claims.is_left_to_one();
        if *alone {
            drop(cell);
            if let Some(message) = self.take_alone(number) {
                return Some((message, Rest::NONE));
            }
            cell = self.read(number)?;
        }
        let message = cell.message.clone()?;
        Some((message, self.leave_with(cell)))
    }

    unsafe fn leave(&self, number: Count) -> Rest<T> {
        self.read(number).map_or(Rest::NONE, |cell| self.leave_with(cell))
    }

    /// It is not waited for: a receiver that leaves may just be about to release the lock. Then the message
    /// stays until it is overwritten.
    fn clear(&self) -> Option<T> {
        let mut cell = self.cell.try_write()?;
        // A receiver that leaves at the same time has no claim here any more.
        cell.number = Count::NEVER;
        self.take_with(cell)
    }

    unsafe fn join(&self, number: Count) {
        if let Some(_cell) = self.read(number) {
            self.claims.join();
        }
    }
}

impl<T> Locked<T> {
    /// Locks the place for reading, if the message of this number is there.
    fn read(&self, number: Count) -> Option<ReadGuard<'_, Cell<T>>> {
        let cell = self.cell.read();
        (cell.number == number).then_some(cell)
    }

    /// Takes the message if it has this number, and the caller alone has not received it. It does not wait
    /// for the lock: another receiver may be cloning.
    fn take_alone(&self, number: Count) -> Option<T> {
        let cell = self.cell.try_write()?;
        if cell.number == number && self.claims.is_left_to_one() { self.take_with(cell) } else { None }
    }

    /// Gives up the caller's claim. The last receiver takes the message.
    ///
    /// The message may stay: another receiver may be just about to release the lock. Then it stays until it
    /// is overwritten.
    #[inline(always)]
    fn leave_with(&self, cell: ReadGuard<'_, Cell<T>>) -> Rest<T> {
        let number = cell.number;
        let is_last = self.claims.leave();
        drop(cell);
        if is_last { self.take_last(number) } else { Rest::NONE }
    }

    #[cold]
    fn take_last(&self, number: Count) -> Rest<T> {
        let cell = self.cell.try_write().filter(|cell| cell.number == number);
        Rest { message: cell.and_then(|cell| self.take_with(cell)), is_waited_for: false }
    }

    /// Takes the message, which no other receiver has to receive.
    fn take_with(&self, mut cell: WriteGuard<'_, Cell<T>>) -> Option<T> {
        self.claims.clear();
        cell.message.take()
    }
}
