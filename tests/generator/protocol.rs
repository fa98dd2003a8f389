//! A protocol, as the generator knows it.

use super::graph::Graph;
use super::names::Name;

/// A protocol.
pub struct Protocol {
    /// The name of its module.
    pub name: String,
    /// The attributes, one a line.
    pub attributes: Vec<String>,
    /// The parameters, lifetimes first.
    pub parameters: Vec<Parameter>,
    /// The states, the start state first.
    pub states: Vec<State>,
}

/// A parameter of the protocol, and the argument that the drivers use for it.
#[derive(Clone)]
pub struct Parameter {
    /// How it is declared: `const N: usize`.
    pub declared: &'static str,
    /// Its name: `N`.
    pub name: &'static str,
    /// Its argument: `7`.
    pub argument: String,
}

/// A state.
pub struct State {
    pub name: Name,
    /// `#[allow(deprecated)]` if the state cannot be reached.
    pub attributes: Vec<String>,
    pub client_sends: bool,
    /// The state's own type parameter.
    pub own: Option<&'static str>,
    pub messages: Vec<Message>,
}

/// A message.
pub struct Message {
    pub name: Name,
    pub fields: Vec<Field>,
    /// The next state; `None` if the session ends.
    pub step: Option<Step>,
}

/// One of a message's payloads.
pub struct Field {
    pub name: Option<&'static str>,
    pub ty: String,
}

/// The state that follows a message.
pub struct Step {
    pub to: usize,
    /// The argument for the state's own parameter, if it has one.
    pub argument: Option<Argument>,
}

/// What a step passes for the next state's own parameter.
#[derive(Clone)]
pub enum Argument {
    /// The argument of the state that the step leaves.
    Same,
    /// The argument of the state that the step leaves, wrapped in this type.
    Wrapped(&'static str),
    /// Another type, maybe with parameters of the protocol.
    Other(String),
}

/// A state with the argument for its own parameter.
#[derive(Clone, PartialEq)]
pub struct Instance {
    pub state: usize,
    pub own: Option<String>,
}

impl Argument {
    /// The argument, written in a state whose own parameter is (or stands for) `own`.
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
    /// The states and steps alone.
    pub fn graph(&self) -> Graph {
        let steps =
            |state: &State| state.messages.iter().filter_map(|it| it.step.as_ref()).map(|it| it.to).collect();
        Graph {
            client_sends: self.states.iter().map(|state| state.client_sends).collect(),
            steps: self.states.iter().map(steps).collect(),
        }
    }

    /// The instance that sessions start in, with the drivers' argument for the start state's own parameter.
    pub fn start(&self) -> Instance {
        Instance { state: 0, own: self.states[0].own.map(|_| String::from("Counted")) }
    }

    /// All instances of states that sessions reach.
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

    /// The instance that a step leads to.
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

    /// The arguments of the start state's type. It has all parameters, because each is used in a state that
    /// can be reached.
    pub fn all_arguments(&self) -> String {
        let outer = self.parameters.iter().map(|it| it.argument.clone());
        bracketed(outer.chain(self.start().own).collect())
    }

    /// Replaces the protocol's parameters in a type by the drivers' arguments.
    fn concrete(&self, ty: &str) -> String {
        let stands_for =
            |word: &str| self.parameters.iter().find(|it| it.name == word).map(|it| &it.argument);
        words(ty).map(|word| stands_for(word).map_or(word, String::as_str)).collect()
    }
}

impl State {
    /// Returns `true` if the state, or a step from it, mentions this parameter.
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

/// The words of a type, and the text between them.
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
