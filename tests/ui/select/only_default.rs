//! With a `default` or a `timeout` alone there is no receiver to wait for.

use std::time::Duration;

fn main() {
    pipes::select! { default => {} }
    pipes::select! { timeout(Duration::ZERO) => {} }
}
