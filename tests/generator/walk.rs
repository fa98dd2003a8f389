//! The places of a walk through a protocol: where one side may be, as one enum.

use super::protocol::{Instance, Protocol, Step};

/// A side of a pipe.
#[derive(Clone, Copy)]
pub struct Side {
    /// `client`
    pub word: &'static str,
    /// `Client`
    pub name: &'static str,
    sends_like_the_client: bool,
}

/// Both.
pub const SIDES: [Side; 2] = [
    Side { word: "client", name: "Client", sends_like_the_client: true },
    Side { word: "server", name: "Server", sends_like_the_client: false },
];

/// How a walk is kept at its place.
pub struct Walk<'a> {
    pub protocol: &'a Protocol,
    pub side: Side,
    /// The macro's `AnyClient` or `AnyServer`; else an enum of the driver's own.
    pub any: bool,
    /// Where one may be. With `any` also states that cannot be reached.
    pub places: Vec<Instance>,
}

impl<'a> Walk<'a> {
    /// An `AnyClient` will do if no state has a parameter of its own: those may stand for different things at one time and
    /// another.
    pub fn new(protocol: &'a Protocol, side: Side) -> Self {
        let any = protocol.states.iter().all(|state| state.own.is_none());
        let all = || (0..protocol.states.len()).map(|state| Instance { state, own: None });
        let places = if any { all().collect() } else { protocol.instances() };
        Walk { protocol, side, any, places }
    }

    /// `p00_client`
    pub fn function(&self) -> String {
        format!("{}_{}", self.protocol.name, self.side.word)
    }

    /// `P00Client`: the enum, by whatever name it was declared.
    pub fn ty(&self) -> String {
        format!("{}{}", self.protocol.name.to_uppercase(), self.side.name)
    }

    /// The variant of a place.
    pub fn variant(&self, place: &Instance) -> String {
        if self.any {
            return format!("{}::{}", self.ty(), self.protocol.states[place.state].name.ty);
        }
        let index = self.places.iter().position(|it| it == place).expect("all places are known");
        format!("{}::I{index}", self.ty())
    }

    /// What makes the enum of an endpoint.
    pub fn made_of_endpoint(&self, place: &Instance) -> String {
        if self.any { self.ty() + "::from" } else { self.variant(place) }
    }

    /// The same, of the endpoint after a step.
    pub fn after(&self, place: &Instance, step: &Step) -> String {
        self.made_of_endpoint(&self.protocol.target(place, step))
    }

    /// Does this side send there?
    pub fn sends(&self, place: &Instance) -> bool {
        self.protocol.states[place.state].client_sends == self.side.sends_like_the_client
    }

    /// The enum's declaration, or another name for the macro's.
    pub fn declaration(&self) -> String {
        let (ty, protocol, side) = (self.ty(), &self.protocol.name, self.side);
        if self.any {
            return format!("type {ty} = {protocol}::Any{}{};\n", side.name, self.protocol.all_arguments());
        }
        let variant = |(index, place): (usize, &Instance)| {
            let (state, arguments) =
                (self.protocol.states[place.state].name.ty, self.protocol.arguments(place));
            format!("    I{index}({protocol}::{}::{state}{arguments}),\n", side.word)
        };
        let variants: String = self.places.iter().enumerate().map(variant).collect();
        format!("enum {ty} {{\n{variants}}}\n")
    }
}
