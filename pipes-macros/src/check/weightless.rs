//! Collections that announce any length in a few bytes.
//!
//! `Vec<()>` is sent as its length alone. Ten bytes of a stranger ask for 2⁶⁴ elements, and the program that
//! reads them is busy for ever. This sees such types where they are written in the protocol; an alias, or a
//! struct without fields, hides them.
//!
//! # Establishes
//!
//! No payload of a `#[remote]` protocol is written with a collection whose elements take no bytes.
//!
//! # Errors
//!
//! `RemoteWeightless`

use crate::diag::{Problem, Problems};
use crate::model::Protocol;
use crate::text::code;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, GenericArgument, Lit, PathArguments, PathSegment, Type, TypePath, TypeSlice};

/// The collections that are sent as a length and elements, and how many types make an element.
const COLLECTIONS: [(&str, usize); 8] = [
    ("Vec", 1),
    ("VecDeque", 1),
    ("LinkedList", 1),
    ("BinaryHeap", 1),
    ("BTreeSet", 1),
    ("HashSet", 1),
    ("BTreeMap", 2),
    ("HashMap", 2),
];

/// The types that are sent as what they contain.
const WRAPPERS: [&str; 5] = ["Box", "Rc", "Arc", "Cell", "RefCell"];

pub(super) fn check(protocol: &Protocol, problems: &mut Problems) {
    if protocol.attributes.remote.is_none() {
        return;
    }
    for (_, message) in protocol.messages() {
        message.fields.iter().for_each(|field| Search(&mut *problems).visit_type(&field.ty));
    }
}

/// Looks into a type, and reports what it finds.
struct Search<'a>(&'a mut Problems);

impl Search<'_> {
    fn report(&mut self, ty: &impl ToTokens) {
        let collection = code(ty.to_token_stream());
        self.0.report(ty, Problem::RemoteWeightless { collection });
    }
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_type_path(&mut self, ty: &'ast TypePath) {
        if let Some(segment) = ty.path.segments.last()
            && let Some((_, needed)) = COLLECTIONS.iter().find(|(name, _)| segment.ident == name)
            && let elements = arguments(segment).take(*needed).collect::<Vec<_>>()
            && elements.len() == *needed
            && elements.into_iter().all(is_weightless)
        {
            self.report(ty);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_type_slice(&mut self, slice: &'ast TypeSlice) {
        if is_weightless(&slice.elem) {
            self.report(slice);
        }
        visit::visit_type_slice(self, slice);
    }
}

/// Returns the types that a part of a path has as arguments.
fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(generic) => Some(generic.args.iter()),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// Returns `true` if a value of this type is sent as no bytes at all.
fn is_weightless(ty: &Type) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.iter().all(is_weightless),
        Type::Array(array) => is_zero(&array.len) || is_weightless(&array.elem),
        Type::Paren(inner) => is_weightless(&inner.elem),
        Type::Group(inner) => is_weightless(&inner.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|segment| {
            let wraps = WRAPPERS.iter().any(|name| segment.ident == name);
            segment.ident == "PhantomData" || wraps && arguments(segment).all(is_weightless)
        }),
        _ => false,
    }
}

fn is_zero(length: &Expr) -> bool {
    let Expr::Lit(literal) = length else { return false };
    matches!(&literal.lit, Lit::Int(number) if number.base10_digits() == "0")
}
