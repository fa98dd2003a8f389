//! How to write states and types inside the generated module.

use crate::check::{Bound, Facts, places};
use crate::model::{Inward, Mentions, Parameter, Protocol, StateId, Step, argument_for};
use crate::names::{self, ITEMS, Library};
use crate::parse::Attributes;
use crate::side::Side;
use crate::text::key;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, Generics, Type};

/// The data that all templates need.
pub(super) struct Context<'a> {
    /// The path of the runtime, with the span of the protocol's name: errors about a whole endpoint point
    /// there.
    pub(super) krate: TokenStream,
    pub(super) library: &'a Library,
    pub(super) protocol: &'a Protocol,
    pub(super) facts: &'a Facts,
    /// For each message of each state, the field of the hidden union that holds its payload; `None` if the
    /// payload is `()`.
    pub(super) payload_places: Vec<Vec<Option<usize>>>,
    /// What is allowed on any state or message, for the items that all of them share.
    pub(super) allowed: TokenStream,
    /// The names of the generated types.
    generated: HashSet<String>,
    /// Types that mean something else inside the module, each with the parameters that it mentions.
    outside: Vec<(Type, Vec<Parameter>)>,
    /// The index of each type in `outside`, by its key.
    places: HashMap<String, usize>,
}

impl<'a> Context<'a> {
    pub(super) fn new(library: &'a Library, protocol: &'a Protocol, facts: &'a Facts) -> Self {
        let items = ITEMS.iter().map(|(name, _)| String::from(*name));
        let remote = protocol.attributes.remote.iter().flat_map(|_| names::REMOTE_VALUES);
        let values = names::VALUES.map(|(name, _)| name).into_iter().chain(remote).map(String::from);
        let generated =
            items.chain(values).chain(protocol.states.iter().map(|state| state.ty.to_string())).collect();
        let krate = library.path.clone().into_iter().map(|mut token| {
            token.set_span(protocol.name.span().resolved_at(token.span()));
            token
        });
        let krate = krate.collect();
        let mut context = Context {
            krate,
            library,
            protocol,
            facts,
            payload_places: places(&protocol.states, &facts.memory),
            allowed: allowed(protocol),
            generated,
            outside: Vec::new(),
            places: HashMap::new(),
        };
        for (_, message) in protocol.messages() {
            message.fields.iter().for_each(|field| context.fetch(&field.ty));
            message.step.iter().for_each(|step| context.fetch_arguments(&step.arguments));
        }
        context
    }

    fn fetch_arguments(&mut self, arguments: &[GenericArgument]) {
        for argument in arguments {
            if let GenericArgument::Type(ty) = argument {
                self.fetch(ty);
            }
        }
    }

    /// Records a type that must be fetched from outside the module.
    fn fetch(&mut self, ty: &Type) {
        if let Type::Tuple(tuple) = ty {
            return tuple.elems.iter().for_each(|part| self.fetch(part));
        }
        let mentions = Mentions::of_types([ty]);
        // A type with a macro call is fetched as well: then the macro is called once, and all items agree
        // about the type.
        let generated = |name: &str| self.generated.contains(name) || name.starts_with("__");
        let elsewhere = mentions.calls_macro() || mentions.names().any(generated);
        let text = key(ty);
        if elsewhere && !self.places.contains_key(&text) {
            let all = self.facts.all_parameters.iter();
            let parameters = all.filter(|parameter| mentions.has(&parameter.name())).cloned().collect();
            self.places.insert(text, self.outside.len());
            self.outside.push((ty.clone(), parameters));
        }
    }

    /// Rewrites a type so that it means the same as where the protocol is written.
    pub(super) fn ty(&self, ty: &Type) -> TokenStream {
        if let Type::Tuple(tuple) = ty {
            let parts = tuple.elems.iter().map(|part| self.ty(part));
            return quote!((#(#parts,)*));
        }
        let Some(place) = self.places.get(&key(ty)) else {
            return inward(ty, 1).to_token_stream();
        };
        let (outside, alias) = (names::outside(), names::outside_type(*place));
        let arguments = arguments(&self.outside[*place].1);
        quote!(#outside::#alias #arguments)
    }

    /// Rewrites an argument so that it means the same as where the protocol is written.
    pub(super) fn argument(&self, argument: &GenericArgument) -> TokenStream {
        if let GenericArgument::Type(ty) = argument {
            return self.ty(ty);
        }
        let mut argument = argument.clone();
        Inward { levels: 1 }.visit_generic_argument_mut(&mut argument);
        argument.to_token_stream()
    }

    /// ```text
    /// mod __outside {
    ///     use super::super::*;
    ///     pub(super) type T0 = Vec<Login>;
    /// }
    /// ```
    pub(super) fn outside(&self) -> Option<TokenStream> {
        if self.outside.is_empty() {
            return None;
        }
        let (module, lints) = (names::outside(), &self.allowed);
        let aliases = self.outside.iter().enumerate().map(|(place, (ty, parameters))| {
            let alias = names::outside_type(place);
            let (generics, ty) = (self.generics_inward(parameters, 2), inward(ty, 2));
            quote!(pub(super) type #alias #generics = #ty;)
        });
        Some(quote! {
            // Inside this module, names mean the same as where the protocol is written.
            #lints
            mod #module {
                use super::super::*;
                #(#aliases)*
            }
        })
    }

    /// Returns the declaration of parameters, with those bounds that mention no other parameters.
    pub(super) fn generics(&self, parameters: &[Parameter]) -> Generics {
        self.generics_inward(parameters, 1)
    }

    /// Returns the declaration of parameters, for use some modules further in than the protocol.
    fn generics_inward(&self, parameters: &[Parameter], levels: usize) -> Generics {
        let all: Vec<Parameter> =
            self.protocol.parameters.iter().chain(&self.facts.all_parameters).cloned().collect();
        let missing: Vec<String> = all
            .iter()
            .map(Parameter::name)
            .filter(|name| parameters.iter().all(|parameter| parameter.name() != *name))
            .collect();
        let known = |mentions: &Mentions| !missing.iter().any(|name| mentions.has(name));
        let mut generics = Generics::default();
        for parameter in parameters {
            generics.params.push(parameter.with_bounds(|bound| known(bound)).declared);
        }
        let predicates = self.protocol.predicates.iter();
        let predicates: Vec<_> =
            predicates.filter(|bound| known(&Mentions::of_predicate(bound))).cloned().collect();
        if !predicates.is_empty() {
            generics.make_where_clause().predicates.extend(predicates);
        }
        Inward { levels }.visit_generics_mut(&mut generics);
        generics
    }

    /// Returns the declaration of a state's parameters.
    pub(super) fn generics_of(&self, state: StateId) -> Generics {
        self.generics(&self.facts.parameters[state])
    }

    /// Returns `true` if slots have room for a ticket beside each payload, so that a program that reads from
    /// another one can tell how many of its messages are unread. If the protocol is bounded, its bound limits
    /// that.
    pub(super) fn has_tickets(&self) -> bool {
        self.protocol.attributes.remote.is_some() && matches!(self.facts.bound, Bound::Unbounded { .. })
    }

    /// Returns a state's type, in terms of its own parameters: `Open<T>`.
    pub(super) fn state(&self, state: StateId) -> TokenStream {
        let (ty, arguments) = (&self.protocol.states[state].ty, arguments(&self.facts.parameters[state]));
        quote!(#ty #arguments)
    }

    /// Returns the endpoint of one side in the state that a step leads to, in terms of the parameters of the
    /// state before the step. Errors about this type point to the step.
    pub(super) fn target(&self, side: Side, step: &Step) -> TokenStream {
        let here = step.at.resolved_at(Span::call_site());
        let (mut endpoint, mut ty) = (names::endpoint(side), self.protocol.states[step.to].ty.clone());
        endpoint.set_span(here);
        ty.set_span(here);
        let state = &self.protocol.states[step.to];
        let parameters = &self.facts.parameters[step.to];
        let arguments = parameters.iter().map(|parameter| match state.passed(parameter, &step.arguments) {
            Some(argument) => self.argument(argument),
            None => argument_for(parameter).to_token_stream(),
        });
        let arguments = (!parameters.is_empty()).then(|| quote!(<#(#arguments),*>));
        quote_spanned!(here=> #endpoint<#ty #arguments>)
    }
}

/// Returns the lints that are allowed on any state or message, each once.
fn allowed(protocol: &Protocol) -> TokenStream {
    let messages = protocol.messages().map(|(_, message)| &message.attributes);
    let all = protocol.states.iter().map(|state| &state.attributes).chain(messages);
    let mut seen = HashSet::new();
    let lints = all.flat_map(Attributes::allowed).filter(|lint| seen.insert(key(lint)));
    lints.map(|lint| lint.to_token_stream()).collect()
}

/// Returns the span of a written name, for the code that is generated for it.
pub(super) fn at(written: &Ident) -> Span {
    written.span().resolved_at(Span::call_site())
}

/// Rewrites a type for use some modules further in.
fn inward(ty: &Type, levels: usize) -> Type {
    let mut ty = ty.clone();
    Inward { levels }.visit_type_mut(&mut ty);
    ty
}

/// Returns parameters as arguments: `<'a, T>`, or nothing.
pub(super) fn arguments(parameters: &[Parameter]) -> Option<TokenStream> {
    let names = parameters.iter().map(argument_for);
    (!parameters.is_empty()).then(|| quote!(<#(#names),*>))
}

/// `<'a, T, const N: usize>`, or nothing.
pub(super) fn without_bounds(parameters: &[Parameter]) -> Option<TokenStream> {
    let declared = parameters.iter().map(|parameter| parameter.with_bounds(|_| false).declared);
    (!parameters.is_empty()).then(|| quote!(<#(#declared),*>))
}
