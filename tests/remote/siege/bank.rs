//! The bank: its protocol, and what it does with a client.

use pipes::RecvError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

pipes::proto! {
    /// Online banking, as a client sees it. Unbounded.
    #[remote]
    pub bank {
        login: send { login(user: String, password: String) -> login_response }
        login_response: recv { ok -> connected, invalid -> login }
        connected: send {
            deposit(u64) -> connected,
            withdrawal(u64) -> withdrawal_response,
            balance -> statement,
            history -> entries,
            leave -> !
        }
        withdrawal_response: recv { money(u64) -> connected, insufficient_funds -> connected }
        statement: recv { cents(u64) -> connected }
        entries: recv { entry(u64) -> entries, end -> connected }
    }
}

/// The entries of a history: more than fit into a window.
pub const ENTRIES: u64 = 2000;

/// The password of a user.
pub fn password(user: &str) -> String {
    format!("the secret of {user}")
}

/// The accounts, in cents, by their users.
#[derive(Clone, Debug, Default)]
pub struct Accounts(Arc<Mutex<HashMap<String, u64>>>);

impl Accounts {
    fn change<T>(&self, user: &str, change: impl FnOnce(&mut u64) -> T) -> T {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(accounts.entry(user.to_owned()).or_default())
    }

    /// A session. An error: the client has gone.
    pub async fn serve(self, mut server: bank::Server<bank::Login>) -> Result<(), RecvError> {
        let (user, mut server) = loop {
            let bank::Login::Login(user, word, next) = server.await?;
            if word == password(&user) {
                let Ok(next) = next.ok() else { return Ok(()) };
                break (user, next);
            }
            let Ok(next) = next.invalid() else { return Ok(()) };
            server = next;
        };
        loop {
            let next = match server.await? {
                bank::Connected::Deposit(cents, next) => {
                    self.change(&user, |balance| *balance = balance.saturating_add(cents));
                    Some(next)
                }
                bank::Connected::Withdrawal(cents, next) => {
                    let rest = self.change(&user, |balance| {
                        *balance = balance.checked_sub(cents)?;
                        Some(())
                    });
                    match rest {
                        Some(()) => next.money(cents).ok(),
                        None => next.insufficient_funds().ok(),
                    }
                }
                bank::Connected::Balance(next) => next.cents(self.change(&user, |balance| *balance)).ok(),
                bank::Connected::History(next) => history(next),
                bank::Connected::Leave => return Ok(()),
            };
            match next {
                Some(next) => server = next,
                None => return Ok(()),
            }
        }
    }
}

fn history(mut entries: bank::Server<bank::Entries>) -> Option<bank::Server<bank::Connected>> {
    for entry in 0..ENTRIES {
        entries = entries.entry(entry).ok()?;
    }
    entries.end().ok()
}
