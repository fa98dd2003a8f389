//! Which payloads the slots of a pipe must have room for.
//!
//! A pipe serves a whole session, so its slots must have room for every payload that can be sent. If all
//! states have the same parameters and pass them on unchanged, one type serves the whole protocol. If not, a
//! later state may lack a parameter of the first state, or have a more specific type for it (`u8` for `T`).
//! Then the state in which the session begins determines the pipe's memory, and later states inherit it.
//!
//! The macro cannot evaluate the arguments that a later state gets: the meaning of `T::Item` depends on the
//! bounds of `T` where it is written, and the meaning of `T` depends on the state that writes it. So each
//! argument that is more than a parameter becomes an alias of its own, in terms of the parameters of the
//! state that passes it. The instances reached from a state are named by these aliases: `__A1<__A0<T>>`.
//!
//! # Assumes
//!
//! Finitely many instances of states. Otherwise an error has been reported, and the result does not matter.
//!
//! # Establishes
//!
//! For each state, all payloads that can be sent in it or later, and those payloads of other states that its
//! parameters can name.
//!
//! # Errors
//!
//! `TooManyInstances`

use super::parameters::mentioned;
use crate::diag::{Problem, Problems};
use crate::model::{Kind, Mentions, Parameter, Protocol, State, StateId};
use crate::text::key;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{GenericArgument, GenericParam, Lifetime, Type};

/// The most instances of states that are explored from one state.
const MOST_INSTANCES: usize = 1000;
/// The largest size of an instance's arguments, counted in parameters, lifetimes and written arguments.
const MOST_WRITTEN: usize = 1000;

/// The payloads that determine a slot's room, and whether an endpoint may go to another thread.
pub(crate) enum Memory {
    /// One list of payloads for every state.
    Common(Vec<Type>),
    /// Other payloads for each state.
    ByState { rooms: Vec<Room>, written: Vec<Written> },
}

/// The payloads that a pipe must have room for from one state on.
pub(crate) struct Room {
    /// The state itself and all instances that it reaches: the pipe must have room for what is sent in them.
    pub(crate) instances: Vec<Instance>,
    /// Payloads of states that it does not reach, as far as this state can name them.
    pub(crate) besides: Vec<Type>,
    /// For each message, the indices in `instances` of the instances that can follow it, in the order of the
    /// next state's `instances`.
    pub(crate) after: Vec<Vec<usize>>,
}

/// A state with arguments for its own parameters.
#[derive(Clone)]
pub(crate) struct Instance {
    pub(crate) state: StateId,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument, in terms of the parameters of the state in which the exploration begins.
#[derive(Clone)]
pub(crate) enum Argument {
    /// A parameter of the first state.
    Parameter(Box<Parameter>),
    Lifetime(Lifetime),
    /// The argument written at `place`, an index in [`Memory::ByState`]'s `written`, with `of` for the
    /// parameters that it mentions.
    Written {
        place: usize,
        of: Vec<Argument>,
    },
}

/// An argument that is more than a parameter, as written in a step.
pub(crate) struct Written {
    pub(crate) argument: GenericArgument,
    /// The parameters that it mentions, of the state that passes it.
    pub(crate) parameters: Vec<Parameter>,
    /// The type of the constant, if it is one.
    pub(crate) constant: Option<Type>,
}

/// Returns the types of the payloads of a state: each once, without `()`.
pub(crate) fn sent_in(state: &State) -> Vec<Type> {
    distinct(std::slice::from_ref(state))
}

/// Determines the memory of a protocol's pipes. `finite` is false if an argument grows.
pub(super) fn plan(
    protocol: &Protocol,
    parameters: &[Vec<Parameter>],
    finite: bool,
    problems: &mut Problems,
) -> Memory {
    if is_uniform(protocol, parameters) && all_know_what_outlives_what(protocol) {
        return Memory::Common(distinct(&protocol.states));
    }
    let (written, places) = written(protocol);
    let explorer = Explorer { protocol, written: &written, places };
    let states = 0..protocol.states.len();
    let reachable = states.map(|state| if finite { explorer.reachable(state, problems) } else { Vec::new() });
    let reachable: Vec<_> = reachable.collect();
    let rooms = reachable.iter().enumerate().map(|(state, instances)| Room {
        besides: besides(protocol, state, &parameters[state], instances),
        after: explorer.after(state, &reachable),
        instances: instances.clone(),
    });
    let rooms = rooms.collect();
    Memory::ByState { rooms, written }
}

/// Returns `true` if all states have the same parameters, and all steps pass them on unchanged.
fn is_uniform(protocol: &Protocol, parameters: &[Vec<Parameter>]) -> bool {
    let declared = |parameters: &[Parameter]| -> Vec<String> {
        parameters.iter().map(|parameter| key(&parameter.declared)).collect()
    };
    let first = parameters.first().map(|parameters| declared(parameters));
    let same = parameters.iter().all(|parameters| Some(declared(parameters)) == first);
    let handed_on = protocol.messages().filter_map(|(_, message)| message.step.as_ref()).all(|step| {
        let parameters = &protocol.states[step.to].parameters;
        parameters.iter().zip(&step.arguments).all(|(parameter, argument)| parameter.is(argument))
    });
    same && handed_on
}

/// Returns `true` if every state can reach all payloads that relate a parameter to a lifetime. From `&'a T`
/// the compiler infers that `T` outlives `'a`, but only for states that can reach a message with this
/// payload.
fn all_know_what_outlives_what(protocol: &Protocol) -> bool {
    let text = |ty: &Type| ty.to_token_stream().to_string();
    let relating = |state: &State| -> Vec<String> {
        let visible: Vec<&Parameter> = protocol.parameters.iter().chain(&state.parameters).collect();
        sent_in(state).iter().filter(|ty| relates(&visible, ty)).map(text).collect()
    };
    let all: HashSet<String> = protocol.states.iter().flat_map(relating).collect();
    let graph = protocol.graph();
    all.is_empty()
        || (0..protocol.states.len()).all(|start| {
            let reached = graph.reachable_from(start);
            let states = protocol.states.iter().zip(reached).filter(|(_, reached)| *reached);
            states.flat_map(|(state, _)| relating(state)).collect::<HashSet<String>>() == all
        })
}

/// Returns `true` if a type mentions a lifetime and another parameter.
fn relates(visible: &[&Parameter], ty: &Type) -> bool {
    let mentions = Mentions::of_types([ty]);
    let mentioned: Vec<_> = visible.iter().filter(|parameter| mentions.has(&parameter.name())).collect();
    mentioned.len() > 1 && mentioned.iter().any(|parameter| parameter.kind() == Kind::Lifetime)
}

/// Where an argument is written: the state, the message, the argument's number.
type Place = (StateId, usize, usize);

/// Returns the arguments that are more than parameters, and the index of each in this list.
fn written(protocol: &Protocol) -> (Vec<Written>, HashMap<Place, usize>) {
    let (mut written, mut places) = (Vec::new(), HashMap::new());
    for (id, state) in protocol.states.iter().enumerate() {
        let visible: Vec<&Parameter> = protocol.parameters.iter().chain(&state.parameters).collect();
        for (number, message) in state.messages.iter().enumerate() {
            let Some(step) = &message.step else { continue };
            let targets = &protocol.states[step.to].parameters;
            for (index, (target, argument)) in targets.iter().zip(&step.arguments).enumerate() {
                let parameter = visible.iter().any(|parameter| parameter.is(argument));
                if parameter || target.kind() == Kind::Lifetime {
                    continue;
                }
                let constant = match &target.declared {
                    GenericParam::Const(constant) => Some(constant.ty.clone()),
                    _ => None,
                };
                let mentions = Mentions::of_arguments([argument]);
                let parameters = mentioned(&visible, &protocol.predicates, mentions);
                places.insert((id, number, index), written.len());
                written.push(Written { argument: argument.clone(), parameters, constant });
            }
        }
    }
    (written, places)
}

/// Follows steps with their arguments.
struct Explorer<'a> {
    protocol: &'a Protocol,
    written: &'a [Written],
    places: HashMap<Place, usize>,
}

impl Explorer<'_> {
    /// Returns the state itself, as the first one, and all instances that it reaches, in terms of its
    /// parameters.
    fn reachable(&self, start: StateId, problems: &mut Problems) -> Vec<Instance> {
        let own = self.protocol.states[start].parameters.iter().cloned();
        let mut waiting = vec![Instance {
            state: start,
            arguments: own.map(|own| Argument::Parameter(Box::new(own))).collect(),
        }];
        let mut reached = Vec::new();
        let mut seen = HashSet::new();
        while let Some(instance) = waiting.pop() {
            if !seen.insert(instance.key()) {
                continue;
            }
            if reached.len() == MOST_INSTANCES || instance.size() > MOST_WRITTEN {
                let state = &self.protocol.states[start].name;
                problems.report(state, Problem::TooManyInstances { state: state.to_string() });
                return Vec::new();
            }
            waiting.extend(self.steps(&instance));
            reached.push(instance);
        }
        reached
    }

    fn steps(&self, from: &Instance) -> Vec<Instance> {
        let messages = self.protocol.states[from.state].messages.iter().enumerate();
        let steps = messages.filter_map(|(number, message)| Some((number, message.step.as_ref()?)));
        steps
            .map(|(number, step)| {
                let passed = step.arguments.iter().enumerate();
                let arguments = passed.map(|(index, argument)| self.passed(from, (number, index), argument));
                Instance { state: step.to, arguments: arguments.collect() }
            })
            .collect()
    }

    /// Computes [`Room::after`].
    fn after(&self, state: StateId, reachable: &[Vec<Instance>]) -> Vec<Vec<usize>> {
        let Some(own) = reachable[state].first() else { return Vec::new() };
        let places: HashMap<String, usize> =
            reachable[state].iter().enumerate().map(|(place, instance)| (instance.key(), place)).collect();
        let mut steps = self.steps(own).into_iter();
        let messages = self.protocol.states[state].messages.iter();
        messages
            .map(|message| {
                let Some(next) = message.step.as_ref().and_then(|_| steps.next()) else { return Vec::new() };
                let target = &self.protocol.states[next.state];
                let later = reachable[next.state].iter();
                let seen = later.map(|later| later.seen_from(target, &next.arguments).key());
                // Each is found unless a problem was reported. If one was missing, place 0 (the state itself)
                // would make it an error of the compiler, because it has other payloads.
                seen.map(|seen| places.get(&seen).copied().unwrap_or(0)).collect()
            })
            .collect()
    }

    fn passed(
        &self,
        from: &Instance,
        (number, index): (usize, usize),
        argument: &GenericArgument,
    ) -> Argument {
        let state = &self.protocol.states[from.state];
        let seen_from_start = |parameter: &Parameter| match state.passed(parameter, &from.arguments) {
            Some(argument) => argument.clone(),
            None => Argument::Parameter(Box::new(parameter.clone())),
        };
        let mut visible = state.parameters.iter().chain(&self.protocol.parameters);
        if let Some(parameter) = visible.find(|parameter| parameter.is(argument)) {
            return seen_from_start(parameter);
        }
        if let GenericArgument::Lifetime(lifetime) = argument {
            return Argument::Lifetime(lifetime.clone());
        }
        // `written` has an entry for every other argument.
        let place = self.places[&(from.state, number, index)];
        Argument::Written { place, of: self.written[place].parameters.iter().map(seen_from_start).collect() }
    }
}

impl Instance {
    /// Rewrites an instance in terms of `state`'s parameters into the terms of a state that leads to `state`
    /// with the arguments `given`.
    fn seen_from(&self, state: &State, given: &[Argument]) -> Self {
        let arguments = self.arguments.iter().map(|argument| argument.seen_from(state, given));
        Instance { state: self.state, arguments: arguments.collect() }
    }

    /// Returns the size of all arguments together.
    fn size(&self) -> usize {
        self.arguments.iter().map(Argument::size).sum()
    }

    /// Returns a key that no other instance has.
    pub(super) fn key(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(Argument::key).collect();
        format!("{}<{}>", self.state, arguments.join(","))
    }
}

impl Argument {
    fn size(&self) -> usize {
        match self {
            Argument::Parameter(_) | Argument::Lifetime(_) => 1,
            Argument::Written { of, .. } => 1 + of.iter().map(Argument::size).sum::<usize>(),
        }
    }

    fn seen_from(&self, state: &State, given: &[Argument]) -> Self {
        match self {
            Argument::Parameter(parameter) => state.passed(parameter, given).unwrap_or(self).clone(),
            Argument::Lifetime(_) => self.clone(),
            Argument::Written { place, of } => {
                let of = of.iter().map(|argument| argument.seen_from(state, given)).collect();
                Argument::Written { place: *place, of }
            }
        }
    }

    fn key(&self) -> String {
        match self {
            Argument::Parameter(parameter) => parameter.name(),
            Argument::Lifetime(lifetime) => lifetime.to_string(),
            Argument::Written { place, of } => {
                let of: Vec<String> = of.iter().map(Argument::key).collect();
                format!("{place}({})", of.join(","))
            }
        }
    }

    /// Returns `true` if the argument mentions this parameter.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        match self {
            Argument::Parameter(parameter) => parameter.name() == name,
            Argument::Lifetime(lifetime) => lifetime.to_string() == name,
            Argument::Written { of, .. } => of.iter().any(|argument| argument.mentions(name)),
        }
    }
}

/// Returns the payloads of states that are not in `reached`, as far as the state `id` can name them with its
/// parameters.
fn besides(protocol: &Protocol, id: StateId, parameters: &[Parameter], reached: &[Instance]) -> Vec<Type> {
    let reached: HashSet<StateId> = reached.iter().map(|instance| instance.state).collect();
    let others = protocol.states.iter().enumerate().filter(|(other, _)| !reached.contains(other));
    let others = others.map(|(_, other)| other);
    let payloads = others.flat_map(|other| {
        let visible: Vec<&Parameter> = protocol.parameters.iter().chain(&other.parameters).collect();
        let known = move |ty: &Type| {
            if relates(&visible, ty) {
                return false;
            }
            let needed = mentioned(&visible, &protocol.predicates, Mentions::of_types([ty]));
            let own =
                |parameter: &Parameter| other.parameters.iter().any(|own| own.name() == parameter.name());
            let here =
                |parameter: &Parameter| parameters.iter().any(|known| known.name() == parameter.name());
            needed.iter().all(|parameter| !own(parameter) && here(parameter))
        };
        sent_in(other).into_iter().filter(known)
    });
    // Here such a name would mean the state's own parameter.
    let own = &protocol.states[id].parameters;
    let free = |ty: &Type| !own.iter().any(|own| Mentions::of_types([ty]).has(&own.name()));
    payloads.filter(free).collect()
}

/// Returns the types of the payloads of states: each once, without `()`.
fn distinct(states: &[State]) -> Vec<Type> {
    placed(states).0
}

/// Returns, for each message of each state, the index of its payload in the list of [`Memory::Common`], or
/// else in that of [`sent_in`]; `None` if the payload is `()`.
pub(crate) fn places(states: &[State], memory: &Memory) -> Vec<Vec<Option<usize>>> {
    match memory {
        Memory::Common(_) => {
            let mut places = placed(states).1.into_iter();
            states.iter().map(|state| places.by_ref().take(state.messages.len()).collect()).collect()
        }
        Memory::ByState { .. } => states.iter().map(|state| placed(std::slice::from_ref(state)).1).collect(),
    }
}

fn placed(states: &[State]) -> (Vec<Type>, Vec<Option<usize>>) {
    let (mut types, mut seen) = (Vec::new(), HashMap::new());
    let places = states.iter().flat_map(|state| &state.messages).map(|message| {
        if message.sends_nothing() {
            return None;
        }
        let ty = message.payload();
        Some(*seen.entry(key(&ty)).or_insert_with(|| {
            types.push(ty);
            types.len() - 1
        }))
    });
    let places = places.collect();
    (types, places)
}
