//! Tests of what types mention, and of how they are rewritten.

use super::{Inward, Mentions, Parameter};
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, Type};

fn ty(text: &str) -> Type {
    syn::parse_str(text).expect("it is a type")
}

fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "")
}

#[test]
fn mentions_are_first_words_and_lifetimes() {
    let of = |text: &str| {
        let mentions = Mentions::of_types([&ty(text)]);
        let mut names: Vec<String> = mentions.names().map(String::from).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(of("&'a mut [T; N]"), "'a N T");
    assert_eq!(of("a::T<U>"), "U a");
    assert_eq!(of("::a::T"), "");
    assert_eq!(of("<T as Iterator>::Item"), "Iterator T");
    assert_eq!(of("Box<dyn Fn(T) -> U + Send>"), "Box Fn Send T U");
    assert_eq!(of("my_type!(T, 'a)"), "'T 'a T a");
}

#[test]
fn a_parameter_passed_on_is_the_parameter() {
    let is = |declared: &str, argument: &str| {
        let parameter = Parameter { declared: syn::parse_str(declared).expect("it is a parameter") };
        parameter.is(&syn::parse_str::<GenericArgument>(argument).expect("it is an argument"))
    };
    assert!(
        is("T: Send", "T")
            && is("T", "(T)")
            && is("r#T", "T")
            && is("const N: usize", "{ N }")
            && is("'a", "'a")
    );
    assert!(
        !is("T", "Vec<T>") && !is("T", "a::T") && !is("const N: usize", "{ N + 1 }") && !is("'a", "'static")
    );
}

#[test]
fn paths_keep_their_meaning_further_in() {
    let inward = |levels, inside: &str| {
        let mut ty = ty(inside);
        Inward { levels }.visit_type_mut(&mut ty);
        text(&ty)
    };
    assert_eq!(inward(1, "Vec<self::T>"), "Vec<super::T>");
    assert_eq!(inward(2, "super::a::T<self::U>"), "super::super::super::a::T<super::super::U>");
    assert_eq!(inward(1, "(crate::T, T, ::a::T)"), "(crate::T,T,::a::T)");
    assert_eq!(inward(1, "m!(super::T, (self::U), a::self::V)"), "m!(super::super::T,(super::U),a::self::V)");
}
