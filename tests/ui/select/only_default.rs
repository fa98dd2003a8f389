//! And with a `default` or a `timeout` alone there is not either.

use std::time::Duration;

fn main() {
    pipes::select! { default => {} }
    pipes::select! { timeout(Duration::ZERO) => {} }
}
