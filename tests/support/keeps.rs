//! Whether threads keep the memory of freed pipes.

/// Does a thread keep the memory of small pipes that it has freed, for its next ones? The library does not
/// say so; its architecture promises it.
pub const KEEPS: bool = cfg!(all(
    not(pipes_no_cache),
    any(
        target_os = "linux",
        target_os = "freebsd",
        target_vendor = "apple",
        all(windows, target_env = "msvc")
    )
));
