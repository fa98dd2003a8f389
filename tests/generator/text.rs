//! Protocols as text, in the macro's syntax.

use super::protocol::{Field, Message, Protocol, State};
use std::fmt::Write;

/// A call of the macro.
pub fn protocol(protocol: &Protocol) -> String {
    format!("pipes::proto! {{\n{}}}\n", body(protocol))
}

/// The body of the call.
pub fn body(protocol: &Protocol) -> String {
    let mut text = String::new();
    protocol.attributes.iter().for_each(|it| text.extend(["    ", it, "\n"]));
    let declared: Vec<&str> = protocol.parameters.iter().map(|it| it.declared).collect();
    let declared = if declared.is_empty() { String::new() } else { format!("<{}>", declared.join(", ")) };
    text.extend(["    pub ", &protocol.name, &declared, " {\n"]);
    for (at, state) in protocol.states.iter().enumerate() {
        text.push_str(&head(at, state));
        for message in &state.messages {
            let (name, payload, next) =
                (message.name.written, payload(message), next(message, state, protocol));
            writeln!(text, "            {name}{payload} -> {next},").expect("a string takes all");
        }
        text.push_str("        }\n");
    }
    text + "    }\n"
}

/// The head of a state: the parameter stands behind the name or behind the direction.
fn head(at: usize, state: &State) -> String {
    let direction = if state.client_sends { "send" } else { "recv" };
    let own = state.own.map_or(String::new(), |own| format!("<{own}>"));
    let (behind_name, behind_direction) =
        if at.is_multiple_of(2) { (own.as_str(), "") } else { ("", own.as_str()) };
    let attributes: String = state.attributes.iter().map(|it| format!("        {it}\n")).collect();
    format!("{attributes}        {}{behind_name}: {direction}{behind_direction} {{\n", state.name.written)
}

fn payload(message: &Message) -> String {
    let field = |field: &Field| match field.name {
        Some(name) => format!("{name}: {}", field.ty),
        None => field.ty.clone(),
    };
    let fields: Vec<String> = message.fields.iter().map(field).collect();
    if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) }
}

/// The type of several fields as one payload: the unit type, the only field, or a tuple.
pub fn payload_of(fields: &[String]) -> String {
    match fields {
        [one] => one.clone(),
        many => format!("({})", many.join(", ")),
    }
}

fn next(message: &Message, from: &State, protocol: &Protocol) -> String {
    let Some(step) = &message.step else { return String::from("!") };
    let argument = step.argument.as_ref().map(|it| format!("<{}>", it.written(from.own)));
    format!("{}{}", protocol.states[step.to].name.written, argument.unwrap_or_default())
}
