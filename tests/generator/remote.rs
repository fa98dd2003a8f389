//! Protocols between two programs, and what it takes to walk them.

use super::drivers::{Held, boxed, step};
use super::invent::{self, Reach};
use super::protocol::Protocol;
use super::text;
use super::walk::{SIDES, Walk};
use fastrand::Rng;

/// How many of them there are. Each is compiled for several kinds of connections.
const PROTOCOLS: u64 = 24;

/// The random protocols, an `impl Spoken` for each, and a table of all of them.
pub fn remote(first: u64) -> String {
    let mut output = String::new();
    let mut cases = String::new();
    for seed in first..first + PROTOCOLS {
        let mut random = Rng::with_seed(seed + 1);
        let protocol = invent::protocol(seed, Reach::Remote, &[], &mut random);
        output.push_str(&text::protocol(&protocol));
        output.push_str(&spoken(&protocol, &mut random));
        cases.push_str(&format!("    Case::of::<{}>(),\n", marker(&protocol)));
    }
    output + &format!("/// All of them.\npub const CASES: &[Case] = &[\n{cases}];\n")
}

/// The type that has the `impl`.
fn marker(protocol: &Protocol) -> String {
    protocol.name.to_uppercase()
}

/// Both sides' steps, and the `impl` that names them.
fn spoken(protocol: &Protocol, random: &mut Rng) -> String {
    let walks = SIDES.map(|side| Walk::new(protocol, side));
    let mut output = String::new();
    let mut functions = String::new();
    for walk in &walks {
        output.push_str(&walk.declaration());
        let held = Held::any(walk, random);
        output.push_str(&step(walk, held));
        functions.push_str(&begin(walk));
    }
    let (name, marker, arguments) = (&protocol.name, marker(protocol), protocol.all_arguments());
    output
        + &format!(
            "pub struct {marker};\n\nimpl Spoken for {marker} {{\n    type Protocol = {name}::Protocol{arguments};\n    \
             const NAME: &'static str = {name:?};\n    const TEXT: &'static str = {:?};\n{functions}    \
             }}\n",
            text::body(protocol),
        )
}

/// The method that makes a walk of an endpoint.
fn begin(walk: &Walk<'_>) -> String {
    let (side, walk) = (walk.side, boxed(walk, "endpoint"));
    format!(
        "    fn {}(endpoint: <Self::Protocol as pipes::Protocol>::{}) -> Walk {{\n        {walk}\n    }}\n",
        side.word, side.name,
    )
}
