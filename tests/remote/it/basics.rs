//! Sessions over each engine, with threads and with tasks.

use pipes::Cause;
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use pipes_remote_tests::{bank, numbers};
use std::thread;
use std::time::Duration;

fn serve(server: bank::Server<bank::Login>) -> Option<()> {
    let bank::Login::Login(_, password, response) = server.recv().ok()?;
    let mut connected = if password == "secret" { response.ok().ok()? } else { return None };
    let mut balance = 0;
    loop {
        match connected.recv().ok()? {
            bank::Connected::Deposit(amount, answer) => {
                balance += amount;
                connected = answer.balance(balance).ok()?;
            }
            bank::Connected::Leave => return Some(()),
        }
    }
}

fn by_threads<E: Engine>(via: Via<E>) {
    let mut listener = bank::listen_with_links(&via).expect("the address is free");
    let serving = thread::spawn(move || {
        let (server, link) = listener.accept().expect("a client comes");
        let served = serve(server);
        (served, link.cause())
    });
    let (client, link) = bank::connect_with_link(&via).expect("it listens");
    assert!(matches!(link.cause(), Cause::Open));
    let client = client.login("ada".into(), "secret".into()).expect("the link stands");
    let Ok(bank::LoginResponse::Ok(mut client)) = client.recv() else { panic!("the password is right") };
    for expected in [1, 3, 6] {
        let amount = expected - expected / 2;
        let bank::ConnectedAgain::Balance(balance, next) =
            client.deposit(amount).expect("the link stands").recv().expect("it answers");
        assert!(balance >= amount);
        client = next;
    }
    client.leave().expect("the link stands");
    link.drained(Duration::from_secs(60)).expect("the last message is confirmed");
    assert!(matches!(link.cause(), Cause::Ended), "{link:?}");
    let (served, cause) = serving.join().expect("it does not panic");
    assert_eq!(served, Some(()));
    assert!(matches!(cause, Cause::Ended), "{cause:?}");
}

#[test]
fn over_memory() {
    by_threads(pipes_remote::memory());
}

#[test]
fn over_tcp() {
    by_threads(pipes_remote::tcp_free_port().expect("there is a free port"));
}

#[test]
fn over_a_unix_socket() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("bank");
    by_threads(pipes_remote::unix(&path));
}

#[tokio::test]
async fn numbers_arrive_in_order_by_tasks() {
    let via = pipes_remote::memory().window(16, 1 << 20);
    let mut listener = numbers::listen_async(&via).await.expect("it is free");
    let serving = tokio::spawn(async move {
        let mut server = listener.recv_async().await.expect("a client comes");
        let mut sum = 0;
        loop {
            match server.await.expect("the link stands") {
                numbers::Open::Number(number, next) => (sum, server) = (sum + number, next),
                numbers::Open::Done(answer) => return answer.sum(sum).expect("the link stands"),
            }
        }
    });
    let (mut client, link) = numbers::connect_with_link_async(&via).await.expect("it listens");
    for number in 0..10_000 {
        client = client.number(number).expect("the link stands");
    }
    let numbers::Sum::Sum(sum) = client.done().expect("the link stands").await.expect("it answers");
    assert_eq!(sum, 10_000 * 9_999 / 2);
    assert!(matches!(link.cause(), Cause::Ended), "{link:?}");
    serving.await.expect("it does not panic");
}
