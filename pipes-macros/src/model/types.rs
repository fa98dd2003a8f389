//! What types mention, and how they are rewritten for another module.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    Expr, GenericArgument, GenericParam, Lifetime, Macro, Path, PathSegment, Type, TypeParamBound,
    WherePredicate, parse_quote,
};

/// The names in a piece of code that could be parameters or items: the first word of each path, and
/// lifetimes.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    names: HashSet<String>,
    /// The names with an associated item: `T` in `T::Item`.
    projected: HashSet<String>,
    /// The names that stand where a value is expected: `N` in `[u8; N]`.
    values: HashSet<String>,
    calls_macro: bool,
}

impl Mentions {
    fn of(visit: impl FnOnce(&mut Mentions)) -> Self {
        let mut mentions = Mentions::default();
        visit(&mut mentions);
        mentions
    }

    /// Returns the names that types mention.
    pub(crate) fn of_types<'a>(types: impl IntoIterator<Item = &'a Type>) -> Self {
        Mentions::of(|mentions| types.into_iter().for_each(|ty| mentions.visit_type(ty)))
    }

    /// Returns the names that arguments mention.
    pub(crate) fn of_arguments<'a>(arguments: impl IntoIterator<Item = &'a GenericArgument>) -> Self {
        Mentions::of(|mentions| {
            arguments.into_iter().for_each(|argument| mentions.visit_generic_argument(argument))
        })
    }

    /// Returns the names that a bound mentions.
    pub(crate) fn of_bound(bound: &TypeParamBound) -> Self {
        Mentions::of(|mentions| mentions.visit_type_param_bound(bound))
    }

    /// Returns the name of a lifetime.
    pub(crate) fn of_lifetime(lifetime: &Lifetime) -> Self {
        Mentions::of(|mentions| mentions.visit_lifetime(lifetime))
    }

    /// Returns the names that the bounds of a parameter mention.
    pub(crate) fn of_bounds(parameter: &GenericParam) -> Self {
        Mentions::of(|mentions| match parameter {
            GenericParam::Lifetime(lifetime) => {
                lifetime.bounds.iter().for_each(|bound| mentions.visit_lifetime(bound))
            }
            GenericParam::Type(ty) => {
                ty.bounds.iter().for_each(|bound| mentions.visit_type_param_bound(bound))
            }
            GenericParam::Const(value) => mentions.visit_type(&value.ty),
        })
    }

    /// Returns the names that a predicate mentions.
    pub(crate) fn of_predicate(predicate: &WherePredicate) -> Self {
        Mentions::of(|mentions| mentions.visit_where_predicate(predicate))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns `true` if this name is used with an associated item, as in `T::Item`.
    pub(crate) fn projects(&self, name: &str) -> bool {
        self.projected.contains(name)
    }

    /// Returns `true` if there is a macro call, which need not expand to the same type each time.
    pub(crate) fn calls_macro(&self) -> bool {
        self.calls_macro
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Returns the names that stand where a value is expected.
    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(String::as_str)
    }

    /// Adds all identifiers inside a macro call, because each could be a name or a lifetime.
    fn add_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.names.insert(ident.unraw().to_string());
                    // It is a lifetime if an apostrophe precedes it.
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
            self.names.insert(first.ident.unraw().to_string());
            if path.segments.len() > 1 {
                self.projected.insert(first.ident.unraw().to_string());
            }
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.names.insert(lifetime.to_string());
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        if let Type::Verbatim(tokens) = ty {
            self.calls_macro = true;
            self.add_tokens(tokens.clone());
        }
        syn::visit::visit_type(self, ty);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Verbatim(tokens) => {
                self.calls_macro = true;
                self.add_tokens(tokens.clone());
            }
            Expr::Path(value) => {
                self.values.extend(value.path.get_ident().map(|name| name.unraw().to_string()));
            }
            _ => {}
        }
        syn::visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.calls_macro = true;
        self.add_tokens(call.tokens.clone());
    }
}

/// Rewrites paths for use some modules further in: `self::T` becomes `super::T`, `super::T` becomes
/// `super::super::T`.
pub(crate) struct Inward {
    /// The number of modules.
    pub(crate) levels: usize,
}

impl VisitMut for Inward {
    // What a macro by example passes on is an invisible group, which the compiler ignores in the output of a
    // procedural macro: `$e * 2` with `1 + 1` for `$e` would become `1 + 1 * 2`. So the group gets
    // parentheses.
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        syn::visit_mut::visit_expr_mut(self, expression);
        if let Expr::Group(group) = expression {
            let inside = &group.expr;
            *expression = parse_quote!((#inside));
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        syn::visit_mut::visit_type_mut(self, ty);
        if let Type::Group(group) = ty {
            let inside = &group.elem;
            *ty = parse_quote!((#inside));
        }
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        if let GenericArgument::Const(Expr::Group(group)) = argument {
            let inside = &group.expr;
            *argument = GenericArgument::Const(parse_quote!({ #inside }));
        }
        syn::visit_mut::visit_generic_argument_mut(self, argument);
    }

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

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        syn::visit_mut::visit_macro_mut(self, call);
        call.tokens = self.tokens(std::mem::take(&mut call.tokens));
    }
}

impl Inward {
    /// Rewrites the paths among tokens of unknown meaning.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut written = TokenStream::new();
        let mut inside_path = false;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let is_colon =
                |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
            let begins_path = !inside_path && tokens.peek().is_some_and(is_colon);
            inside_path = is_colon(&token);
            match token {
                TokenTree::Ident(ident) if begins_path && (ident == "self" || ident == "super") => {
                    let levels = self.levels + usize::from(ident == "super");
                    let outward = syn::token::Super { span: ident.span() };
                    let outward = std::iter::repeat_n(outward, levels);
                    written.extend(quote::quote!(#(#outward)::*));
                }
                TokenTree::Group(group) => {
                    let mut inside = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inside.set_span(group.span());
                    written.extend([TokenTree::Group(inside)]);
                }
                token => written.extend([token]),
            }
        }
        written
    }
}
