//! The hidden types that determine a slot's room, and whether an endpoint may go to another thread.

use super::context::{Context, arguments, at};
use crate::check::{Argument, Bound, Instance, Memory, Room, Written, mentioned, sent_in};
use crate::model::{Mentions, Parameter, State, StateId, argument_for};
use crate::names;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

/// Generates the hidden unions with room for any payload: one for the protocol, or one for each state.
pub(super) fn payloads(context: &Context<'_>) -> TokenStream {
    let protocol = context.protocol;
    match &context.facts.memory {
        Memory::Common(payloads) => {
            let parameters = parameters_of(context, 0, payloads);
            let fields = with_tickets(context, payloads);
            union(context, &protocol.name, &names::payloads(None), &parameters, &fields)
        }
        Memory::ByState { rooms, written } => {
            let aliases = written.iter().enumerate().map(|(place, written)| alias(context, place, written));
            let sent = (0..rooms.len()).map(|state| sent(context, state));
            let from = rooms.iter().enumerate().map(|(id, room)| {
                let instances =
                    room.instances.iter().filter_map(|instance| sent_in_instance(context, instance));
                let fields = instances.chain(room.besides.iter().map(|ty| context.ty(ty)));
                let (state, fields): (_, Vec<TokenStream>) = (&protocol.states[id], fields.collect());
                let name = names::payloads(Some(&state.ty));
                union(context, &state.name, &name, &parameters_from(context, id, room), &fields)
            });
            aliases.chain(sent).chain(from).collect()
        }
    }
}

/// `type __A0<T> = Vec<T>;`, or `const __A0: usize = 3;`.
fn alias(context: &Context<'_>, place: usize, written: &Written) -> TokenStream {
    let (name, lints) = (names::argument(place), &context.allowed);
    let argument = context.argument(&written.argument);
    match &written.constant {
        Some(ty) => {
            let ty = context.ty(ty);
            quote!(#lints const #name: #ty = #argument;)
        }
        None => {
            let generics = context.generics(&written.parameters);
            let (_, _, bounds) = generics.split_for_impl();
            quote!(#lints type #name #generics #bounds = #argument;)
        }
    }
}

/// Generates the hidden union of the payloads of one state; no item if it has none.
fn sent(context: &Context<'_>, id: StateId) -> TokenStream {
    let state = &context.protocol.states[id];
    let payloads = sent_in(state);
    let fields = with_tickets(context, &payloads);
    if fields.is_empty() {
        return TokenStream::new();
    }
    union(context, &state.name, &names::sent(&state.ty), &parameters_of(context, id, &payloads), &fields)
}

/// Returns the type of what is sent in a state with these arguments, such as `__SentInOpen<__A0<T>>`; `None`
/// if that is nothing.
fn sent_in_instance(context: &Context<'_>, instance: &Instance) -> Option<TokenStream> {
    let state = &context.protocol.states[instance.state];
    let (name, payloads) = (names::sent(&state.ty), sent_in(state));
    let parameters = parameters_of(context, instance.state, &payloads);
    let arguments = parameters.iter().map(|parameter| match state.passed(parameter, &instance.arguments) {
        Some(argument) => passed(argument),
        None => argument_for(parameter).to_token_stream(),
    });
    let arguments = (!parameters.is_empty()).then(|| quote!(<#(#arguments),*>));
    has_room(context, state).then(|| quote!(#name #arguments))
}

/// Returns the types of payloads; then, if slots have room for tickets, each of them beside a ticket, and a
/// ticket alone.
fn with_tickets(context: &Context<'_>, payloads: &[Type]) -> Vec<TokenStream> {
    let mut fields: Vec<TokenStream> = payloads.iter().map(|ty| context.ty(ty)).collect();
    if context.has_tickets() {
        let krate = &context.krate;
        let ticket = quote!(#krate::remote::Ticket);
        let beside: Vec<TokenStream> = fields.iter().map(|ty| quote!((#ty, #ticket))).collect();
        fields.extend(beside);
        fields.push(ticket);
    }
    fields
}

/// Returns `true` if a message of this state puts anything into its slot.
fn has_room(context: &Context<'_>, state: &State) -> bool {
    state.sends() || context.has_tickets()
}

/// `T`, `'a` or `__A1<__A0<T>>`.
fn passed(argument: &Argument) -> TokenStream {
    match argument {
        Argument::Parameter(parameter) => argument_for(parameter).to_token_stream(),
        Argument::Lifetime(lifetime) => lifetime.to_token_stream(),
        Argument::Written { place, of } => {
            let name = names::argument(*place);
            let of: Vec<TokenStream> = of.iter().map(passed).collect();
            let of = (!of.is_empty()).then(|| quote!(<#(#of),*>));
            quote!(#name #of)
        }
    }
}

/// ```text
/// pub union __Payloads {
///     _nothing: (),
///     _0: pipes::__private::ManuallyDrop<(String, String)>,
///     _1: pipes::__private::ManuallyDrop<u64>,
/// }
/// ```
///
/// Generates a union: a slot has room for any of the fields, and an endpoint may go to another thread if all
/// fields may.
fn union(
    context: &Context<'_>,
    because_of: &Ident,
    name: &Ident,
    parameters: &[Parameter],
    fields: &[TokenStream],
) -> TokenStream {
    let generics = context.generics(parameters);
    let (declared, arguments, bounds) = generics.split_for_impl();
    let names = (0..fields.len()).map(names::payload_field);
    let (krate, nothing, lints) = (&context.krate, names::nothing_field(), &context.allowed);
    let text = name.to_string();
    quote_spanned! {at(because_of)=>
        #[doc(hidden)]
        #lints
        pub union #name #generics #bounds {
            #nothing: (),
            #(#names: #krate::__private::ManuallyDrop<#fields>,)*
        }

        #lints
        impl #declared ::core::fmt::Debug for #name #arguments #bounds {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(#text)
            }
        }
    }
}

/// ```text
/// |payload, _| {
///     let __kept = pipes::__private::ManuallyDrop::new(payload);
///     [__Payloads { _0: __kept }]
/// }
/// ```
///
/// Shows that the hidden type has room for what a message sends: by type, not by what is written, which may
/// mean something else there. If each state has a type of its own, it shows the same of all that can be sent
/// after the message:
///
/// ```text
/// |payload, __later| {
///     …
///     [__PayloadsFromOpen { _0: __kept }, __PayloadsFromOpen { _1: __later()._0 }]
/// }
/// ```
pub(super) fn room(context: &Context<'_>, id: StateId, number: usize) -> TokenStream {
    room_at(context, id, number, context.payload_places[id][number])
}

/// Shows that the hidden type has room for a payload beside a ticket, or for a ticket alone.
pub(super) fn room_with_ticket(context: &Context<'_>, id: StateId, number: usize) -> TokenStream {
    let payloads = match &context.facts.memory {
        Memory::Common(payloads) => payloads.len(),
        Memory::ByState { .. } => sent_in(&context.protocol.states[id]).len(),
    };
    let place = match context.payload_places[id][number] {
        Some(place) => payloads + place,
        None => 2 * payloads,
    };
    room_at(context, id, number, Some(place))
}

fn room_at(context: &Context<'_>, id: StateId, number: usize, place: Option<usize>) -> TokenStream {
    let (krate, state) = (&context.krate, &context.protocol.states[id]);
    let ends = state.messages[number].step.is_none();
    // As the value of a field, the payload could be coerced to another type. A `let` of its own keeps its
    // type.
    let keep = |value: TokenStream| quote!(let __kept = #krate::__private::ManuallyDrop::new(#value););
    let payload = names::field_name(0, 1);
    let (all, kept, later) = match &context.facts.memory {
        Memory::Common(_) => {
            let kept = place.map(|place| (place, keep(quote!(#payload))));
            (names::payloads(None), kept, Vec::new())
        }
        // The instances of a protocol with an error may be unknown. Here they must not cause another error.
        Memory::ByState { rooms, .. } if rooms[id].instances.is_empty() => {
            return if ends { quote!(|_| loop {}) } else { quote!(|_, _| []) };
        }
        Memory::ByState { rooms, .. } => {
            // The state itself is its first instance, so its payload is in the union's first field.
            let kept = place.map(|place| {
                let (own, field) = (names::sent(&state.ty), names::payload_field(place));
                let (payload, sent) = (keep(quote!(#payload)), keep(quote!(#own { #field: __kept })));
                (0, quote!(#payload #sent))
            });
            (names::payloads(Some(&state.ty)), kept, later(context, rooms, id, number))
        }
    };
    let (payload, kept, first) = if let Some((place, kept)) = kept {
        let field = names::payload_field(place);
        (quote!(#payload), kept, quote!(#all { #field: __kept }))
    } else {
        let nothing = names::nothing_field();
        (quote!(()), TokenStream::new(), quote!(#all { #nothing: () }))
    };
    if ends {
        return quote!(|#payload| { #kept #first });
    }
    let parameter = if later.is_empty() { quote!(_) } else { quote!(__later) };
    let later = later.iter().map(|(own, next)| quote!(#all { #own: __later().#next }));
    quote!(|#payload, #parameter| { #kept [#first #(, #later)*] })
}

/// Returns, for each field of the next state's union, the field of this state's union that holds it.
fn later(context: &Context<'_>, rooms: &[Room], id: StateId, number: usize) -> Vec<(Ident, Ident)> {
    let Some(step) = &context.protocol.states[id].messages[number].step else { return Vec::new() };
    let (own, next) = (fields(context, &rooms[id]), fields(context, &rooms[step.to]));
    let after = rooms[id].after[number].iter().zip(next);
    after.filter_map(|(place, next)| own[*place].clone().zip(next)).collect()
}

/// Returns, for each instance, the field with room for its payloads; `None` if it has no payloads.
fn fields(context: &Context<'_>, room: &Room) -> Vec<Option<Ident>> {
    let sends = |instance: &Instance| has_room(context, &context.protocol.states[instance.state]);
    let mut fields = (0..).map(names::payload_field);
    let instances = room.instances.iter();
    instances.map(|instance| if sends(instance) { fields.next() } else { None }).collect()
}

/// Returns the hidden union, in terms of a state's parameters.
pub(super) fn payloads_of(context: &Context<'_>, id: StateId) -> TokenStream {
    let (name, parameters) = match &context.facts.memory {
        Memory::Common(payloads) => (names::payloads(None), parameters_of(context, 0, payloads)),
        Memory::ByState { rooms, .. } => {
            (names::payloads(Some(&context.protocol.states[id].ty)), parameters_from(context, id, &rooms[id]))
        }
    };
    let arguments = arguments(&parameters);
    quote!(#name #arguments)
}

/// Returns the memory policy of a pipe that begins in this state.
pub(super) fn policy(context: &Context<'_>, id: StateId) -> TokenStream {
    let (krate, payloads) = (&context.krate, payloads_of(context, id));
    match &context.facts.bound {
        Bound::Messages { slots, .. } => {
            let slots = Literal::usize_unsuffixed(*slots);
            quote!(#krate::__private::Ring<#payloads, #slots>)
        }
        Bound::Unbounded { .. } => quote!(#krate::__private::Chain<#payloads>),
    }
}

/// Returns the parameters of a state that these types mention.
fn parameters_of(context: &Context<'_>, id: StateId, types: &[Type]) -> Vec<Parameter> {
    let visible: Vec<&Parameter> = context.facts.parameters[id].iter().collect();
    mentioned(&visible, &context.protocol.predicates, Mentions::of_types(types))
}

/// Returns the parameters of a state that its room mentions.
fn parameters_from(context: &Context<'_>, id: StateId, room: &Room) -> Vec<Parameter> {
    let besides = parameters_of(context, id, &room.besides);
    let in_instance = |instance: &Instance, name: &str| {
        let state = &context.protocol.states[instance.state];
        let sent = parameters_of(context, instance.state, &sent_in(state));
        sent.iter().any(|parameter| match state.passed(parameter, &instance.arguments) {
            Some(argument) => argument.mentions(name),
            None => parameter.name() == name,
        })
    };
    let parameters = context.facts.parameters[id].iter();
    let used = |parameter: &&Parameter| {
        let name = parameter.name();
        besides.iter().any(|besides| besides.name() == name)
            || room.instances.iter().any(|instance| in_instance(instance, &name))
    };
    parameters.filter(used).cloned().collect()
}
