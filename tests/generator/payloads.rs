//! Types of payloads. The test target has an `impl Payload` for each.

use super::protocol::{Parameter, Protocol};
use fastrand::Rng;

/// Types that contain no other types.
const PLAIN: [&str; 10] =
    ["u8", "u64", "bool", "char", "()", "String", "&'static str", "[u16; 5]", "f64", "Cell<u64>"];

/// Types whose destructors are counted.
const COUNTED: [&str; 10] = [
    "Counted",
    "Padded<1>",
    "Padded<50>",
    "Padded<700>",
    "Aligned",
    "Nothing",
    "Box<Counted>",
    "Vec<Counted>",
    "Option<Aligned>",
    "(u8, Counted)",
];

/// Endpoints of oneshots.
const ONESHOTS: [&str; 4] =
    ["PortOne<Counted>", "ChanOne<Counted>", "PortOne<Vec<u8>>", "ChanOne<Padded<50>>"];

/// Types that another type may be wrapped in.
pub const WRAPPERS: [&str; 3] = ["Vec", "Option", "Box"];

/// Parameters of protocols, in the order in which they must be declared.
const PARAMETERS: [(&str, &str); 8] = [
    ("'a", "'a"),
    ("T", "T"),
    ("T: Send", "T"),
    ("T: Send + 'static", "T"),
    ("S", "S"),
    ("R", "R"),
    ("Item", "Item"),
    ("const N: usize", "N"),
];

/// A random element.
pub fn one_of<'a, T: ?Sized>(from: &[&'a T], random: &mut Rng) -> &'a T {
    from[random.usize(..from.len())]
}

/// A type without parameters.
pub fn concrete(random: &mut Rng) -> String {
    if random.u64(..8) == 0 { one_of(&ONESHOTS, random).to_owned() } else { simple(random) }
}

/// A type without parameters or endpoints.
pub fn simple(random: &mut Rng) -> String {
    let types = if random.u64(..7) < 3 { PLAIN } else { COUNTED };
    one_of(&types, random).to_owned()
}

/// Up to three parameters, lifetimes first, no name twice.
pub fn parameters(random: &mut Rng) -> Vec<Parameter> {
    let mut chosen: Vec<Parameter> = Vec::new();
    let wanted = 1 + random.usize(..3);
    for (declared, name) in PARAMETERS {
        let new = chosen.len() < wanted && chosen.iter().all(|it| it.name != name);
        if new && random.bool() {
            let argument = match name {
                "'a" => String::from("'static"),
                "N" => (1 + random.u64(..40)).to_string(),
                _ => concrete(random),
            };
            chosen.push(Parameter { declared, name, argument });
        }
    }
    chosen
}

/// The parameters among these that a protocol between programs may have, with arguments that can be encoded.
pub fn carried_parameters(parameters: Vec<Parameter>) -> Vec<Parameter> {
    let without_lifetimes = parameters.into_iter().filter(|it| !it.name.starts_with('\''));
    without_lifetimes.map(|it| Parameter { argument: carried(it.argument), ..it }).collect()
}

/// The type, or one like it that can be encoded: a text that is owned, a box for the end of a oneshot.
pub fn carried(ty: String) -> String {
    let replaced = [("&'static str", "String"), ("PortOne<", "Box<"), ("ChanOne<", "Box<")];
    replaced.iter().fold(ty, |ty, (from, to)| ty.replace(from, to))
}

/// A type with this parameter.
pub fn with_parameter(name: &str, random: &mut Rng) -> String {
    match name {
        "'a" => String::from("&'a str"),
        "N" => String::from("Padded<N>"),
        _ => match random.u64(..8) {
            0..5 => name.to_owned(),
            5 => format!("(u64, {name})"),
            6 => format!("[{name}; 2]"),
            _ => format!("{}<{name}>", one_of(&WRAPPERS, random)),
        },
    }
}

/// The endpoint of a side of a protocol, in its start state and with the drivers' arguments.
pub fn endpoint(protocol: &Protocol, random: &mut Rng) -> String {
    let side = if random.bool() { "client" } else { "server" };
    endpoint_of(side, protocol)
}

/// The endpoint of the given side, with the drivers' arguments.
pub fn endpoint_of(side: &str, protocol: &Protocol) -> String {
    let (name, arguments) = (&protocol.name, protocol.all_arguments());
    format!("{name}::{side}::{}{arguments}", protocol.states[0].name.ty)
}
