//! A protocol, as the generator knows it.

use super::graph::Graph;
use super::names::Name;

/// A protocol.
pub struct Protocol {
    /// The module that it becomes.
    pub name: String,
    /// Above it, one a line.
    pub attributes: Vec<String>,
    /// Lifetimes first.
    pub parameters: Vec<Parameter>,
    /// The start state first.
    pub states: Vec<State>,
}

/// A parameter of the protocol, and what the drivers put in its place.
#[derive(Clone)]
pub struct Parameter {
    /// `const N: usize`
    pub declared: &'static str,
    /// `N`
    pub name: &'static str,
    /// `7`
    pub argument: String,
}

/// A state.
pub struct State {
    pub name: Name,
    /// `#[allow(deprecated)]` where it cannot be reached.
    pub attributes: Vec<String>,
    pub client_sends: bool,
    /// A type parameter of its own.
    pub own: Option<&'static str>,
    pub messages: Vec<Message>,
}

/// A message.
pub struct Message {
    pub name: Name,
    pub fields: Vec<Field>,
    /// `None`: the session ends.
    pub step: Option<Step>,
}

/// One of a message's payloads.
pub struct Field {
    pub name: Option<&'static str>,
    pub ty: String,
}

/// What follows a message.
pub struct Step {
    pub to: usize,
    /// If the state has a parameter of its own.
    pub argument: Option<Argument>,
}

/// What a step passes for a state's own parameter.
#[derive(Clone)]
pub enum Argument {
    /// What the state that it leaves has got for its own.
    Same,
    /// That, in something else.
    Wrapped(&'static str),
    /// A type, maybe with parameters of the protocol.
    Other(String),
}

/// A state with what its own parameter stands for.
#[derive(Clone, PartialEq)]
pub struct Instance {
    pub state: usize,
    pub own: Option<String>,
}

impl Argument {
    /// As it is written in a state whose own parameter is this, or stands for this.
    pub fn written(&self, own: Option<&str>) -> String {
        let own = own.unwrap_or_default();
        match self {
            Argument::Same => own.to_owned(),
            Argument::Wrapped(wrapper) => format!("{wrapper}<{own}>"),
            Argument::Other(ty) => ty.clone(),
        }
    }
}

impl Protocol {
    /// States and steps alone.
    pub fn graph(&self) -> Graph {
        let steps =
            |state: &State| state.messages.iter().filter_map(|it| it.step.as_ref()).map(|it| it.to).collect();
        Graph {
            client_sends: self.states.iter().map(|state| state.client_sends).collect(),
            steps: self.states.iter().map(steps).collect(),
        }
    }

    /// What the start state gets for its own parameter, if it has one.
    pub fn start(&self) -> Instance {
        Instance { state: 0, own: self.states[0].own.map(|_| String::from("Counted")) }
    }

    /// The states as sessions come to them.
    pub fn instances(&self) -> Vec<Instance> {
        let mut found = vec![self.start()];
        let mut at = 0;
        while let Some(instance) = found.get(at).cloned() {
            for step in self.states[instance.state].messages.iter().filter_map(|it| it.step.as_ref()) {
                let next = self.target(&instance, step);
                if !found.contains(&next) {
                    found.push(next);
                }
            }
            at += 1;
        }
        found
    }

    /// Where a step leads from there.
    pub fn target(&self, from: &Instance, step: &Step) -> Instance {
        let own = step.argument.as_ref().map(|it| self.concrete(&it.written(from.own.as_deref())));
        Instance { state: step.to, own }
    }

    /// The arguments of a state's type, as the drivers write them: `<'static, Counted>`, or nothing.
    pub fn arguments(&self, instance: &Instance) -> String {
        let reached = self.graph().reached_from(instance.state);
        let states = || reached.iter().map(|state| &self.states[*state]);
        let needed = |it: &&Parameter| states().any(|state| state.mentions(it.name));
        let outer = self.parameters.iter().filter(needed).map(|it| it.argument.clone());
        bracketed(outer.chain(instance.own.clone()).collect())
    }

    /// The arguments of the start state's type. It has all parameters, for each is used where a session comes to.
    pub fn all_arguments(&self) -> String {
        let outer = self.parameters.iter().map(|it| it.argument.clone());
        bracketed(outer.chain(self.start().own).collect())
    }

    /// A type with the drivers' arguments in the place of the protocol's parameters.
    fn concrete(&self, ty: &str) -> String {
        let stands_for =
            |word: &str| self.parameters.iter().find(|it| it.name == word).map(|it| &it.argument);
        words(ty).map(|word| stands_for(word).map_or(word, String::as_str)).collect()
    }
}

impl State {
    /// Does the state, or a step from it, mention this parameter?
    pub fn mentions(&self, parameter: &str) -> bool {
        let mentions = |ty: &str| words(ty).any(|word| word == parameter);
        let passes = |step: &Step| step.argument.as_ref().is_some_and(|it| mentions(&it.written(None)));
        self.messages.iter().any(|message| {
            message.fields.iter().any(|field| mentions(&field.ty))
                || message.step.as_ref().is_some_and(passes)
        })
    }
}

fn bracketed(arguments: Vec<String>) -> String {
    if arguments.is_empty() { String::new() } else { format!("<{}>", arguments.join(", ")) }
}

/// The words of a type, and what stands between them.
fn words(ty: &str) -> impl Iterator<Item = &str> {
    let in_word = |it: char| it.is_alphanumeric() || it == '_' || it == '\'';
    let mut rest = ty;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|it| in_word(it) != in_word(first)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        Some(word)
    })
}
