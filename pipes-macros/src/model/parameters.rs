//! Parameters and the arguments that are passed for them.

use super::Mentions;
use crate::text::key;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Expr, GenericArgument, GenericParam, Stmt, Token, Type};

/// A parameter of a protocol or a state: a lifetime, a type or a constant.
#[derive(Clone)]
pub(crate) struct Parameter {
    /// Its declaration, with its bounds.
    pub(crate) declared: GenericParam,
}

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Lifetime,
    /// A type. Types and constants stand in any order after the lifetimes.
    Type,
    Constant,
}

impl Parameter {
    /// `T`, `'a` or `N`.
    pub(crate) fn name(&self) -> String {
        match &self.declared {
            GenericParam::Lifetime(lifetime) => lifetime.lifetime.to_string(),
            GenericParam::Type(ty) => ty.ident.unraw().to_string(),
            GenericParam::Const(value) => value.ident.unraw().to_string(),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match &self.declared {
            GenericParam::Lifetime(_) => Kind::Lifetime,
            GenericParam::Type(_) => Kind::Type,
            GenericParam::Const(_) => Kind::Constant,
        }
    }

    /// Returns the parameter with only those bounds whose mentions `wanted` accepts.
    pub(crate) fn with_bounds(&self, wanted: impl Fn(&Mentions) -> bool) -> Parameter {
        let mut declared = self.declared.clone();
        match &mut declared {
            GenericParam::Lifetime(lifetime) => {
                let bounds = std::mem::take(&mut lifetime.bounds).into_iter();
                lifetime.bounds = bounds.filter(|bound| wanted(&Mentions::of_lifetime(bound))).collect();
            }
            GenericParam::Type(ty) => {
                let bounds = std::mem::take(&mut ty.bounds).into_iter();
                ty.bounds = bounds.filter(|bound| wanted(&Mentions::of_bound(bound))).collect();
            }
            GenericParam::Const(_) => {}
        }
        Parameter { declared }
    }

    /// Adds the bounds of another parameter of the same kind.
    pub(crate) fn add_bounds(&mut self, other: &Parameter) {
        match (&mut self.declared, &other.declared) {
            (GenericParam::Lifetime(own), GenericParam::Lifetime(other)) => {
                add(&mut own.bounds, &other.bounds)
            }
            (GenericParam::Type(own), GenericParam::Type(other)) => add(&mut own.bounds, &other.bounds),
            _ => {}
        }
    }

    /// Returns `true` if this argument's kind fits the parameter.
    pub(crate) fn takes(&self, argument: &GenericArgument) -> bool {
        match argument {
            GenericArgument::Lifetime(_) => self.kind() == Kind::Lifetime,
            // A mere path may name a constant.
            GenericArgument::Type(ty) if matches!(bare(ty), Type::Path(_)) => self.kind() != Kind::Lifetime,
            GenericArgument::Type(_) => self.kind() == Kind::Type,
            GenericArgument::Const(_) => self.kind() == Kind::Constant,
            _ => false,
        }
    }

    /// Returns `true` if this argument is the parameter itself.
    pub(crate) fn is(&self, argument: &GenericArgument) -> bool {
        let is_name = |path: &syn::Path| path.get_ident().is_some_and(|ident| ident.unraw() == self.name());
        match argument {
            GenericArgument::Lifetime(lifetime) => lifetime.to_string() == self.name(),
            GenericArgument::Type(ty) => match bare(ty) {
                Type::Path(path) => path.qself.is_none() && is_name(&path.path),
                _ => false,
            },
            GenericArgument::Const(Expr::Path(path)) => is_name(&path.path),
            // `{ N }`
            GenericArgument::Const(Expr::Block(block)) => match block.block.stmts.as_slice() {
                [Stmt::Expr(Expr::Path(path), None)] => is_name(&path.path),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Returns a type without parentheses and invisible groups around it.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}

/// Adds the bounds that `own` does not have yet.
fn add<B: ToTokens + Clone>(own: &mut Punctuated<B, Token![+]>, other: &Punctuated<B, Token![+]>) {
    for bound in other {
        if own.iter().all(|there| key(there) != key(bound)) {
            own.push(bound.clone());
        }
    }
}

/// Returns the argument that passes a parameter on unchanged.
pub(crate) fn argument_for(parameter: &Parameter) -> GenericArgument {
    match &parameter.declared {
        GenericParam::Lifetime(lifetime) => GenericArgument::Lifetime(lifetime.lifetime.clone()),
        GenericParam::Type(ty) => {
            let ident = &ty.ident;
            GenericArgument::Type(syn::parse_quote!(#ident))
        }
        GenericParam::Const(value) => {
            let ident = &value.ident;
            GenericArgument::Type(syn::parse_quote!(#ident))
        }
    }
}
