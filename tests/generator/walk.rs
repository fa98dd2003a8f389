//! The places of a walk through a protocol: one enum for where one side may be.

use super::protocol::{Instance, Protocol, Step};

/// A side of a pipe.
#[derive(Clone, Copy)]
pub struct Side {
    /// The side in lower case: `client`.
    pub word: &'static str,
    /// The side in upper case: `Client`.
    pub name: &'static str,
    sends_like_the_client: bool,
}

/// Both sides.
pub const SIDES: [Side; 2] = [
    Side { word: "client", name: "Client", sends_like_the_client: true },
    Side { word: "server", name: "Server", sends_like_the_client: false },
];

/// A walk of one side, and how its place is stored.
pub struct Walk<'a> {
    pub protocol: &'a Protocol,
    pub side: Side,
    /// Whether the place is the macro's `AnyClient` or `AnyServer`, and not an enum of the driver's own.
    pub any: bool,
    /// Where the side may be. With `any`, that includes states that cannot be reached.
    pub places: Vec<Instance>,
}

impl<'a> Walk<'a> {
    /// `AnyClient` can be used only if no state has a parameter of its own, because the argument for such a
    /// parameter changes during a session.
    pub fn new(protocol: &'a Protocol, side: Side) -> Self {
        let any = protocol.states.iter().all(|state| state.own.is_none());
        let all = || (0..protocol.states.len()).map(|state| Instance { state, own: None });
        let places = if any { all().collect() } else { protocol.instances() };
        Walk { protocol, side, any, places }
    }

    /// The name of the walk's function: `p00_client`.
    pub fn function(&self) -> String {
        format!("{}_{}", self.protocol.name, self.side.word)
    }

    /// The name of the enum: `P00Client`.
    pub fn ty(&self) -> String {
        format!("{}{}", self.protocol.name.to_uppercase(), self.side.name)
    }

    /// The name of a place's variant.
    pub fn variant(&self, place: &Instance) -> String {
        if self.any {
            return format!("{}::{}", self.ty(), self.protocol.states[place.state].name.ty);
        }
        let index = self.places.iter().position(|it| it == place).expect("all places are known");
        format!("{}::I{index}", self.ty())
    }

    /// A function that wraps an endpoint into the enum.
    pub fn made_of_endpoint(&self, place: &Instance) -> String {
        if self.any { self.ty() + "::from" } else { self.variant(place) }
    }

    /// A function that wraps the endpoint after a step into the enum.
    pub fn after(&self, place: &Instance, step: &Step) -> String {
        self.made_of_endpoint(&self.protocol.target(place, step))
    }

    /// Returns `true` if this side sends at this place.
    pub fn sends(&self, place: &Instance) -> bool {
        self.protocol.states[place.state].client_sends == self.side.sends_like_the_client
    }

    /// The enum's declaration, or an alias for the macro's enum.
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
