//! Messages of all sizes, and states with many messages.

use pipes::remote::{Cause, Fault};
use pipes_remote_tests::raw::{MESSAGE, codes};
use pipes_remote_tests::{Net, Plan, UP, at_rest, letter, rest, session, tasks, within};

/// A state with more messages than fit into a byte of their own.
macro_rules! many {
    ($($message:ident)*) => {
        pipes::proto! {
            #[remote]
            pub many { stay: send { $($message -> stay),* } }
        }
    };
}

many! {
    m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21 m22 m23 m24 m25 m26 m27
    m28 m29 m30 m31 m32 m33 m34 m35 m36 m37 m38 m39 m40 m41 m42 m43 m44 m45 m46 m47 m48 m49 m50 m51 m52 m53
    m54 m55 m56 m57 m58 m59 m60 m61 m62 m63 m64 m65 m66 m67 m68 m69 m70 m71 m72 m73 m74 m75 m76 m77 m78 m79
    m80 m81 m82 m83 m84 m85 m86 m87 m88 m89 m90 m91 m92 m93 m94 m95 m96 m97 m98 m99 m100 m101 m102 m103
    m104 m105 m106 m107 m108 m109 m110 m111 m112 m113 m114 m115 m116 m117 m118 m119 m120 m121 m122 m123
    m124 m125 m126 m127 m128 m129 m130 m131 m132 m133 m134 m135 m136 m137 m138 m139 m140 m141 m142 m143
    m144 m145 m146 m147 m148 m149 m150 m151 m152 m153 m154 m155 m156 m157 m158 m159 m160 m161 m162 m163
    m164 m165 m166 m167 m168 m169 m170 m171 m172 m173 m174 m175 m176 m177 m178 m179 m180 m181 m182 m183
    m184 m185 m186 m187 m188 m189 m190 m191 m192 m193 m194 m195 m196 m197 m198 m199
}

type Many = many::Client<many::Stay>;

#[tokio::test(start_paused = true)]
async fn a_state_with_two_hundred_messages() {
    use many::{Stay, connect_with_link_async, listen_async};
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
    let (listener, (client, link), (server, its_link)) = session!(letter, &ours, &theirs);
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
    at_rest(base).await;
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
