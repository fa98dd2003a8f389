//! What is recorded of the kinds of channels.

use super::{in_short, name_of, of_this_thread, of_threads, record_alone};
use crate::start;
use pipes::inspect::{Event, note};
use pipes::{Port, block_on, oneshot, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::watched;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// In a state with several messages, the name is that of the message, whatever its method is called.
#[test]
fn messages_have_the_names_of_the_protocol() {
    pipes::proto! {
        odd<T> {
            first: send {
                GetCount -> second,
                Move(T) -> second,
                get -> second,
                take_it(u8, T) -> first,
                takeit(T) -> first,
                bye(T) -> !,
            }
            second: recv { count(usize) -> first }
        }
    }
    watched(|| {
        type Client<'a> = odd::Client<odd::First<&'a str>>;
        type Server<'a> = odd::Server<odd::First<&'a str>>;
        fn ask<'a>(
            (client, server): (Client<'a>, Server<'a>),
            send: impl FnOnce(Client<'a>) -> odd::Client<odd::Second<&'a str>>,
        ) -> (Client<'a>, Server<'a>) {
            let client = send(client);
            let next = match server.recv() {
                Ok(odd::First::GetCount(next) | odd::First::Move(_, next) | odd::First::Get(next)) => next,
                other => panic!("{other:?}"),
            };
            let server = next.count(1).expect("the client is there");
            let Ok(odd::Second::Count(1, client)) = client.recv() else { panic!("it answers") };
            (client, server)
        }
        let (recorder, _one) = record_alone(100);
        let ends = ask(odd::pipe(), |client| client.get_count().expect("the server is there"));
        let ends = ask(ends, |client| client.r#move("a").expect("the server is there"));
        let (client, server) = ask(ends, |client| client.get().expect("the server is there"));
        let client = client.take_it(1, "b").expect("the server is there");
        let client = client.takeit("b").expect("the server is there");
        client.bye("c").expect("the server is there");
        let Ok(odd::First::TakeIt(1, "b", server)) = server.recv() else { panic!("it is sent") };
        let Ok(odd::First::Takeit("b", server)) = server.recv() else { panic!("it is sent") };
        let Ok(odd::First::Bye("c")) = server.recv() else { panic!("it is sent") };
        let expected = [
            "made odd",
            "client sent GetCount 0",
            "server received GetCount 0",
            "server sent count 1",
            "client received count 1",
            "client sent Move 2",
            "server received Move 2",
            "server sent count 3",
            "client received count 3",
            "client sent get 4",
            "server received get 4",
            "server sent count 5",
            "client received count 5",
            "client sent take_it 6",
            "client sent takeit 7",
            "client sent bye 8",
            "server received take_it 6",
            "server received takeit 7",
            "server received bye 8",
        ];
        assert_eq!(in_short(&of_this_thread(recorder.stop())), expected);
    });
}

#[test]
fn a_channel_where_an_earlier_one_was_is_another_one() {
    watched(|| {
        let (recorder, _one) = record_alone(100);
        for number in 0..2 {
            let (chan, port) = oneshot();
            chan.send(number).expect("the port is there");
            // The message is dropped unread.
            drop(port);
        }
        let (chan, port) = oneshot();
        chan.send(2).expect("the port is there");
        assert_eq!(port.recv(), Ok(2));
        let recording = of_this_thread(recorder.stop());
        let dropped = |number: usize| {
            let sent = format!("sender sent i32 {number}");
            ["made oneshot of i32".to_owned(), sent, "receiver closed oneshot of i32".to_owned()]
        };
        let received =
            ["made oneshot of i32", "sender sent i32 2", "receiver received i32 2"].map(str::to_owned);
        assert_eq!(in_short(&recording), [dropped(0), dropped(1), received].concat());
        let channels = recording.steps.iter().map(|step| match step.event {
            Event::Made { channel }
            | Event::Sent { channel, .. }
            | Event::Received { channel, .. }
            | Event::Closed { channel, .. } => channel,
            _ => panic!("{step:?}"),
        });
        let channels: Vec<_> = channels.collect();
        let [first, second, third] = [channels[0], channels[3], channels[6]];
        assert_eq!(channels, [[first; 3], [second; 3], [third; 3]].concat());
        assert!(first < second && second < third);
    });
}

#[test]
fn a_send_that_fails_is_not_recorded() {
    watched(|| {
        let (recorder, _one) = record_alone(100);
        let (chan, port) = oneshot();
        drop(port);
        chan.send('a').expect_err("the port has left");
        let (mut chan, port) = stream();
        drop(port);
        chan.send('b').expect_err("the port has left");
        let (mut chan, port) = sync_stream(2);
        drop(port);
        chan.send('c').expect_err("the port has left");
        let (mut chan, port) = sync_stream(1);
        chan.send('d').expect("there is room");
        chan.try_send('e').expect_err("there is no room");
        drop(port);
        let (chan, port) = shared_stream();
        drop(port);
        chan.send('f').expect_err("the port has left");
        let sent = in_short(&of_this_thread(recorder.stop())).into_iter().filter(|it| it.contains("sent"));
        assert_eq!(sent.collect::<Vec<_>>(), ["sender sent char 0"]);
    });
}

/// Messages that a receiver drops are not received.
#[test]
fn unread_messages_are_not_received() {
    watched(|| {
        let (recorder, _one) = record_alone(100);
        let (chan, port) = shared_stream();
        chan.send(1).and(chan.send(2)).expect("the port is there");
        drop(port);
        let (mut chan, port) = sync_stream(2);
        chan.send(1).and(chan.send(2)).expect("the port is there");
        drop(port);
        let (mut chan, port) = stream();
        chan.send(1).and(chan.send(2)).expect("the port is there");
        assert_eq!(port.close(), [1, 2]);
        let steps = in_short(&of_this_thread(recorder.stop()));
        assert_eq!(steps.iter().filter(|it| it.contains("sent")).count(), 6, "{steps:?}");
        assert_eq!(steps.iter().filter(|it| it.contains("received")).count(), 0, "{steps:?}");
        assert_eq!(steps.iter().filter(|it| it.contains("receiver closed")).count(), 3, "{steps:?}");
    });
}

/// In each way in which a value can be sent and received.
#[test]
fn each_way_to_send_and_to_receive_is_recorded() {
    watched(|| {
        let (recorder, _one) = record_alone(100);
        let now = Duration::ZERO;
        for (mut chan, mut port) in [stream(), sync_stream(8)] {
            chan.send(0).expect("there is room");
            chan.try_send(0).expect("there is room");
            chan.send_timeout(0, now).expect("there is room");
            block_on(chan.send_async(0)).expect("there is room");
            chan.reserve().expect("there is room").send(0).expect("the port is there");
            chan.send_all(&mut vec![0, 0]).expect("there is room");
            chan.send_all(&mut vec![0]).expect("there is room");
            receive_eight(&mut port);
        }
        for (chan, mut port) in [shared_stream(), shared_sync_stream(8)] {
            chan.send(0).expect("there is room");
            chan.try_send(0).expect("there is room");
            chan.send_timeout(0, now).expect("there is room");
            block_on(chan.send_async(0)).expect("there is room");
            chan.reserve().expect("there is room").send(0).expect("the port is there");
            let permits = chan.reserve_many(2).expect("there is room");
            permits.for_each(|it| it.send(0).expect("the port is there"));
            drop(chan.reserve_owned().expect("there is room").send(0).expect("the port is there"));
            receive_eight(&mut port);
        }
        let steps = in_short(&of_this_thread(recorder.stop()));
        let numbers = |verb: &str| {
            let steps = steps.iter().filter_map(|it| it.strip_prefix(verb));
            steps.map(|it| it.parse().expect("its number is known")).collect::<Vec<usize>>()
        };
        let sent = numbers("sender sent i32 ");
        assert_eq!(sent.len(), 4 * 8, "{steps:?}");
        assert_eq!(sent, numbers("receiver received i32 "), "{steps:?}");
    });
}

fn receive_eight(mut port: &mut Port<i32>) {
    assert_eq!(port.recv(), Ok(0));
    assert_eq!(port.try_recv(), Ok(0));
    assert_eq!(port.recv_timeout(Duration::ZERO), Ok(0));
    assert_eq!(block_on(port.recv_async()), Ok(0));
    pipes::select! {
        received = port => assert_eq!(received, Ok(0)),
    }
    let mut rest = Vec::new();
    port.recv_many(&mut rest, 1).expect("it was sent");
    port.recv_many(&mut rest, 8).expect("it was sent");
    assert_eq!(rest, [0, 0, 0]);
}

/// Several receivers share a stream. One may take out what another one gets.
#[test]
fn each_message_of_a_shared_port_has_an_arrow() {
    const MANY: usize = 100;
    watched(|| {
        let (recorder, _one) = record_alone(10 * MANY);
        let (chan, port) = shared_stream();
        let port = port.into_shared();
        let names = ["shares it", "shares it too"];
        let receivers = names.map(|name| {
            let port = port.clone();
            start(name, move || while let Ok('a') = port.recv() {})
        });
        (0..MANY).for_each(|_| chan.send('a').expect("the port is there"));
        drop(chan);
        receivers.into_iter().for_each(|it| it.join().expect("it does not panic"));
        let received = of_threads(recorder.stop(), &names);
        let numbers = received.steps.iter().filter_map(|step| match step.event {
            Event::Received { number, .. } => Some(number.expect("its send is known")),
            _ => None,
        });
        // The sends are not among the steps, and keep their numbers.
        assert_eq!(numbers.collect::<HashSet<_>>().len(), MANY);
    });
}

/// One after the other, and several at once.
#[test]
fn each_message_of_a_stream_has_an_arrow() {
    const MANY: usize = 1000;
    watched(|| {
        let (recorder, _one) = record_alone(10 * MANY);
        let many = || vec!["a"; MANY];
        let (mut chan, mut port) = stream();
        let sender = start("of stream", move || {
            chan.send_all(&mut many()).expect("the port is there");
            many().into_iter().for_each(|it| chan.send(it).expect("the port is there"));
        });
        let mut received = Vec::new();
        while port.recv_many(&mut received, MANY).is_ok() {}
        sender.join().expect("it does not panic");
        let (mut chan, mut port) = sync_stream(64);
        let sender = start("of bounded", move || {
            chan.send_all(&mut many()).expect("the port is there");
            many().into_iter().for_each(|it| chan.send(it).expect("the port is there"));
        });
        while port.recv_many(&mut received, MANY).is_ok() {}
        sender.join().expect("it does not panic");
        let (chan, port) = shared_sync_stream(64);
        let sender = start("of shared", move || {
            chan.send_all(&mut many()).expect("the port is there");
            many().into_iter().for_each(|it| chan.send(it).expect("the port is there"));
        });
        received.extend(port);
        sender.join().expect("it does not panic");
        assert_eq!(received.len(), 6 * MANY);
        let recording = recorder.stop();
        for (name, kind) in
            [("of stream", "stream"), ("of bounded", "bounded stream"), ("of shared", "shared stream")]
        {
            let (mut sent, mut numbers) = (Vec::new(), Vec::new());
            for step in &recording.steps {
                match step.event {
                    Event::Sent { number, channel, .. }
                        if recording.threads[step.thread].name.as_deref() == Some(name) =>
                    {
                        assert_eq!(recording.channels[channel].to_string(), format!("{kind} of &str"));
                        sent.push((channel, number));
                    }
                    Event::Received { number: Some(number), channel, .. } => numbers.push((channel, number)),
                    _ => {}
                }
            }
            numbers.retain(|(channel, _)| *channel == sent[0].0);
            assert_eq!(numbers.len(), 2 * MANY, "{name}");
            assert!(numbers.is_sorted() && sent == numbers, "{name}");
        }
    });
}

/// Several threads send at once, and each message says which one has sent it.
#[test]
fn an_arrow_comes_from_the_thread_that_has_sent() {
    const MANY: usize = 500;
    watched(|| {
        let (recorder, _one) = record_alone(10 * MANY);
        let (chan, mut port) = shared_stream::<&'static str>();
        let names = ["sends a", "sends b", "sends c"];
        let senders = names.map(|name| {
            let chan = chan.clone();
            start(name, move || (0..MANY).for_each(|_| chan.send(name).expect("the port is there")))
        });
        drop(chan);
        let receiver = start("receives all", move || {
            while let Ok(name) = port.recv() {
                note(|| name.to_owned());
            }
        });
        senders.into_iter().for_each(|it| it.join().expect("it does not panic"));
        receiver.join().expect("it does not panic");
        let recording = of_threads(recorder.stop(), &[&names[..], &["receives all"]].concat());
        let mut senders = HashMap::new();
        for step in &recording.steps {
            if let Event::Sent { number, .. } = step.event {
                senders.insert(number, name_of(&recording, step));
            }
        }
        let of_receiver = recording.steps.iter().filter(|it| name_of(&recording, it) == "receives all");
        let mut seen = HashSet::new();
        let mut last = None;
        for step in of_receiver {
            match &step.event {
                Event::Received { number, .. } => last = *number,
                Event::Noted(name) => {
                    let number = last.take().expect("the send is known");
                    assert_eq!(&senders[&number], name);
                    assert!(seen.insert(number));
                }
                _ => {}
            }
        }
        assert_eq!(seen.len(), names.len() * MANY);
    });
}
