//! Types: what they mention, what they become.

use super::{Inward, Mentions, Parameter, Substitution};
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
fn arguments_stand_for_parameters() {
    let argument = |text: &str| syn::parse_str::<GenericArgument>(text).expect("it is an argument");
    let parameter = |text: &str| Parameter { declared: syn::parse_str(text).expect("it is a parameter") };
    let with = |pairs: &[(&str, &str)], inside: &str| {
        let parameters: Vec<Parameter> = pairs.iter().map(|(declared, _)| parameter(declared)).collect();
        let arguments: Vec<GenericArgument> = pairs.iter().map(|(_, value)| argument(value)).collect();
        let put_in = Substitution::new(&parameters, &arguments).in_argument(&argument(inside));
        put_in.to_token_stream().to_string().replace(' ', "")
    };
    assert_eq!(with(&[("T", "u8")], "Vec<(T, a::T)>"), "Vec<(u8,a::T)>");
    assert_eq!(with(&[("T", "U"), ("U", "T")], "(T, U)"), "(U,T)");
    assert_eq!(with(&[("T", "Vec<T>")], "Option<T>"), "Option<Vec<T>>");
    assert_eq!(with(&[("'a", "'static")], "&'a str"), "&'staticstr");
    assert_eq!(with(&[("const N: usize", "3")], "[u8; N]"), "[u8;3]");
    assert_eq!(with(&[("const N: usize", "3")], "Grid<N>"), "Grid<3>");
    assert_eq!(with(&[("const N: usize", "M")], "[u8; N]"), "[u8;M]");
    assert_eq!(with(&[("T: A + B", "Vec<T>")], "T::Item<T>"), "<Vec<T>>::Item<Vec<T>>");
    assert_eq!(with(&[("T: a::A + 'static", "u8")], "T::Item"), "<u8asa::A>::Item");
    assert_eq!(with(&[("T: A", "T")], "Vec<T::Item>"), "Vec<T::Item>");
    assert_eq!(with(&[("T", "Vec<T>")], "<T as A>::B"), "<Vec<T>asA>::B");
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
}
