//! Conversions from errors with few cases to errors with more, so that `?` works between the methods.

use super::error::{Closed, RecvError, RecvOrError, RecvTimeoutError, SendError, TryRecvError};
use super::send_error::{SendTimeoutError, TrySendError};

impl From<Closed> for RecvError {
    fn from(Closed: Closed) -> Self {
        RecvError
    }
}

impl<E> From<RecvError> for TryRecvError<E> {
    fn from(RecvError: RecvError) -> Self {
        TryRecvError::Closed
    }
}

impl<E> From<RecvError> for RecvTimeoutError<E> {
    fn from(RecvError: RecvError) -> Self {
        RecvTimeoutError::Closed
    }
}

impl<E, O> From<RecvError> for RecvOrError<E, O> {
    fn from(RecvError: RecvError) -> Self {
        RecvOrError::Closed
    }
}

impl<T> From<SendError<T>> for TrySendError<T> {
    fn from(error: SendError<T>) -> Self {
        TrySendError::Closed(error.into_payload())
    }
}

impl<T> From<SendError<T>> for SendTimeoutError<T> {
    fn from(error: SendError<T>) -> Self {
        SendTimeoutError::Closed(error.into_payload())
    }
}
