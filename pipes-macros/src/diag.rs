//! Everything that can be wrong with a protocol, and the text of each error.
//!
//! A stage reports what it finds and goes on. In the end each report becomes a `compile_error!`. For each
//! problem there is a test program of the same name that must not compile.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::fmt;

/// A problem of a protocol. The examples are the smallest protocols that have it.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Nothing was written: `proto! {}`.
    NoProtocol,
    /// `p { }`
    NoState { protocol: String },
    /// `s: sends { … }`
    UnknownDirection { word: String },
    /// `s: send { … } recv { … }`
    TwoDirections { state: String },
    /// `m(u8) s`
    MissingArrow { message: String },
    /// `m -> 3`
    MissingStep { message: String },
    /// `type: send { … }`
    Keyword { word: String, instead: String },
    /// `s: send { m -> s /// Nothing comes after this. }`
    MisplacedAttribute { of: &'static str },
    /// `m(str) -> s`
    Unsized { ty: String, instead: String },
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
    /// `s: send<A, B, …> { m -> s<B, A, …>, n -> s<B, …, A> }`, where the steps lead to too many orders of
    /// the arguments.
    TooManyInstances { state: String },
    /// `m(Vec<Self>)`
    SelfType,
    /// `s: send<T: Into<number!()>> { … }`
    MacroInBound,
    /// `s: send<T> { m -> ! }`
    UnusedParameter { parameter: String },
    /// A state `client`, whose type would have the name of the client's endpoint.
    NameCollision { what: Colliding, name: String, generated: String, taken_by: String },
    /// `__: send { … }`, which has no letter to make a name of.
    NoName { name: String },
    /// `#[bounded]` on a protocol that is not bounded.
    NotBounded { protocol: String, cycle: Vec<String>, sender: &'static str },
    /// `#[bounded(1)]` on a protocol with two messages in a row.
    BoundExceeded { protocol: String, limit: usize, run: Vec<String>, sender: &'static str },
    /// `#[remote(version = "two")]`
    RemoteVersion,
    /// `#[remote(secret)]`
    RemoteArgument,
    /// `#[remote] p<'a> { … }`
    RemoteLifetime { protocol: String, lifetime: String },
    /// `#[remote] p { s<T>: send { m(T) -> ! } }`
    RemoteParameter { state: String, parameter: String },
    /// `#[remote] p<T> { … }`, where only states that cannot be reached need `T`.
    RemoteUnreached { parameter: String },
    /// `#[remote] p { s: send { m(Vec<()>) -> ! } }`
    RemoteWeightless { collection: String },
}

/// The kind of item whose name is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colliding {
    /// The state gets another name, and the expansion goes on.
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
            Colliding::Bound => "bound",
            Colliding::Constant => "constant",
        }
    }
}

impl Problem {
    /// Returns `true` if the expansion would cause errors of its own, such as names that mean two things.
    fn prevents_expansion(&self) -> bool {
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
            Problem::NoProtocol => f.write_str("expected a protocol: `name { state: send { message -> ! } }`"),
            Problem::NoState { protocol } => {
                write!(f, "the protocol `{protocol}` has no states; write `state: send {{ message -> ! }}`")
            }
            Problem::UnknownDirection { word } => write!(
                f,
                "expected `send` (the client sends) or `recv` (the server sends), found `{word}`"
            ),
            Problem::TwoDirections { state } => write!(
                f,
                "in each state one side sends, and `{state}` has two directions: write two states, one with `send` and one \
                 with `recv`, and messages that lead from one to the other; if both sides may send at any time, use a \
                 `duplex_stream` instead"
            ),
            Problem::MissingArrow { message } => {
                write!(f, "the message `{message}` has no next state: write `-> state`, or `-> !` to end the session")
            }
            Problem::MissingStep { message } => write!(
                f,
                "expected a state after `->`, or `!` to end the session, for the message `{message}`"
            ),
            Problem::Keyword { word, instead } => {
                write!(f, "`{word}` is a keyword and cannot be a name; write `{instead}`")
            }
            Problem::MisplacedAttribute { of } => {
                write!(f, "this stands before nothing: expected {of} after a doc comment or an attribute")
            }
            Problem::Unsized { ty, instead } => {
                write!(f, "`{ty}` has no size that the compiler knows, so it cannot be sent; send `{instead}`")
            }
            Problem::Cfg => f.write_str(
                "`cfg` is not allowed inside a protocol, because both ends must be compiled from the same one; put it on the \
                 whole `proto!`",
            ),
            Problem::UnknownAttribute { name, on, allowed } => {
                write!(f, "`{name}` is not allowed on {on}; allowed: {allowed}")
            }
            Problem::ParametersTwice { state } => write!(
                f,
                "the state `{state}` has two lists of parameters: write all of them after its name, or all of them after its \
                 direction"
            ),
            Problem::ParameterDefault => {
                f.write_str("parameters of a protocol have no defaults: each step passes all arguments")
            }
            Problem::EmptyState { state } => write!(
                f,
                "the state `{state}` has no messages, so a session could never leave it; to end the session, use `!` as the next state"
            ),
            Problem::DuplicateState { state, first } if state == first => {
                write!(f, "the state `{state}` is defined twice")
            }
            Problem::DuplicateState { state, first } => {
                write!(f, "the states `{first}` and `{state}` would have the same type name")
            }
            Problem::DuplicateMessage { message, first, state } if message == first => {
                write!(f, "the message `{message}` is defined twice in the state `{state}`")
            }
            Problem::DuplicateMessage { message, first, state } => {
                write!(f, "the messages `{first}` and `{message}` of the state `{state}` would have the same name")
            }
            Problem::DuplicateField { field } => write!(f, "the payload has two fields called `{field}`"),
            Problem::DuplicateParameter { parameter } => write!(f, "there are two parameters called `{parameter}`"),
            Problem::UndefinedState { message, state, nearest } => {
                write!(f, "the message `{message}` leads to the state `{state}`, which this protocol does not define")?;
                nearest.as_ref().map_or(Ok(()), |nearest| write!(f, "; did you mean `{nearest}`?"))
            }
            Problem::WrongArguments { state, expected, found } => {
                let or_none = |arguments: &Option<String>| match arguments {
                    Some(arguments) => format!("the arguments `{arguments}`"),
                    None => String::from("no arguments"),
                };
                write!(f, "the state `{state}` takes {}; this step passes {}", or_none(expected), or_none(found))
            }
            Problem::GrowingArgument { state, parameter } => write!(
                f,
                "the parameter `{parameter}` of the state `{state}` grows in each round of the protocol, so there would be \
                 infinitely many types"
            ),
            Problem::TooManyInstances { state } => {
                write!(f, "the state `{state}` leads to more than a thousand combinations of arguments, or to an argument of more than a thousand \
                 parts: use fewer parameters, or pass them on unchanged")
            }
            Problem::SelfType => f.write_str("`Self` is not allowed in a protocol, which is not a type"),
            Problem::MacroInBound => f.write_str(
                "macros are not allowed in bounds and constant arguments, where they could expand differently in each item; write out the expansion",
            ),
            Problem::UnusedParameter { parameter } => {
                write!(f, "the parameter `{parameter}` is not used in any payload")
            }
            Problem::NameCollision { what, name, generated, taken_by } => {
                write!(f, "the {} `{name}` needs the name `{generated}`, which is already that of {taken_by}", what.word())
            }
            Problem::NoName { name } => write!(f, "`{name}` has no letter to make a name from"),
            Problem::NotBounded { protocol, cycle, sender } => write!(
                f,
                "the protocol `{protocol}` is not bounded: the {sender} can send without end before it receives from the other \
                 side, along {}",
                path(cycle, true)
            ),
            Problem::BoundExceeded { protocol, limit, run, sender } => write!(
                f,
                "up to {} of the protocol `{protocol}` can be on their way at the same time, more than {limit}: the {sender} can \
                 send them in a row, along {}",
                if run.len() == 1 { String::from("1 message") } else { format!("{} messages", run.len()) },
                path(run, false)
            ),
            Problem::RemoteVersion => {
                f.write_str("the version of a `#[remote]` protocol is a number from 0 to 4294967295, as in `version = 2`")
            }
            Problem::RemoteArgument => {
                f.write_str("`remote` has two arguments, `version = N` and `schema`; both may be left out")
            }
            Problem::RemoteLifetime { protocol, lifetime } => write!(
                f,
                "the protocol `{protocol}` is `#[remote]`, and the lifetime `{lifetime}` cannot travel: borrowed data lies in \
                 the memory of one program; send owned data"
            ),
            Problem::RemoteParameter { state, parameter } => write!(
                f,
                "the state `{state}` of a `#[remote]` protocol has the parameter `{parameter}`: another program could not know \
                 which type it stands for; make it a parameter of the protocol"
            ),
            Problem::RemoteUnreached { parameter } => write!(
                f,
                "only states that cannot be reached need the parameter `{parameter}`: a `#[remote]` protocol cannot have it"
            ),
            Problem::RemoteWeightless { collection } => write!(
                f,
                "the elements of `{collection}` are sent as no bytes: a stranger could announce 2⁶⁴ of them in a message of \
                 ten bytes, and keep this program busy for ever; send their number"
            ),
        }
    }
}

/// Returns the states of a path through the protocol, by their written names. A closed path ends with its
/// first state.
fn path(states: &[String], closed: bool) -> String {
    let back = states.first().filter(|_| closed);
    states.iter().chain(back).map(|state| format!("`{state}`")).collect::<Vec<_>>().join(" -> ")
}

/// The problems found so far. Dropping them panics unless they were turned into errors, appended to others or
/// discarded.
#[derive(Debug)]
pub(crate) struct Problems {
    errors: Vec<syn::Error>,
    prevents_expansion: bool,
    handled: bool,
}

impl Problems {
    pub(crate) fn new() -> Self {
        Problems { errors: Vec::new(), prevents_expansion: false, handled: false }
    }

    /// Reports a problem with these tokens.
    pub(crate) fn report(&mut self, tokens: impl ToTokens, problem: Problem) {
        self.prevents_expansion |= problem.prevents_expansion();
        self.errors.push(syn::Error::new_spanned(tokens, problem));
    }

    /// Reports a problem at a place that has no tokens.
    pub(crate) fn report_at(&mut self, span: Span, problem: Problem) {
        self.errors.push(syn::Error::new(span, problem));
    }

    /// Reports a second place that belongs to the last problem.
    pub(crate) fn note(&mut self, tokens: impl ToTokens, note: &str) {
        self.errors.push(syn::Error::new_spanned(tokens, note));
    }

    /// Reports a syntax error, with the parser's own text.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.errors.len()
    }

    /// Returns `true` if there is a problem with which the protocol's expansion would cause errors of its
    /// own.
    pub(crate) fn prevent_expansion(&self) -> bool {
        self.prevents_expansion
    }

    /// Returns these problems, or the others if there are none.
    pub(crate) fn or(self, others: Problems) -> Problems {
        let (kept, left_out) = if self.is_empty() { (others, self) } else { (self, others) };
        left_out.discard();
        kept
    }

    /// Drops these problems without reporting them, because they follow from others.
    pub(crate) fn discard(mut self) {
        self.handled = true;
    }

    /// Adds the other problems to these.
    pub(crate) fn append(&mut self, mut others: Problems) {
        others.handled = true;
        self.errors.append(&mut others.errors);
    }

    /// Returns the texts of the errors, for tests.
    #[cfg(test)]
    pub(crate) fn into_messages(mut self) -> Vec<String> {
        self.handled = true;
        self.errors.iter().map(ToString::to_string).collect()
    }

    /// Returns a `compile_error!` for each problem.
    pub(crate) fn into_compile_errors(mut self) -> TokenStream {
        self.handled = true;
        self.errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Problems {
    fn drop(&mut self) {
        assert!(self.handled || std::thread::panicking(), "problems of a protocol were not reported");
    }
}
