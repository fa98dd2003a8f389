//! Programs that use a protocol: for each side a function that takes a random step, and a function that
//! starts a session.

use super::payloads::endpoint_of;
use super::protocol::{Instance, Message, Protocol};
use super::text;
use super::walk::{SIDES, Walk};
use fastrand::Rng;

/// Both sides' walks, a function that starts a session, and the `Payload` impls of the start state's
/// endpoints.
pub fn drivers(protocol: &Protocol, random: &mut Rng) -> String {
    let walks = SIDES.map(|side| Walk::new(protocol, side));
    let steps: String = walks
        .iter()
        .map(|walk| {
            let held = Held::any(walk, random);
            walk.declaration() + &step(walk, held)
        })
        .collect();
    let pipe = if random.u64(..3) == 0 {
        let arguments = protocol.all_arguments();
        format!("<{}::Protocol{arguments} as pipes::Protocol>::pipe()", protocol.name)
    } else {
        format!("{}::pipe()", protocol.name)
    };
    let [client, server] = walks.each_ref().map(|walk| boxed(walk, walk.side.word));
    let name = &protocol.name;
    let start = format!(
        "fn {name}_start() -> (Walk, Walk) {{\n    let (client, server) = {pipe};\n    ({client}, {server})\n}}\n"
    );
    let [clients, servers] = [0, 1].map(|side| payload(&walks[side], &walks[1 - side]));
    steps + &start + &clients + &servers
}

/// A row of the table of all protocols.
pub fn case(protocol: &Protocol) -> String {
    let name = &protocol.name;
    let graph = protocol.graph();
    let state = |at: usize| protocol.states[at].name.written;
    let steps: Vec<_> = graph.one_sided().into_iter().map(|(from, to)| (state(from), state(to))).collect();
    format!(
        "    Case {{\n        name: {name:?},\n        text: {:?},\n        bound: {name}::BOUND,\n        \
         expected: {:?},\n        one_sided: &{steps:?},\n        start: {name}_start,\n    }},\n",
        text::body(protocol),
        graph.bound(),
    )
}

/// What a walk receives from.
#[derive(Clone, Copy, PartialEq)]
pub enum Held {
    /// The endpoint in its state.
    InState,
    /// `AnyClient` or `AnyServer`: there is no match on the state.
    Any,
    /// `ReceivingClient` or `ReceivingServer`, made of the endpoint in its state.
    Receiving,
}

impl Held {
    /// One of those that the walk can have.
    pub fn any(walk: &Walk<'_>, random: &mut Rng) -> Self {
        match random.u64(..3) {
            0 if walk.any => Held::Any,
            1 if walk.any => Held::Receiving,
            _ => Held::InState,
        }
    }

    /// The message's enum, if it is one for all states.
    fn message(self, walk: &Walk<'_>) -> Option<String> {
        let word = match self {
            Held::InState => return None,
            Held::Any => "Message",
            Held::Receiving => "Received",
        };
        Some(format!("{}::{}{word}", walk.protocol.name, walk.side.name))
    }
}

/// A function that takes one step.
pub fn step(walk: &Walk<'_>, held: Held) -> String {
    let (sending, receiving): (Vec<&Instance>, Vec<&Instance>) =
        walk.places.iter().partition(|it| walk.sends(it));
    let held = if sending.is_empty() || receiving.is_empty() { Held::InState } else { held };
    let mut arms: String = sending.into_iter().map(|place| send(walk, place)).collect();
    let messages = |place: &&Instance| receive(walk, place, held);
    let received = |from: &str| format!("player.receive({from})?");
    match held {
        Held::Any => {
            let messages: String = receiving.iter().map(messages).collect();
            let not_receiving = format!("{}::{}Message::NotReceiving(_)", walk.protocol.name, walk.side.name);
            arms += &format!(
                "        receiving => match {} {{\n{messages}            {not_receiving} => \
                 unreachable!(\"it is this side's turn to receive\"),\n        }},\n",
                received("receiving")
            );
        }
        Held::Receiving => {
            let ty = format!("{}::Receiving{}", walk.protocol.name, walk.side.name);
            let made = |place: &&Instance| {
                format!("                {}(endpoint) => {ty}::from(endpoint),\n", walk.variant(place))
            };
            let made: String = receiving.iter().map(made).collect();
            let messages: String = receiving.iter().map(messages).collect();
            arms += &format!(
                "        receiving => {{\n            let receiving = match receiving {{\n{made}                _ => \
                 unreachable!(\"it is this side's turn to receive\"),\n            }};\n            match {} \
                 {{\n{messages}            }}\n        }}\n",
                received("receiving")
            );
        }
        Held::InState => {
            for place in &receiving {
                let (variant, messages) = (walk.variant(place), messages(place));
                arms += &format!(
                    "        {variant}(endpoint) => match {} {{\n{messages}        }},\n",
                    received("endpoint")
                );
            }
        }
    }
    let (function, ty) = (walk.function(), walk.ty());
    format!(
        "fn {function}(at: {ty}, player: &mut Player) -> ControlFlow<Ending, {ty}> {{\n    match at {{\n{arms}    }}\n}}\n"
    )
}

/// A match arm that sends one of the messages.
fn send(walk: &Walk<'_>, place: &Instance) -> String {
    let messages = &walk.protocol.states[place.state].messages;
    let last = messages.len() - 1;
    let choices: String = messages
        .iter()
        .enumerate()
        .map(|(at, message)| {
            let pattern = if at == last { String::from("_") } else { at.to_string() };
            format!("            {pattern} => {},\n", send_one(walk, place, at, message))
        })
        .collect();
    let variant = walk.variant(place);
    if last == 0 {
        let only = send_one(walk, place, 0, &messages[0]);
        return format!(
            "        {variant}(endpoint) => {{\n            player.choose(1)?;\n            {only}\n        }}\n"
        );
    }
    let count = messages.len();
    format!("        {variant}(endpoint) => match player.choose({count})? {{\n{choices}        }},\n")
}

fn send_one(walk: &Walk<'_>, place: &Instance, at: usize, message: &Message) -> String {
    let payload = vec!["player.make()"; message.fields.len()].join(", ");
    let sent = format!("endpoint.{}({payload})", message.name.method);
    let begin = format!("player.step({}, {at}); ", place.state);
    match &message.step {
        Some(step) => {
            let after = walk.after(place, step);
            format!("{{ {begin}let sent = {sent}.map({after}); player.sent(sent) }}")
        }
        None => format!("{{ {begin}let sent = {sent}; player.sent(sent)?; Break(Ending::Finished) }}"),
    }
}

/// The match arms for the messages that may be received at a place.
fn receive(walk: &Walk<'_>, place: &Instance, held: Held) -> String {
    let state = &walk.protocol.states[place.state];
    let ty = format!("{}::{}", walk.protocol.name, state.name.ty);
    let arm = |(at, message): (usize, &Message)| {
        let fields: Vec<String> = (0..message.fields.len()).map(|at| format!("f{at}")).collect();
        let next = message.step.as_ref().map(|_| String::from("next"));
        let parts: Vec<String> = fields.iter().cloned().chain(next).collect();
        let parts = if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) };
        let received = format!("{ty}::{}{parts}", message.name.ty);
        let pattern = match held.message(walk) {
            Some(message) => format!("{message}::{}({received})", state.name.ty),
            None => received,
        };
        let payload = text::payload_of(&fields);
        let then = match &message.step {
            Some(step) => format!("Continue({}(next))", walk.after(place, step)),
            None => String::from("Break(Ending::Finished)"),
        };
        let step = place.state;
        format!("            {pattern} => {{ player.step({step}, {at}); player.took({payload}); {then} }}\n")
    };
    state.messages.iter().enumerate().map(arm).collect()
}

/// A boxed walk that begins with this endpoint.
pub fn boxed(walk: &Walk<'_>, endpoint: &str) -> String {
    format!("walk({}({endpoint}), {})", walk.made_of_endpoint(&walk.protocol.start()), walk.function())
}

/// The impl that makes the endpoint of one side a payload: the side that makes it keeps and walks the other
/// endpoint, the side that receives it walks this one.
fn payload(walk: &Walk<'_>, other: &Walk<'_>) -> String {
    let ty = endpoint_of(walk.side.word, walk.protocol);
    let (name, word) = (&walk.protocol.name, walk.side.word);
    let (kept, own) = (boxed(other, other.side.word), boxed(walk, "self"));
    format!(
        "impl Payload for {ty} {{\n    fn make(player: &mut Player) -> Self {{\n        \
         let (client, server) = {name}::pipe();\n        player.keep({kept});\n        {word}\n    }}\n\n    \
         fn seen(self, player: &mut Player) {{\n        player.keep({own});\n    }}\n}}\n"
    )
}
