//! Everything that can be wrong with a protocol, and how it is said.
//!
//! A stage reports what it finds and goes on; all of it becomes `compile_error!`s in the end. Each problem has a test program
//! of its name among those that must not compile.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt;

/// What can be wrong. The examples are the smallest protocols that have the problem.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Nothing was written: `proto! {}`.
    NoProtocol,
    /// `p { }`
    NoState { protocol: String },
    /// `s: sends { … }`
    UnknownDirection { word: String },
    /// `m(u8) s`
    MissingArrow { message: String },
    /// `m -> 3`
    MissingStep { message: String },
    /// `#[cfg(unix)] m -> s`
    Cfg,
    /// `#[inline] m -> s`
    UnknownAttribute { name: String, on: &'static str, allowed: &'static str },
    /// `s<T>: send<T> { … }`
    ParametersTwice { state: String },
    /// `s: send<T = u8> { … }`
    ParameterDefault,
    /// `s: send { }`
    EmptyState { state: String },
    /// Two states `s`, or `log_in` and `LogIn`, which become the same type.
    DuplicateState { state: String, first: String },
    /// Two messages `m` in one state, or `get_it` and `GetIt`, which become the same method.
    DuplicateMessage { message: String, first: String, state: String },
    /// `m(x: u8, x: u8)`
    DuplicateField { field: String },
    /// `p<T> { s: send<T> { … } }`, or two parameters `T` of different kinds.
    DuplicateParameter { parameter: String },
    /// `m -> nowhere`
    UndefinedState { message: String, state: String, nearest: Option<String> },
    /// `m -> s<u8, u8>` where `s` has one parameter.
    WrongArguments { state: String, expected: Option<String>, found: Option<String> },
    /// `s: send<T> { m(T) -> s<Vec<T>> }`
    GrowingArgument { state: String, parameter: String },
    /// `s: send<A, B, …> { m -> s<B, A, …>, n -> s<B, …, A> }`, which can be passed in very many orders.
    TooManyInstances { state: String },
    /// `m(Vec<Self>)`
    SelfType,
    /// `s: send<T: Into<number!()>> { … }`
    MacroInBound,
    /// `s: send<T> { m -> ! }`
    UnusedParameter { parameter: String },
    /// A state `client`, whose type would be the endpoint's.
    NameCollision { what: Colliding, name: String, generated: String, taken_by: String },
    /// `_: send { … }`, which has no letter to make a name of.
    NoName { name: String },
    /// `#[bounded]` on a protocol that is not.
    NotBounded { protocol: String, cycle: Vec<String>, sender: &'static str },
    /// `#[bounded(1)]` on a protocol with two messages in a row.
    BoundExceeded { protocol: String, limit: usize, run: Vec<String>, sender: &'static str },
}

/// What has a name that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colliding {
    /// It gets another name, and the expansion goes on.
    State,
    Parameter,
    Bound,
    Constant,
}

impl Colliding {
    fn word(self) -> &'static str {
        match self {
            Colliding::State => "state",
            Colliding::Parameter => "parameter",
            Colliding::Bound => "bound on",
            Colliding::Constant => "constant",
        }
    }
}

impl Problem {
    /// Would the expansion have errors of its own, about names that mean two things?
    fn tangles(&self) -> bool {
        match self {
            Problem::DuplicateParameter { .. } | Problem::SelfType | Problem::MacroInBound => true,
            Problem::NameCollision { what, .. } => *what != Colliding::State,
            _ => false,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoProtocol => f.write_str("there is no protocol here: write `name { state: send { message -> ! } }`"),
            Problem::NoState { protocol } => {
                write!(f, "the protocol `{protocol}` has no state: write `state: send {{ message -> ! }}`")
            }
            Problem::UnknownDirection { word } => write!(
                f,
                "a state says who sends in it, the client (`send`) or the server (`recv`); `{word}` is neither"
            ),
            Problem::MissingArrow { message } => {
                write!(f, "the message `{message}` does not say what follows it: write `-> state`, or `-> !` for the end")
            }
            Problem::MissingStep { message } => write!(
                f,
                "the message `{message}` steps to something that is neither a state nor `!`, the end of the session"
            ),
            Problem::Cfg => f.write_str(
                "a part of a protocol cannot depend on a `cfg`: both ends have to be compiled from the same protocol; \
                 put the attribute on the whole `proto!`",
            ),
            Problem::UnknownAttribute { name, on, allowed } => {
                write!(f, "`{name}` means nothing on {on}; what can stand there is {allowed}")
            }
            Problem::ParametersTwice { state } => write!(
                f,
                "the parameters of the state `{state}` are written twice: put all of them after its name, or all of them \
                 after its direction"
            ),
            Problem::ParameterDefault => {
                f.write_str("a parameter of a protocol has no default: each step passes what it means")
            }
            Problem::EmptyState { state } => write!(
                f,
                "nothing can be sent in the state `{state}`, so a session could never leave it; to end the session, step to `!`"
            ),
            Problem::DuplicateState { state, first } if state == first => {
                write!(f, "the state `{state}` is written twice")
            }
            Problem::DuplicateState { state, first } => {
                write!(f, "the states `{first}` and `{state}` would become one type")
            }
            Problem::DuplicateMessage { message, first, state } if message == first => {
                write!(f, "the message `{message}` is written twice in the state `{state}`")
            }
            Problem::DuplicateMessage { message, first, state } => {
                write!(f, "the messages `{first}` and `{message}` of the state `{state}` would become one name")
            }
            Problem::DuplicateField { field } => write!(f, "the payload has two fields `{field}`"),
            Problem::DuplicateParameter { parameter } => write!(f, "there are two parameters `{parameter}`"),
            Problem::UndefinedState { message, state, nearest } => {
                write!(f, "the message `{message}` steps to a state `{state}`, which this protocol does not have")?;
                nearest.as_ref().map_or(Ok(()), |nearest| write!(f, "; is it `{nearest}`?"))
            }
            Problem::WrongArguments { state, expected, found } => {
                let or_none = |arguments: &Option<String>| match arguments {
                    Some(arguments) => format!("the arguments `{arguments}`"),
                    None => String::from("no arguments"),
                };
                write!(f, "the state `{state}` takes {}, and is given {}", or_none(expected), or_none(found))
            }
            Problem::GrowingArgument { state, parameter } => write!(
                f,
                "the parameter `{parameter}` of the state `{state}` grows each time that the protocol comes by here: its \
                 types would never end"
            ),
            Problem::TooManyInstances { state } => {
                write!(f, "from the state `{state}` on, arguments are passed in a thousand ways, or have a thousand parts")
            }
            Problem::SelfType => f.write_str("there is no `Self` in a protocol: it is not a type"),
            Problem::MacroInBound => f.write_str(
                "a macro in a bound, or in a constant that is passed on, may mean something else in each item: write out what it becomes",
            ),
            Problem::UnusedParameter { parameter } => {
                write!(f, "no payload mentions the parameter `{parameter}`")
            }
            Problem::NameCollision { what, name, generated, taken_by } => {
                write!(f, "the {} `{name}` means the name `{generated}`, which is that of {taken_by}", what.word())
            }
            Problem::NoName { name } => write!(f, "there is no letter in `{name}` to make a name of"),
            Problem::NotBounded { protocol, cycle, sender } => write!(
                f,
                "the protocol `{protocol}` is not bounded: the {sender} can send for ever without hearing from the other \
                 side, along {}",
                path(cycle, true)
            ),
            Problem::BoundExceeded { protocol, limit, run, sender } => write!(
                f,
                "up to {} of the protocol `{protocol}` can be on their way at once, more than {limit}: the {sender} may send \
                 them in a row, along {}",
                if run.len() == 1 { String::from("1 message") } else { format!("{} messages", run.len()) },
                path(run, false)
            ),
        }
    }
}

/// The states of a way through the protocol, in the words it was written in.
fn path(states: &[String], closed: bool) -> String {
    let back = states.first().filter(|_| closed);
    states.iter().chain(back).map(|state| format!("`{state}`")).collect::<Vec<_>>().join(" -> ")
}

/// The problems found so far. They must be turned into errors: one that is dropped panics.
#[derive(Debug)]
pub(crate) struct Problems {
    errors: Vec<syn::Error>,
    tangle: bool,
    told: bool,
}

impl Problems {
    pub(crate) fn new() -> Self {
        Problems { errors: Vec::new(), tangle: false, told: false }
    }

    /// Reports a problem with these tokens.
    pub(crate) fn report(&mut self, tokens: impl ToTokens, problem: Problem) {
        self.tangle |= problem.tangles();
        self.errors.push(syn::Error::new_spanned(tokens, problem));
    }

    /// Reports a problem at a place that has no tokens.
    pub(crate) fn report_at(&mut self, span: Span, problem: Problem) {
        self.errors.push(syn::Error::new(span, problem));
    }

    /// Says where the other half of a problem is.
    pub(crate) fn note(&mut self, tokens: impl ToTokens, note: &str) {
        self.errors.push(syn::Error::new_spanned(tokens, note));
    }

    /// Reports what is not a protocol at all, in the parser's words.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.errors.len()
    }

    /// Is there one because of which the protocol's expansion would have errors of its own?
    pub(crate) fn tangle(&self) -> bool {
        self.tangle
    }

    /// These, or if there are none, the others.
    pub(crate) fn or(self, others: Problems) -> Problems {
        let (kept, left_out) = if self.is_empty() { (others, self) } else { (self, others) };
        left_out.discard();
        kept
    }

    /// These are not worth telling.
    pub(crate) fn discard(mut self) {
        self.told = true;
    }

    /// These too.
    pub(crate) fn append(&mut self, mut others: Problems) {
        others.told = true;
        self.errors.append(&mut others.errors);
    }

    /// What was said so far, for tests.
    #[cfg(test)]
    pub(crate) fn into_messages(mut self) -> Vec<String> {
        self.told = true;
        self.errors.iter().map(ToString::to_string).collect()
    }

    /// All of them, for the user.
    pub(crate) fn into_compile_errors(mut self) -> TokenStream {
        self.told = true;
        self.errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Problems {
    fn drop(&mut self) {
        assert!(self.told || std::thread::panicking(), "problems of a protocol were not reported");
    }
}
