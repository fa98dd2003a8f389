//! The choice between the unbounded and the bounded channel of a library.

/// Runs a form of the program over the unbounded or the bounded channel of a library, depending on
/// `--capacity`. With a path at the end, the program gets what that makes of the channel's ends.
///
/// It is for the contenders of a program, where `Self` is the program.
macro_rules! either {
    ($run:ident($program:expr $(, $setting:expr)?), $unbounded:path, $bounded:path) => {
        either!($run($program $(, $setting)?), $unbounded, $bounded, std::convert::identity)
    };
    ($run:ident($program:expr $(, $setting:expr)?), $unbounded:path, $bounded:path, $ends:path) => {{
        let program: &Self = $program;
        match program.capacity {
            None => $run(program $(, $setting)?, $ends($unbounded())),
            Some(capacity) => $run(program $(, $setting)?, $ends($bounded(capacity as usize))),
        }
    }};
}

pub(crate) use either;
