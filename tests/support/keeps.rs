//! Whether threads keep the memory of freed pipes.

/// Returns `true` if a thread keeps the memory of small pipes that it has freed, for its next ones. The
/// library does not say so; its architecture promises it.
pub const KEEPS: bool = cfg!(all(
    not(pipes_no_cache),
    not(target_env = "ohos"),
    not(target_vendor = "win7"),
    not(all(target_arch = "x86_64", target_pointer_width = "32")),
    any(
        target_os = "linux",
        target_os = "freebsd",
        target_vendor = "apple",
        all(windows, target_env = "msvc")
    )
));
