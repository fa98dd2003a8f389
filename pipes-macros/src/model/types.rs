//! What types mention, and types with other things in the place of parameters.

use super::Parameter;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    Expr, GenericArgument, GenericParam, Lifetime, Macro, Path, PathSegment, Type, TypeParamBound, TypePath,
    WherePredicate,
};

/// The names that something mentions and that could be parameters or items: the first word of each path, and lifetimes.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    names: HashSet<String>,
    /// Those that something is taken from: `T` in `T::Item`.
    projected: HashSet<String>,
    calls_macro: bool,
}

impl Mentions {
    /// The names that types mention.
    pub(crate) fn of_types<'a>(types: impl IntoIterator<Item = &'a Type>) -> Self {
        let mut mentions = Mentions::default();
        types.into_iter().for_each(|ty| mentions.visit_type(ty));
        mentions
    }

    /// The names that arguments mention.
    pub(crate) fn of_arguments<'a>(arguments: impl IntoIterator<Item = &'a GenericArgument>) -> Self {
        let mut mentions = Mentions::default();
        arguments.into_iter().for_each(|argument| mentions.visit_generic_argument(argument));
        mentions
    }

    /// The names that a bound mentions.
    pub(crate) fn of_bound(bound: &TypeParamBound) -> Self {
        let mut mentions = Mentions::default();
        mentions.visit_type_param_bound(bound);
        mentions
    }

    /// The name of a lifetime.
    pub(crate) fn of_lifetime(lifetime: &Lifetime) -> Self {
        let mut mentions = Mentions::default();
        mentions.visit_lifetime(lifetime);
        mentions
    }

    /// The names that the bounds of a parameter mention.
    pub(crate) fn of_bounds(parameter: &GenericParam) -> Self {
        let mut mentions = Mentions::default();
        match parameter {
            GenericParam::Lifetime(lifetime) => {
                lifetime.bounds.iter().for_each(|bound| mentions.visit_lifetime(bound))
            }
            GenericParam::Type(ty) => {
                ty.bounds.iter().for_each(|bound| mentions.visit_type_param_bound(bound))
            }
            GenericParam::Const(value) => mentions.visit_type(&value.ty),
        }
        mentions
    }

    /// The names that a predicate mentions.
    pub(crate) fn of_predicate(predicate: &WherePredicate) -> Self {
        let mut mentions = Mentions::default();
        mentions.visit_where_predicate(predicate);
        mentions
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Is something taken from what has this name?
    pub(crate) fn projects(&self, name: &str) -> bool {
        self.projected.contains(name)
    }

    /// Is there a macro call in it, of which nobody knows that it gives the same type each time?
    pub(crate) fn calls_macro(&self) -> bool {
        self.calls_macro
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whatever is written inside a macro call.
    fn add_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.names.insert(ident.to_string());
                    // An apostrophe stands before it if it is a lifetime.
                    self.names.insert(format!("'{ident}"));
                }
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_path(&mut self, path: &'ast Path) {
        if let (None, Some(first)) = (path.leading_colon, path.segments.first()) {
            self.names.insert(first.ident.to_string());
            if path.segments.len() > 1 {
                self.projected.insert(first.ident.to_string());
            }
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.names.insert(lifetime.to_string());
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.calls_macro = true;
        self.add_tokens(call.tokens.clone());
    }
}

/// What a path is written like some modules further in: `self::T` as `super::T`, `super::T` as `super::super::T`.
pub(crate) struct Inward {
    /// How many modules.
    pub(crate) levels: usize,
}

impl VisitMut for Inward {
    fn visit_path_mut(&mut self, path: &mut Path) {
        syn::visit_mut::visit_path_mut(self, path);
        let Some(first) = path.segments.first().map(|segment| segment.ident.clone()) else { return };
        if path.leading_colon.is_some() || first != "self" && first != "super" {
            return;
        }
        let outward = Ident::from(syn::token::Super { span: first.span() });
        let outward = std::iter::repeat_n(PathSegment::from(outward), self.levels);
        let kept = path.segments.iter().skip(usize::from(first == "self")).cloned();
        path.segments = outward.chain(kept).collect();
    }
}

/// Arguments in the place of parameters.
pub(crate) struct Substitution(HashMap<String, (Parameter, GenericArgument)>);

impl Substitution {
    /// An argument for each of these parameters.
    pub(crate) fn new(parameters: &[Parameter], arguments: &[GenericArgument]) -> Self {
        let pairs = parameters.iter().cloned().zip(arguments.iter().cloned());
        Substitution(pairs.map(|(parameter, argument)| (parameter.name(), (parameter, argument))).collect())
    }

    /// What stands for a name.
    fn get(&self, name: &str) -> Option<&GenericArgument> {
        self.0.get(name).map(|(_, argument)| argument)
    }

    /// An argument with the arguments put in.
    pub(crate) fn in_argument(&mut self, argument: &GenericArgument) -> GenericArgument {
        let mut argument = argument.clone();
        self.visit_generic_argument_mut(&mut argument);
        argument
    }

    /// What stands for a path, if the path is a parameter.
    fn argument(&self, path: &TypePath) -> Option<&GenericArgument> {
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        self.get(&name.to_string())
    }

    /// `T::Item` with `Vec<u8>` for `T: Iterator`: `<Vec<u8> as Iterator>::Item`. A parameter finds the trait among its bounds,
    /// what takes its place does not; if there is more than one, `<T as Iterator>::Item` has to be written.
    fn projected(&mut self, path: &TypePath) -> Option<Type> {
        let first = path.path.segments.first().filter(|_| path.qself.is_none())?;
        let Some((parameter, GenericArgument::Type(argument))) =
            self.0.get(&first.ident.to_string()).cloned()
        else {
            return None;
        };
        let mut rest: Vec<_> = path.path.segments.iter().skip(1).cloned().collect();
        rest.iter_mut().for_each(|segment| self.visit_path_segment_mut(segment));
        Some(match (rest.as_slice(), parameter.only_trait()) {
            ([], _) => argument,
            (rest, _) if parameter.is(&GenericArgument::Type(argument.clone())) => {
                syn::parse_quote!(#argument::#(#rest)::*)
            }
            (rest, Some(bound)) => syn::parse_quote!(<#argument as #bound>::#(#rest)::*),
            (rest, None) => syn::parse_quote!(<#argument>::#(#rest)::*),
        })
    }
}

impl VisitMut for Substitution {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty {
            // What was put in is not looked at again: it may use the same names for other things.
            if let Some(argument) = self.projected(path) {
                *ty = argument;
                return;
            }
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Type(Type::Path(path)) = argument
            && let Some(constant @ GenericArgument::Const(_)) = self.argument(path)
        {
            *argument = constant.clone();
            return;
        }
        syn::visit_mut::visit_generic_argument_mut(self, argument);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Path(path) = expression
            && let Some(name) = path.path.get_ident()
        {
            match self.get(&name.to_string()) {
                Some(GenericArgument::Const(constant)) => *expression = constant.clone(),
                Some(GenericArgument::Type(other)) => *expression = syn::parse_quote!(#other),
                _ => {}
            }
            return;
        }
        syn::visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if let Some(GenericArgument::Lifetime(argument)) = self.get(&lifetime.to_string()) {
            *lifetime = argument.clone();
        }
    }
}
