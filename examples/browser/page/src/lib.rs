//! The page of the auction: Rust in the browser, with the protocol that the server has.

#![cfg(target_family = "wasm")]

mod drawing;
mod page;

use auction_protocol::{AUCTION, BOARD, News, auction, board};
use drawing::Drawing;
use gloo_timers::future::sleep;
use page::{Page, Wish};
use pipes::{Closing, InState, Port};
use pipes_remote::ws;
use std::error::Error;
use std::time::Duration;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;

type Failed = Box<dyn Error>;

/// How long the page waits before it connects again.
const AGAIN: Duration = Duration::from_secs(1);

/// Runs the page. The browser calls it when the page was loaded.
#[wasm_bindgen(start)]
pub fn start() {
    let (page, wishes) = Page::new();
    spawn_local(watch(page.clone()));
    spawn_local(bid(page, wishes));
}

/// Shows the news, for ever.
async fn watch(page: Page) {
    loop {
        if let Ok(mut news) = board::connect_async(&ws(page.url(BOARD))).await {
            while let Ok(board::Watching::News(item, next)) = news.recv_async().await {
                show(&page, item);
                news = next;
            }
        }
        page.say("The connection to the auction house is lost.");
        sleep(AGAIN).await;
    }
}

fn show(page: &Page, item: News) {
    match item {
        News::Lot(lot) => page.show_lot(&lot),
        News::Hall(names) => page.show_hall(names),
        News::Came(name) => {
            page.say(&format!("{name} has come."));
            page.come(name);
        }
        News::Left(name) => {
            page.say(&format!("{name} has left."));
            page.leave(&name);
        }
        News::Sold(name, amount) => page.say(&format!("Sold to {name}, for {amount}.")),
        News::Unsold => page.say("The lot was not sold."),
    }
}

/// Bids as the user wishes, for ever. If the connection is lost, it connects again, under the same name.
async fn bid(page: Page, mut wishes: Port<Wish>) {
    let (drawing, mut name) = (Drawing::new(auction::STATES), None);
    loop {
        let ended = take_part(&page, &drawing, &mut wishes, &mut name).await;
        page.show_door(true);
        drawing.mark(None);
        if let Err(error) = ended {
            page.ask(&error.to_string());
            sleep(AGAIN).await;
        }
    }
}

/// Takes part in the auction until the user or the server leaves.
async fn take_part(
    page: &Page,
    drawing: &Drawing,
    wishes: &mut Port<Wish>,
    name: &mut Option<String>,
) -> Result<(), Failed> {
    let mut client = auction::connect_async(&ws(page.url(AUCTION))).await?;
    drawing.mark(Some(client.state().info().name));
    page.ask("What is your name?");
    let mut client = loop {
        let wanted = match name.clone() {
            Some(name) => name,
            None => loop {
                if let Wish::Enter(name) = wish(wishes, &mut client).await? {
                    break name;
                }
            },
        };
        let asked = client.enter(wanted.clone())?;
        drawing.mark(Some(asked.state().info().name));
        match asked.recv_async().await? {
            auction::Welcome::Seat(next) => {
                *name = Some(wanted);
                break next;
            }
            auction::Welcome::Taken(next) => {
                page.ask("This name is taken. Another one?");
                (*name, client) = (None, next);
                drawing.mark(Some(client.state().info().name));
            }
        }
    };
    page.show_door(false);
    loop {
        drawing.mark(Some(client.state().info().name));
        match wish(wishes, &mut client).await? {
            Wish::Bid(amount) => {
                let asked = client.bid(amount)?;
                drawing.mark(Some(asked.state().info().name));
                client = match asked.recv_async().await? {
                    auction::Verdict::Leading(next) => next,
                    auction::Verdict::TooLow(least, next) => {
                        page.say(&format!("Too low: it takes {least}."));
                        next
                    }
                };
            }
            Wish::Leave => {
                *name = None;
                client.leave()?;
                return Ok(());
            }
            Wish::Enter(_) => {}
        }
    }
}

/// Waits for what the user wants. The server may leave while the user thinks.
async fn wish(wishes: &mut Port<Wish>, client: &mut impl Closing) -> Result<Wish, Failed> {
    wishes.recv_or(client.closed()).await.map_err(|_| "The auction house has left.".into())
}
