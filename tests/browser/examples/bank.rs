//! The client of a bank, as a page. `ci/browser.sh` measures how much larger it is than an empty page.
#![cfg(target_family = "wasm")]

use pipes_remote::ws;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

pipes::proto! {
    #[remote]
    bank {
        closed: send { login(String) -> answer }
        answer: recv { ok -> open, refused -> closed }
        open: send { deposit(u32) -> open, withdraw(u32) -> withdrawal, balance -> told, leave -> ! }
        withdrawal: recv { paid -> open, too_much(u32) -> open }
        told: recv { amount(u32) -> open }
    }
}

/// Deposits an amount, withdraws another one, and returns what is left.
#[wasm_bindgen]
pub async fn visit(url: String, name: String, deposit: u32, withdraw: u32) -> Result<u32, JsError> {
    let client = bank::connect_async(&ws(url)).await?;
    let bank::Answer::Ok(client) = client.login(name)?.recv_async().await? else {
        return Err(JsError::new("the bank does not know this name"));
    };
    let client = match client.deposit(deposit)?.withdraw(withdraw)?.recv_async().await? {
        bank::Withdrawal::Paid(client) => client,
        bank::Withdrawal::TooMuch(most, _) => {
            return Err(JsError::new(&format!("the bank pays {most} at most")));
        }
    };
    let bank::Told::Amount(left, client) = client.balance()?.recv_async().await?;
    client.leave()?;
    Ok(left)
}
