//! A state with more than a hundred messages: the code of the last ones has two bytes.

pipes::proto! {
    #[remote]
    many {
        ask: send { m0(u16) -> answer, m1(u16) -> answer, m2(u16) -> answer, m3(u16) -> answer, m4(u16) -> answer, m5(u16) -> answer, m6(u16) -> answer, m7(u16) -> answer, m8(u16) -> answer, m9(u16) -> answer, m10(u16) -> answer, m11(u16) -> answer, m12(u16) -> answer, m13(u16) -> answer, m14(u16) -> answer, m15(u16) -> answer, m16(u16) -> answer, m17(u16) -> answer, m18(u16) -> answer, m19(u16) -> answer, m20(u16) -> answer, m21(u16) -> answer, m22(u16) -> answer, m23(u16) -> answer, m24(u16) -> answer, m25(u16) -> answer, m26(u16) -> answer, m27(u16) -> answer, m28(u16) -> answer, m29(u16) -> answer, m30(u16) -> answer, m31(u16) -> answer, m32(u16) -> answer, m33(u16) -> answer, m34(u16) -> answer, m35(u16) -> answer, m36(u16) -> answer, m37(u16) -> answer, m38(u16) -> answer, m39(u16) -> answer, m40(u16) -> answer, m41(u16) -> answer, m42(u16) -> answer, m43(u16) -> answer, m44(u16) -> answer, m45(u16) -> answer, m46(u16) -> answer, m47(u16) -> answer, m48(u16) -> answer, m49(u16) -> answer, m50(u16) -> answer, m51(u16) -> answer, m52(u16) -> answer, m53(u16) -> answer, m54(u16) -> answer, m55(u16) -> answer, m56(u16) -> answer, m57(u16) -> answer, m58(u16) -> answer, m59(u16) -> answer, m60(u16) -> answer, m61(u16) -> answer, m62(u16) -> answer, m63(u16) -> answer, m64(u16) -> answer, m65(u16) -> answer, m66(u16) -> answer, m67(u16) -> answer, m68(u16) -> answer, m69(u16) -> answer, m70(u16) -> answer, m71(u16) -> answer, m72(u16) -> answer, m73(u16) -> answer, m74(u16) -> answer, m75(u16) -> answer, m76(u16) -> answer, m77(u16) -> answer, m78(u16) -> answer, m79(u16) -> answer, m80(u16) -> answer, m81(u16) -> answer, m82(u16) -> answer, m83(u16) -> answer, m84(u16) -> answer, m85(u16) -> answer, m86(u16) -> answer, m87(u16) -> answer, m88(u16) -> answer, m89(u16) -> answer, m90(u16) -> answer, m91(u16) -> answer, m92(u16) -> answer, m93(u16) -> answer, m94(u16) -> answer, m95(u16) -> answer, m96(u16) -> answer, m97(u16) -> answer, m98(u16) -> answer, m99(u16) -> answer, m100(u16) -> answer, m101(u16) -> answer, m102(u16) -> answer, m103(u16) -> answer, m104(u16) -> answer, m105(u16) -> answer, m106(u16) -> answer, m107(u16) -> answer, m108(u16) -> answer, m109(u16) -> answer, m110(u16) -> answer, m111(u16) -> answer, m112(u16) -> answer, m113(u16) -> answer, m114(u16) -> answer, m115(u16) -> answer, m116(u16) -> answer, m117(u16) -> answer, m118(u16) -> answer, m119(u16) -> answer, m120(u16) -> answer, m121(u16) -> answer, m122(u16) -> answer, m123(u16) -> answer, m124(u16) -> answer, m125(u16) -> answer, m126(u16) -> answer, m127(u16) -> answer, m128(u16) -> answer, m129(u16) -> answer, m130(u16) -> answer, m131(u16) -> answer, m132(u16) -> answer, m133(u16) -> answer, m134(u16) -> answer, m135(u16) -> answer, m136(u16) -> answer, m137(u16) -> answer, m138(u16) -> answer, m139(u16) -> answer, last -> ! }
        answer: recv { heard(u16) -> ask }
    }
}

#[test]
fn every_message_is_told_apart() {
    let via = pipes_remote::memory();
    let mut listener = many::listen(&via).expect("it is free");
    let serving = std::thread::spawn(move || {
        let mut server = listener.accept().expect("a client comes");
        let mut heard = Vec::new();
        loop {
            let (number, next) = match server.recv().expect("the link stands") {
                many::Ask::M0(number, next) => (number, next),
                many::Ask::M119(number, next) => (number + 1000, next),
                many::Ask::M120(number, next) => (number + 2000, next),
                many::Ask::M139(number, next) => (number + 3000, next),
                many::Ask::Last => return heard,
                other => panic!("it was not sent: {other:?}"),
            };
            heard.push(number);
            server = next.heard(number).expect("the link stands");
        }
    });
    let client = many::connect(&via).expect("it listens");
    let answers = |client: many::Client<many::Answer>| {
        let many::Answer::Heard(_, next) = client.recv().expect("it answers");
        next
    };
    let client = answers(client.m0(1).expect("the link stands"));
    let client = answers(client.m119(2).expect("the link stands"));
    let client = answers(client.m120(3).expect("the link stands"));
    let client = answers(client.m139(4).expect("the link stands"));
    client.last().expect("the link stands");
    assert_eq!(serving.join().expect("it does not panic"), [1, 1002, 2003, 3004]);
}
