//! Two large protocols, a session of each, and a test of their endpoints' auto traits.

use super::names::Name;
use super::payloads;
use super::protocol::{Field, Instance, Message, Parameter, Protocol, State, Step};
use super::text;
use super::walk::SIDES;
use fastrand::Rng;
use std::fmt::Write;

/// How many messages each state has. The compiler's work is in proportion to the messages of a protocol.
const MESSAGES: usize = 3;
/// How long the sessions are.
const STEPS: usize = 50;

/// A bounded protocol without parameters, and an unbounded one of two hundred states with parameters that has
/// its own endpoints among its payloads.
pub fn scale() -> String {
    let mut random = Rng::with_seed(200);
    let big = protocol("big", 50, Vec::new(), &mut random);
    let argument = String::from("Counted");
    let huge = protocol("huge", 200, vec![Parameter { declared: "T", name: "T", argument }], &mut random);
    let parts = [
        text::protocol(&big),
        text::protocol(&huge),
        session(&big, &mut random),
        session(&huge, &mut random),
        shared(&big, "big_shared()"),
        shared(&huge, "huge_shared<T: Send>()"),
        format!(
            "/// What `big` is known to be bounded by.\npub const BIG: Option<usize> = {:?};\n",
            big.graph().bound()
        ),
        format!(
            "/// What `huge` is known to be bounded by.\npub const HUGE: Option<usize> = {:?};\n",
            huge.graph().bound()
        ),
    ];
    parts.concat()
}

fn protocol(name: &str, states: usize, parameters: Vec<Parameter>, random: &mut Rng) -> Protocol {
    let bounded = parameters.is_empty();
    let directions: Vec<bool> = (0..states).map(|state| state == 0 || random.bool()).collect();
    let state = |state: usize| {
        let messages = (0..MESSAGES).map(|message| {
            // In a bounded protocol one side keeps the turn only on steps to higher numbers. A step to the
            // next number is always there, so all states are reached.
            let any = random.usize(..states);
            let up = (state + 1).min(states - 1);
            let to = if message == 0 { up } else { any };
            let stays_bounded = directions[to] != directions[state] || to > state;
            let step = (!bounded || stays_bounded).then_some(Step { to, argument: None });
            let fields =
                (0..random.u64(..4)).map(|_| Field { name: None, ty: payload(name, bounded, random) });
            Message { name: numbered("m", message), fields: fields.collect(), step }
        });
        let messages = messages.collect();
        State {
            name: numbered("s", state),
            attributes: Vec::new(),
            client_sends: directions[state],
            own: None,
            messages,
        }
    };
    let states = (0..states).map(state).collect();
    Protocol { name: name.to_owned(), attributes: Vec::new(), parameters, states }
}

fn payload(name: &str, plain: bool, random: &mut Rng) -> String {
    match random.u64(..12) {
        0..3 if !plain => payloads::with_parameter("T", random),
        3 if !plain => format!("{name}::client::S0<T>"),
        4 if !plain => format!("{name}::server::S0<T>"),
        _ => payloads::simple(random),
    }
}

/// A name built from a letter and a number.
fn numbered(letter: &str, number: usize) -> Name {
    let written: &'static str = format!("{letter}{number}").leak();
    let ty: &'static str = format!("{}{number}", letter.to_uppercase()).leak();
    Name { written, ty, method: written }
}

/// A function that goes `STEPS` steps, with both sides in one thread.
fn session(protocol: &Protocol, random: &mut Rng) -> String {
    let name = &protocol.name;
    let mut text = format!(
        "/// A session of so many steps.\npub fn {name}_session(client_player: &mut Player, server_player: &mut Player) \
         {{\n    let (client, server) = {name}::pipe::{}();\n",
        if protocol.parameters.is_empty() { "<>" } else { "<Counted>" }
    );
    let mut at = 0;
    for _ in 0..STEPS {
        let state = &protocol.states[at];
        let stepping: Vec<usize> = (0..MESSAGES).filter(|it| state.messages[*it].step.is_some()).collect();
        let chosen = stepping[random.usize(..stepping.len())];
        text += &one_step(protocol, at, chosen);
        at = state.messages[chosen].step.as_ref().map_or(0, |step| step.to);
    }
    text + "    drop((client, server));\n}\n"
}

fn one_step(protocol: &Protocol, at: usize, chosen: usize) -> String {
    let (state, message) = (&protocol.states[at], &protocol.states[at].messages[chosen]);
    let (sender, receiver) = if state.client_sends { ("client", "server") } else { ("server", "client") };
    let (name, ty, variant) = (&protocol.name, state.name.ty, message.name.ty);
    let made = vec![format!("{sender}_player.make()"); message.fields.len()].join(", ");
    let fields: Vec<String> = (0..message.fields.len()).map(|at| format!("f{at}")).collect();
    let payload = text::payload_of(&fields);
    let parts: String = fields.iter().map(|it| format!("{it}, ")).collect();
    let mut text = String::new();
    for line in [
        format!("{sender}_player.step({at}, {chosen});"),
        format!("let sent = {sender}.{}({made});", message.name.method),
        format!(
            "let Continue({sender}) = {sender}_player.sent(sent) else {{ panic!(\"the {receiver} is here\") }};"
        ),
        format!("let received = {receiver}.recv().expect(\"the message is here\");"),
        format!(
            "let {name}::{ty}::{variant}({parts}{receiver}) = received else {{ panic!(\"it is {variant}\") }};"
        ),
        format!("{receiver}_player.step({at}, {chosen});"),
        format!("{receiver}_player.took({payload});"),
    ] {
        writeln!(text, "    {line}").expect("a string takes all");
    }
    text
}

/// A function that compiles only if every endpoint is `Send` and `Sync`.
fn shared(protocol: &Protocol, signature: &str) -> String {
    let arguments = if protocol.parameters.is_empty() { "" } else { "<T>" };
    let name = &protocol.name;
    let mut checks = String::new();
    for side in SIDES {
        writeln!(checks, "        shared::<{name}::Any{}{arguments}>(),", side.name)
            .expect("a string takes all");
        for (at, state) in protocol.states.iter().enumerate() {
            let known = protocol.arguments(&Instance { state: at, own: None });
            let arguments = if known.is_empty() { "" } else { arguments };
            let state = state.name.ty;
            writeln!(checks, "        shared::<{name}::{}::{state}{arguments}>(),", side.word)
                .expect("a string takes all");
        }
    }
    format!(
        "/// How many types are shared between threads.\npub fn {signature} -> usize {{\n    [\n{checks}    ].len()\n}}\n"
    )
}
