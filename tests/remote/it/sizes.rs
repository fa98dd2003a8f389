//! Messages of all sizes, and states with many messages.

use pipes::{Cause, Closing, Fault};
use pipes_remote_tests::raw::{MESSAGE, codes};
use pipes_remote_tests::{Net, Plan, UP, letter, loads, rest, tasks, within};

/// A state with more messages than fit into a byte of their own.
mod many {
    pipes::proto! {
        #[remote]
        pub many {
            stay: send {
                m0 -> stay, m1 -> stay, m2 -> stay, m3 -> stay, m4 -> stay, m5 -> stay, m6 -> stay,
                m7 -> stay, m8 -> stay, m9 -> stay, m10 -> stay, m11 -> stay, m12 -> stay, m13 -> stay,
                m14 -> stay, m15 -> stay, m16 -> stay, m17 -> stay, m18 -> stay, m19 -> stay,
                m20 -> stay, m21 -> stay, m22 -> stay, m23 -> stay, m24 -> stay, m25 -> stay,
                m26 -> stay, m27 -> stay, m28 -> stay, m29 -> stay, m30 -> stay, m31 -> stay,
                m32 -> stay, m33 -> stay, m34 -> stay, m35 -> stay, m36 -> stay, m37 -> stay,
                m38 -> stay, m39 -> stay, m40 -> stay, m41 -> stay, m42 -> stay, m43 -> stay,
                m44 -> stay, m45 -> stay, m46 -> stay, m47 -> stay, m48 -> stay, m49 -> stay,
                m50 -> stay, m51 -> stay, m52 -> stay, m53 -> stay, m54 -> stay, m55 -> stay,
                m56 -> stay, m57 -> stay, m58 -> stay, m59 -> stay, m60 -> stay, m61 -> stay,
                m62 -> stay, m63 -> stay, m64 -> stay, m65 -> stay, m66 -> stay, m67 -> stay,
                m68 -> stay, m69 -> stay, m70 -> stay, m71 -> stay, m72 -> stay, m73 -> stay,
                m74 -> stay, m75 -> stay, m76 -> stay, m77 -> stay, m78 -> stay, m79 -> stay,
                m80 -> stay, m81 -> stay, m82 -> stay, m83 -> stay, m84 -> stay, m85 -> stay,
                m86 -> stay, m87 -> stay, m88 -> stay, m89 -> stay, m90 -> stay, m91 -> stay,
                m92 -> stay, m93 -> stay, m94 -> stay, m95 -> stay, m96 -> stay, m97 -> stay,
                m98 -> stay, m99 -> stay, m100 -> stay, m101 -> stay, m102 -> stay, m103 -> stay,
                m104 -> stay, m105 -> stay, m106 -> stay, m107 -> stay, m108 -> stay, m109 -> stay,
                m110 -> stay, m111 -> stay, m112 -> stay, m113 -> stay, m114 -> stay, m115 -> stay,
                m116 -> stay, m117 -> stay, m118 -> stay, m119 -> stay, m120 -> stay, m121 -> stay,
                m122 -> stay, m123 -> stay, m124 -> stay, m125 -> stay, m126 -> stay, m127 -> stay,
                m128 -> stay, m129 -> stay, m130 -> stay, m131 -> stay, m132 -> stay, m133 -> stay,
                m134 -> stay, m135 -> stay, m136 -> stay, m137 -> stay, m138 -> stay, m139 -> stay,
                m140 -> stay, m141 -> stay, m142 -> stay, m143 -> stay, m144 -> stay, m145 -> stay,
                m146 -> stay, m147 -> stay, m148 -> stay, m149 -> stay, m150 -> stay, m151 -> stay,
                m152 -> stay, m153 -> stay, m154 -> stay, m155 -> stay, m156 -> stay, m157 -> stay,
                m158 -> stay, m159 -> stay, m160 -> stay, m161 -> stay, m162 -> stay, m163 -> stay,
                m164 -> stay, m165 -> stay, m166 -> stay, m167 -> stay, m168 -> stay, m169 -> stay,
                m170 -> stay, m171 -> stay, m172 -> stay, m173 -> stay, m174 -> stay, m175 -> stay,
                m176 -> stay, m177 -> stay, m178 -> stay, m179 -> stay, m180 -> stay, m181 -> stay,
                m182 -> stay, m183 -> stay, m184 -> stay, m185 -> stay, m186 -> stay, m187 -> stay,
                m188 -> stay, m189 -> stay, m190 -> stay, m191 -> stay, m192 -> stay, m193 -> stay,
                m194 -> stay, m195 -> stay, m196 -> stay, m197 -> stay, m198 -> stay, m199 -> stay,
            }
        }
    }
}

type Many = many::many::Client<many::many::Stay>;

#[tokio::test(start_paused = true)]
async fn a_state_with_two_hundred_messages() {
    use many::many::{Stay, connect_with_link_async, listen_async};
    let net = Net::of(Plan { piece: 3, ..Plan::default() });
    let mut listener = listen_async(&net.via()).await.expect("it is free");
    let (mut client, link) = connect_with_link_async(&net.via()).await.expect("it listens");
    let mut server = within(listener.recv_async()).await.expect("a client comes");
    let calls: [fn(Many) -> Option<Many>; 5] = [
        |client| client.m0().ok(),
        |client| client.m119().ok(),
        |client| client.m120().ok(),
        |client| client.m121().ok(),
        |client| client.m199().ok(),
    ];
    for call in calls {
        client = call(client).expect("the link stands");
    }
    for expected in ["M0", "M119", "M120", "M121", "M199"] {
        let message = within(server).await.expect("the link stands");
        let text = format!("{message:?}");
        let is_it = text.split(|it: char| !it.is_alphanumeric()).any(|word| word == expected);
        assert!(is_it, "{text} is not {expected}");
        server = match message {
            Stay::M0(next) | Stay::M119(next) | Stay::M120(next) | Stay::M121(next) | Stay::M199(next) => {
                next
            }
            other => panic!("{other:?}"),
        };
    }
    let expected = [0, 119, 120, 121, 199].map(|tag| MESSAGE + tag);
    assert_eq!(codes(&net.cable(0).history(UP)), expected);
    drop((server, client, link));
}

/// A letter of this many bytes there and the same back, with these limits at the client and at the server.
async fn post(limits: [usize; 2], length: usize) -> [Cause; 2] {
    let (base, net) = (tasks(), Net::new());
    let [ours, theirs] = limits.map(|limit| net.via().limit(limit));
    let mut listener = letter::listen_with_links_async(&theirs).await.expect("it is free");
    let (client, link) = letter::connect_with_link_async(&ours).await.expect("it listens");
    let (server, its_link) = within(listener.recv_async()).await.expect("a client comes");
    let bytes: Vec<u8> = (0..length).map(|at| at as u8).collect();
    let waiting = client.letter(bytes.clone()).expect("the link stands");
    if let Ok(letter::Out::Letter(there, server)) = within(server).await {
        assert!(there == bytes);
        server.letter(there).expect("the link stands");
    }
    if let Ok(letter::Home::Letter(back)) = within(waiting).await {
        assert!(back == bytes);
    }
    rest().await;
    drop(listener);
    rest().await;
    assert_eq!(tasks(), base);
    [link.cause(), its_link.cause()]
}

#[tokio::test(start_paused = true)]
async fn letters_at_their_limit() {
    // A code, and the letter's length: two bytes for those above 127, three above 16,383.
    for (limit, fits) in [(1024, 1024 - 3), (16_384, 16_384 - 3), (1 << 20, (1 << 20) - 4)] {
        let [ours, theirs] = post([limit; 2], fits).await;
        assert!(matches!((&ours, &theirs), (Cause::Ended, Cause::Ended)), "{ours:?} {theirs:?}");
        let [ours, theirs] = post([limit; 2], fits + 1).await;
        let Cause::Fault(Fault::TooLong { length, limit: most }) = ours else { panic!("{ours:?}") };
        assert_eq!((length, most), (limit + 1, limit));
        let Cause::Fault(Fault::Reported(words)) = theirs else { panic!("{theirs:?}") };
        assert!(words.contains(&limit.to_string()), "{words}");
        // Each side's limit counts for what it receives.
        let [ours, theirs] = post([limit, limit + 1], fits + 1).await;
        assert!(matches!(theirs, Cause::Fault(Fault::TooLong { .. })), "{theirs:?}");
        assert!(matches!(ours, Cause::Fault(Fault::Reported(_))), "{ours:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn letters_of_all_lengths() {
    for length in (0..40).chain([127, 128, 1020, 1021, 2044, 2045, 16_000, 16_383, 16_384, 16_385, 100_000]) {
        let [ours, theirs] = post([1 << 20; 2], length).await;
        assert!(matches!((&ours, &theirs), (Cause::Ended, Cause::Ended)), "{ours:?} {theirs:?}");
    }
}

/// What was sent before a message that is too long arrives.
#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_long_comes_after_others() {
    for plan in [Plan::default(), Plan { room: 50, ..Plan::default() }] {
        let (base, net) = (tasks(), Net::of(plan));
        let via = net.via().limit(1024);
        let mut listener = loads::listen_with_links_async(&via).await.expect("it is free");
        let (mut client, link) = loads::connect_with_link_async(&via).await.expect("it listens");
        let (mut server, its_link) = within(listener.recv_async()).await.expect("a client comes");
        for length in 0..200 {
            client = client.bytes(vec![1; length]).expect("the link stands");
        }
        client = client.bytes(vec![1; 2000]).expect("it is not looked at yet");
        for expected in 0..200 {
            let Ok(loads::Open::Bytes(bytes, next)) = within(server).await else { panic!("{its_link:?}") };
            assert_eq!(bytes.len(), expected);
            server = next;
        }
        assert!(within(server).await.is_err());
        assert!(matches!(its_link.cause(), Cause::Fault(Fault::Reported(_))), "{its_link:?}");
        within(client.closed()).await;
        assert!(matches!(link.cause(), Cause::Fault(Fault::TooLong { .. })), "{link:?}");
        drop((client, listener));
        rest().await;
        assert_eq!(tasks(), base);
    }
}
