//! Session-typed message passing.
