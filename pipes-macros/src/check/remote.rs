//! What a protocol that is spoken between programs cannot have.
//!
//! # Establishes
//!
//! All parameters of a `#[remote]` protocol are its own, none of them is a lifetime, and the first state
//! needs all of them. So the type of the protocol names every endpoint of a session.
//!
//! # Errors
//!
//! `RemoteLifetime`, `RemoteParameter`, `RemoteUnreached`

use crate::diag::{Problem, Problems};
use crate::model::{Parameter, Protocol};
use syn::GenericParam;

/// Reports what such a protocol cannot have. `all` are the parameters of all states, `first` those of the
/// first.
pub(super) fn check(protocol: &Protocol, all: &[Parameter], first: &[Parameter], problems: &mut Problems) {
    if protocol.attributes.remote.is_none() {
        return;
    }
    for parameter in &protocol.parameters {
        let (name, is_lifetime) = (parameter.name(), matches!(parameter.declared, GenericParam::Lifetime(_)));
        if is_lifetime {
            let protocol = protocol.name.to_string();
            problems.report(&parameter.declared, Problem::RemoteLifetime { protocol, lifetime: name });
        } else if has(all, parameter) && !has(first, parameter) {
            problems.report(&parameter.declared, Problem::RemoteUnreached { parameter: name });
        }
    }
    for state in &protocol.states {
        for parameter in &state.parameters {
            let problem =
                Problem::RemoteParameter { state: state.name.to_string(), parameter: parameter.name() };
            problems.report(&parameter.declared, problem);
        }
    }
}

fn has(parameters: &[Parameter], wanted: &Parameter) -> bool {
    parameters.iter().any(|parameter| parameter.name() == wanted.name())
}
