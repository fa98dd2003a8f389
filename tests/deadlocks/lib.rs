//! This package has only tests.
