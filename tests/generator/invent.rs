//! Invents random protocols.

use super::names;
use super::payloads::{self, WRAPPERS, one_of};
use super::protocol::{Argument, Field, Message, Parameter, Protocol, State, Step};
use fastrand::Rng;

/// The most states of a protocol.
const STATES: u64 = 7;
/// The most messages of a state.
const MESSAGES: usize = 4;

/// Marks a state that is unreachable on purpose.
const SILENT: &str = "#[allow(deprecated)]";

/// What the functions that make a protocol share.
struct Making<'a> {
    random: &'a mut Rng,
    /// The protocols made before, whose endpoints may be payloads.
    earlier: &'a [Protocol],
    parameters: Vec<Parameter>,
    /// States from this index on have no way back to the states before it, and do not mention the protocol's
    /// parameters.
    cut: usize,
    reach: Reach,
}

/// Where the two sides of a protocol are.
#[derive(Clone, Copy, PartialEq)]
pub enum Reach {
    /// In one program.
    Local,
    /// In two programs: all parameters are types or constants of the protocol, and payloads can be encoded.
    Remote,
}

/// A protocol that depends on its seed.
pub fn protocol(seed: u64, reach: Reach, earlier: &[Protocol], random: &mut Rng) -> Protocol {
    let kind = seed % 5;
    let parameters = if (1..=3).contains(&kind) { payloads::parameters(random) } else { Vec::new() };
    let parameters =
        if reach == Reach::Remote { payloads::carried_parameters(parameters) } else { parameters };
    // Small protocols are more likely: most bugs that a large one shows, a small one shows too, and it
    // compiles faster.
    let count = (1 + random.u64(..STATES).min(random.u64(..STATES))) as usize;
    let cut = if kind == 1 { count / 2 + 1 } else { count };
    let mut making = Making { random, earlier, parameters, cut, reach };
    let directions = making.directions(count);
    let owners = reach == Reach::Local && (kind == 3 || kind == 4);
    let mut states: Vec<State> = names::states(count, making.random)
        .into_iter()
        .map(|name| State {
            name,
            attributes: Vec::new(),
            client_sends: false,
            own: None,
            messages: Vec::new(),
        })
        .collect();
    for (state, client_sends) in states.iter_mut().zip(directions) {
        state.client_sends = client_sends;
        state.own = (owners && making.chance(2)).then_some("U");
    }
    let mut protocol = Protocol {
        name: format!("p{seed:02}"),
        attributes: Vec::new(),
        parameters: making.parameters.clone(),
        states,
    };
    making.steps(&mut protocol);
    making.arguments(&mut protocol);
    making.payloads(&mut protocol);
    making.attributes(&mut protocol);
    protocol
}

impl Making<'_> {
    fn chance(&mut self, one_in: u64) -> bool {
        self.random.u64(..one_in) == 0
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.usize(..limit)
    }

    /// Directions of the states: random, or alternating. Alternating protocols are always bounded.
    fn directions(&mut self, count: usize) -> Vec<bool> {
        let turns = self.chance(3);
        let first = self.chance(2);
        (0..count).map(|state| if turns { first == (state % 2 == 0) } else { self.chance(2) }).collect()
    }

    /// Messages and the states that they lead to. Most states can be reached, through a state that was made
    /// before.
    fn steps(&mut self, protocol: &mut Protocol) {
        let count = protocol.states.len();
        let mut targets: Vec<Vec<Option<usize>>> = vec![Vec::new(); count];
        for state in 1..count {
            let from = self.below(state);
            if targets[from].len() < MESSAGES && !self.chance(12) {
                targets[from].push(Some(state));
            }
        }
        // If the sides alternate, a step goes to a state of the other side; otherwise to any state, or to the
        // end.
        let turns = self.chance(3);
        for (state, targets) in targets.iter_mut().enumerate() {
            let first = if state < self.cut { 0 } else { self.cut };
            let wanted = [1, 1, 2, 2, 3, MESSAGES][self.below(6)];
            while targets.len() < wanted {
                let to = first + self.below(count - first);
                let allowed =
                    !turns || protocol.states[to].client_sends != protocol.states[state].client_sends;
                targets.push((allowed && !self.chance(6)).then_some(to));
            }
        }
        for (state, targets) in protocol.states.iter_mut().zip(targets) {
            let names = names::messages(targets.len(), self.random);
            let message = |(name, to): (_, Option<usize>)| Message {
                name,
                fields: Vec::new(),
                step: to.map(|to| Step { to, argument: None }),
            };
            state.messages = names.into_iter().zip(targets).map(message).collect();
        }
    }

    /// The arguments that steps pass to states with a parameter of their own. An argument grows only where
    /// there is no way back, so the number of instances stays finite.
    fn arguments(&mut self, protocol: &mut Protocol) {
        let graph = protocol.graph();
        let own: Vec<bool> = protocol.states.iter().map(|state| state.own.is_some()).collect();
        for (from, state) in protocol.states.iter_mut().enumerate() {
            for step in state.messages.iter_mut().filter_map(|it| it.step.as_mut()).filter(|it| own[it.to]) {
                let returns = graph.reached_from(step.to).contains(&from);
                step.argument = Some(match self.random.u64(..4) {
                    0 | 1 if own[from] => Argument::Same,
                    2 if own[from] && !returns => Argument::Wrapped(one_of(&WRAPPERS, self.random)),
                    _ => Argument::Other(self.argument(from)),
                });
            }
        }
    }

    /// A type, maybe one of the protocol's parameters.
    fn argument(&mut self, state: usize) -> String {
        let types = self.parameters.iter().map(|it| it.name).filter(|it| !["'a", "N"].contains(it));
        let types: Vec<&str> = types.filter(|_| state < self.cut).collect();
        if types.is_empty() || self.chance(2) {
            payloads::concrete(self.random)
        } else {
            one_of(&types, self.random).to_owned()
        }
    }

    /// The payloads of messages. Every parameter is used.
    fn payloads(&mut self, protocol: &mut Protocol) {
        for state in 0..protocol.states.len() {
            for message in 0..protocol.states[state].messages.len() {
                let count = [0, 0, 1, 1, 1, 1, 2, 2, 3, 4][self.below(10)];
                let named = self.chance(3);
                let names = names::pick(count, &names::FIELDS, self.random);
                let fields = names
                    .into_iter()
                    .map(|name| Field { name: named.then_some(name), ty: self.payload(state, protocol) });
                protocol.states[state].messages[message].fields = fields.collect();
            }
            if let Some(own) = protocol.states[state].own {
                self.mention(own, state, protocol);
            }
        }
        for parameter in self.parameters.clone() {
            // Only reachable states count: the start state must have all the parameters.
            let reached = protocol.graph().reached_from(0);
            if !reached.iter().any(|state| protocol.states[*state].mentions(parameter.name)) {
                self.mention(parameter.name, 0, protocol);
            }
        }
    }

    /// Makes a state mention a parameter.
    fn mention(&mut self, parameter: &str, state: usize, protocol: &mut Protocol) {
        if !protocol.states[state].mentions(parameter) {
            let ty = payloads::with_parameter(parameter, self.random);
            let messages = &mut protocol.states[state].messages;
            let message = self.below(messages.len());
            messages[message].fields.push(Field { name: None, ty });
        }
    }

    fn payload(&mut self, state: usize, protocol: &Protocol) -> String {
        let outer = self.parameters.iter().map(|it| it.name).filter(|_| state < self.cut);
        let parameters: Vec<&str> = outer.chain(protocol.states[state].own).collect();
        match self.random.u64(..10) {
            0..4 if !parameters.is_empty() => {
                let name = one_of(&parameters, self.random);
                payloads::with_parameter(name, self.random)
            }
            _ if self.reach == Reach::Remote => payloads::carried(payloads::concrete(self.random)),
            8 if self.chance(3) => payloads::endpoint(protocol, self.random),
            9 if !self.earlier.is_empty() => {
                let earlier = self.below(self.earlier.len());
                payloads::endpoint(&self.earlier[earlier], self.random)
            }
            _ => payloads::concrete(self.random),
        }
    }

    fn attributes(&mut self, protocol: &mut Protocol) {
        let graph = protocol.graph();
        let reached = graph.reached_from(0);
        let unreachable: Vec<usize> = (0..protocol.states.len()).filter(|it| !reached.contains(it)).collect();
        if unreachable.len() > 1 {
            protocol.attributes.push(SILENT.to_owned());
        } else if let [state] = unreachable[..] {
            protocol.states[state].attributes.push(SILENT.to_owned());
        }
        if let Some(bound) = graph.bound() {
            match self.below(4) {
                0 => protocol.attributes.push(String::from("#[bounded]")),
                1 => protocol.attributes.push(format!("#[bounded({bound})]")),
                _ => {}
            }
        }
        if self.reach == Reach::Remote {
            let remote = ["#[remote]", "#[remote]", "#[remote(version = 3)]", "#[remote(schema)]"];
            protocol.attributes.push(one_of(&remote, self.random).to_owned());
        }
        if self.chance(5) {
            let derive = String::from("#[derive(Debug)]");
            if self.chance(2) {
                protocol.attributes.push(derive)
            } else {
                protocol.states[0].attributes.push(derive)
            }
        }
    }
}
