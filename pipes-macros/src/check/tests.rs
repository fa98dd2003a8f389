//! Tests of the stages after the parser, on protocols written as text.

use super::{Bound, Facts, Instance, Memory, Room, check};
use crate::diag::Problems;
use crate::model::{Parameter, Protocol, build};
use crate::parse::invocation;
use quote::ToTokens;

/// Returns a protocol, the facts about it, and its errors.
fn checked(text: &str) -> (Protocol, Facts, Vec<String>) {
    let mut problems = Problems::new();
    let tokens = format!("pipes unsafe {{}} {text}").parse().expect("it is made of tokens");
    let (_, mut protocols) = invocation(tokens, &mut problems);
    let protocol = build(protocols.remove(0), &mut problems);
    let facts = check(&protocol, &mut problems);
    (protocol, facts, problems.into_messages())
}

/// Returns the facts about a protocol without errors.
#[track_caller]
fn facts(text: &str) -> Facts {
    let (_, facts, problems) = checked(text);
    assert_eq!(problems, [""; 0]);
    facts
}

/// Returns the only error of a protocol.
#[track_caller]
fn problem(text: &str) -> String {
    let (_, _, problems) = checked(text);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.into_iter().next().unwrap_or_default()
}

#[test]
fn bounds_of_the_protocols_of_2012() {
    let bound = |text: &str| facts(text).bound;
    let messages = |messages, slots| Bound::Messages { messages, slots };
    assert_eq!(bound("pingpong { ping: send { ping -> pong } pong: recv { pong -> ping } }"), messages(1, 2));
    assert_eq!(bound("oneshot { s: send<T> { send(T) -> ! } }"), messages(1, 1));
    let double_buffer = "double_buffer { acquire: send { request -> wait } wait: recv { give(u8) -> release }
                          release: send { release(u8) -> acquire } }";
    assert_eq!(bound(double_buffer), messages(2, 3));
    assert_eq!(bound("stream { open: send<T> { data(T) -> open<T> } }"), Bound::Unbounded { cycle: vec![0] });
    let bank = "bank { login: send { login(u8) -> response } response: recv { ok -> connected, invalid -> login }
                connected: send { deposit(u64) -> connected, withdrawal(u64) -> money } money: recv { money(u64) -> connected } }";
    assert_eq!(bound(bank), Bound::Unbounded { cycle: vec![2] });
    // A cycle counts even if it cannot be reached.
    let spoilt = "p { ping: send { ping -> pong } pong: recv { pong -> ping } x: send { x -> x } }";
    assert_eq!(bound(spoilt), Bound::Unbounded { cycle: vec![2] });
}

#[test]
fn assertions_of_bounds_name_the_states() {
    let said = problem("#[bounded] p { a: send { m -> b } b: send { m -> a, n -> c } c: recv { m -> a } }");
    assert!(said.contains("along `a` -> `b` -> `a`") && said.contains("the client"), "{said}");
    let said = problem("#[bounded(1)] p { a: recv { m -> b } b: recv { m -> c } c: send { m -> a } }");
    assert!(
        said.contains("2 messages") && said.contains("along `a` -> `b`") && said.contains("the server"),
        "{said}"
    );
    assert_eq!(checked("#[bounded(2)] p { a: recv { m -> b } b: recv { m -> ! } }").2, [""; 0]);
}

#[test]
fn states_have_the_parameters_that_they_need() {
    let names =
        |parameters: &[Parameter]| parameters.iter().map(Parameter::name).collect::<Vec<_>>().join(" ");
    let found = facts(
        "p<T, 'a, U: Into<T>, const N: usize> {
            a: send { m(T) -> b, o -> d<'a, [U; N]> }
            b: recv { m(&'a u8) -> c } c: send { m -> !, n(u8) -> c }
            d<'b, V>: send { m(&'b V) -> ! } }",
    );
    let parameters: Vec<String> = found.parameters.iter().map(|of| names(of)).collect();
    assert_eq!(parameters, ["'a T U N", "'a", "", "'b V"]);
    assert_eq!(names(&found.all_parameters), "'a 'b T U N V");
}

#[test]
fn what_receives_has_the_parameters_and_bounds_of_its_states() {
    let declared = |parameters: &[Parameter]| -> Vec<String> {
        parameters.iter().map(|parameter| parameter.declared.to_token_stream().to_string()).collect()
    };
    let found = facts(
        "p<T, 'a> {
            a<U: Send>: send { m(T, U) -> b<U> }
            b<U: Copy>: recv { m(&'a U) -> c<U> }
            c<U: Ord>: send { m(U) -> ! } }",
    );
    let [client, server] = found.receiving_parameters.each_ref().map(|of| declared(of));
    assert_eq!(client, ["'a", "U : Copy"]);
    assert_eq!(server, ["'a", "T", "U : Send + Ord"]);
    let [client, server] = facts("p<T> { s: send { m(T) -> s } }").receiving_parameters;
    assert_eq!((declared(&client), declared(&server)), (vec![], vec![String::from("T")]));
}

#[test]
fn what_can_be_any_state_has_the_bounds_of_all() {
    let found = facts("p { a<T: Send>: send { m(T) -> b<T> } b<T: Copy + Send>: send { m(T) -> ! } }");
    let declared: Vec<String> = found
        .all_parameters
        .iter()
        .map(|parameter| parameter.declared.to_token_stream().to_string())
        .collect();
    assert_eq!(declared, ["T : Send + Copy"]);
    assert!(
        problem("p { a<T>: send { m(T) -> ! } b<const T: u8>: send { m([u8; T]) -> ! } }")
            .contains("two parameters called `T`")
    );
}

#[test]
fn a_parameter_that_nothing_needs_is_an_error() {
    assert!(problem("p<T> { s: send { m -> s } }").contains("parameter `T`"));
    assert!(problem("p { s<T>: send { m -> s<T> } }").contains("parameter `T`"), "it is only handed on");
    assert_eq!(checked("p { s<T>: send { m -> next<T> } next<T>: send { m -> ! } }").2.len(), 2);
}

#[test]
fn arguments_that_grow_are_errors_and_others_are_not() {
    for growing in [
        "p { s<T>: send { m(T) -> s<Vec<T>> } }",
        "p { s<T>: send { m(T) -> next<(T, u8)> } next<U>: recv { m(U) -> s<U> } }",
        "p { s<T, U>: send { m(T, U) -> s<U, Option<T>> } }",
    ] {
        assert!(problem(growing).contains("grows"), "{growing}");
    }
    for finite in [
        "p { s<T>: send { m(T) -> s<Vec<u8>> } }",
        "p { s<T, U>: send { m(T, U) -> s<U, T> } }",
        "p { s<T>: send { m(T) -> next<Vec<T>> } next<U>: recv { m(U) -> s<u8> } }",
        "p<T> { s<U>: send { m(U) -> s<Vec<T>> } }",
    ] {
        assert_eq!(checked(finite).2, [""; 0], "{finite}");
    }
}

#[test]
fn memory_is_common_if_all_states_know_the_same() {
    let written = |types: &[syn::Type]| -> Vec<String> {
        types.iter().map(|ty| ty.to_token_stream().to_string().replace(' ', "")).collect()
    };
    let rooms = |rooms: &[Room]| -> Vec<Vec<String>> {
        let room =
            |room: &Room| room.instances.iter().map(Instance::key).chain(written(&room.besides)).collect();
        rooms.iter().map(room).collect()
    };
    let of = |text: &str| match facts(text).memory {
        Memory::Common(payloads) => vec![written(&payloads)],
        Memory::ByState { rooms: found, .. } => rooms(&found),
    };
    assert_eq!(of("p { s: send { m(u8, u8) -> s, n(u8) -> s, o -> !, q(u8) -> ! } }"), [["(u8,u8)", "u8"]]);
    assert_eq!(of("p<T> { s: send { m(T) -> s } }"), [["T"]]);
    assert_eq!(of("p { s<T>: send { m(T) -> s<T> } }"), [["T"]]);
    assert_eq!(
        of("p<T> { s: send { m(T) -> next } next: send { n(u8) -> ! } }"),
        [vec!["0<>", "1<>"], vec!["1<>"]]
    );
    // In the second state nothing says that `T` outlives `'b`.
    assert_eq!(
        of("p<'b, T> { s: send { m(&'b T) -> next } next: send { n(&'b u8, T) -> ! } }"),
        [vec!["0<>", "1<>"], vec!["1<>"]]
    );
    assert_eq!(of("p<'b, T> { s: send { m(&'b T) -> next } next: recv { n(&'b T) -> ! } }"), [["&'bT"]]);
    // Earlier payloads count as well, as far as they can be named.
    assert_eq!(
        of("p<T> { s: send { m(Box<u8>) -> next, o(T) -> next } next: send { n(u8) -> ! } }"),
        [vec!["0<>", "1<>"], vec!["1<>", "Box<u8>"]]
    );
    assert_eq!(of("p { s<T>: send { m(T) -> s<Vec<u8>> } }"), [["0<T>", "0<0()>"]]);
    assert_eq!(
        of(
            "p { s<T>: send { m(T::Item) -> next<[T; 3], 3> } next<U, const N: usize>: recv { n([U; N]) -> ! } }"
        ),
        [vec!["0<T>", "1<0(T),1()>"], vec!["1<U,N>"]]
    );
}

#[test]
fn names_are_resolved_or_refused() {
    assert!(problem("p { login: send { m -> logn } }").contains("did you mean `login`?"));
    assert!(!problem("p { login: send { m -> xyz } }").contains("did you mean"));
    assert!(
        problem("p { s<T>: send { m(T) -> s } }")
            .contains("takes the arguments `<T>`; this step passes no arguments")
    );
    assert!(
        problem("p { s<'a>: send { m(&'a u8) -> s<u8> } }")
            .contains("`<'a>`; this step passes the arguments `<u8>`")
    );
    assert!(problem("p { s: send { m(x: u8, x: u8) -> s } }").contains("two fields called `x`"));
    assert!(problem("p { s: send { } }").contains("has no messages"));
    assert!(problem("p { client: send { m -> ! } }").contains("the client's endpoint"));
    assert!(problem("p { __: send { m -> ! } }").contains("letter"));
    assert!(problem("p<Server> { s: send { m(Server) -> ! } }").contains("parameter `Server`"));
    assert!(problem("p<T: Send> { send: send { m(T) -> ! } }").contains("the state `send`"));
    assert_eq!(
        checked("p { log_in: send { m -> ! } LogIn: send { m -> ! } }").2.len(),
        2,
        "and where the first one is"
    );
    assert_eq!(checked("p { s: send { GetIt -> s, get_it -> s } }").2.len(), 2, "and where the first one is");
}

#[test]
fn what_could_be_another_type_is_not_taken_for_one() {
    let keys = |text: &str| match facts(text).memory {
        Memory::Common(_) => Vec::new(),
        Memory::ByState { rooms, .. } => rooms[0].instances.iter().map(Instance::key).collect(),
    };
    // In `b`, `T` is not the parameter of `a`.
    assert_eq!(
        keys("p { a<T>: send { m(T) -> b } b: send { n -> c<T> } c<W>: send { o(W) -> ! } }"),
        ["0<T>", "1<>", "2<0()>"]
    );
    // The argument for `V` in `V::Out` is known, but only the compiler knows the type of the result.
    assert_eq!(
        keys(
            "p { a<T>: send { m(T) -> b<T> } b<V: Conv>: send { n(V) -> c<V::Out> } c<W>: send { o(W) -> ! } }"
        ),
        ["0<T>", "1<T>", "2<0(T)>"]
    );
    let permutations =
        "p { s<A,B,C,D,E,F,G>: send { m(A,B,C,D,E,F,G) -> s<B,C,D,E,F,G,A>, n -> s<B,A,C,D,E,F,G>, o -> t }
                        x: send { o -> s<u8,u8,u8,u8,u8,u8,u8> } t: recv { p -> ! } }";
    assert!(checked(permutations).2[0].contains("a thousand combinations of arguments"));
    assert!(problem("p { s: send { m(Vec<Self>) -> s } }").contains("`Self`"));
}

#[test]
fn unreachable_states_are_found() {
    assert_eq!(
        facts("p { a: send { m -> c } b: send { m -> a } c: recv { m -> a } d: recv { m -> b } }")
            .unreachable,
        [1, 3]
    );
}

#[test]
fn collections_of_what_takes_no_bytes() {
    let weightless = [
        "Vec<()>",
        "std::collections::VecDeque<((), [u8; 0])>",
        "Option<Vec<Box<()>>>",
        "Box<[()]>",
        "HashSet<PhantomData<u8>, Hasher>",
        "BTreeMap<(), [(); 3]>",
        "[Vec<(((),))>; 2]",
    ];
    for ty in weightless {
        let said = problem(&format!("#[remote] p {{ s: send {{ m(u8, {ty}) -> ! }} }}"));
        assert!(said.contains("no bytes"), "{ty}: {said}");
        // In one program, the elements are there before they are sent.
        facts(&format!("p {{ s: send {{ m(u8, {ty}) -> ! }} }}"));
    }
    for ty in
        ["Vec<u8>", "Vec<Option<()>>", "BTreeMap<(), u8>", "HashMap<u8, ()>", "()", "[(); 3]", "Vec<Vec<u8>>"]
    {
        facts(&format!("#[remote] p {{ s: send {{ m({ty}) -> ! }} }}"));
    }
}
