//! The shapes of payloads, which `#[remote(schema)]` compares.
//!
//! A type that contains itself has no shape, so it cannot be a payload:
//!
//! ```compile_fail
//! #[derive(serde::Serialize, serde::Deserialize, postcard_schema::Schema)]
//! pub struct Tree(Vec<Tree>);
//!
//! assert!(!<Tree as postcard_schema::Schema>::SCHEMA.name.is_empty());
//! ```
//!
//! Without the recursion, it has one:
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize, postcard_schema::Schema)]
//! pub struct Tree(Vec<u8>);
//!
//! assert!(!<Tree as postcard_schema::Schema>::SCHEMA.name.is_empty());
//! ```

use crate::codec::Postcard;
use pipes::remote::Describes;
use postcard_schema::Schema;
use postcard_schema::schema::owned::OwnedNamedType;
use postcard_schema::schema::{DataModelType, DataModelVariant, NamedType, NamedValue};

#[diagnostic::do_not_recommend]
impl<T: Schema> Describes<T> for Postcard {
    fn shape(&self) -> u128 {
        const {
            assert!(
                !has_weightless_elements(T::SCHEMA),
                "a payload of this protocol has a collection whose elements take no bytes: a stranger could announce any \
                 number of them; send their number"
            );
        }
        let schema: OwnedNamedType = T::SCHEMA.into();
        let text = postcard::to_stdvec(&schema).unwrap_or_default();
        let words = text.chunks(16).map(|chunk| {
            let mut word = [0; 16];
            word[..chunk.len()].copy_from_slice(chunk);
            u128::from_be_bytes(word)
        });
        words.fold(text.len() as u128, pipes::remote::combine)
    }
}

/// Returns `true` if this type contains a collection whose elements take no bytes.
const fn has_weightless_elements(shape: &NamedType) -> bool {
    match shape.ty {
        DataModelType::Seq(element) => is_weightless(element) || has_weightless_elements(element),
        DataModelType::Map { key, val } => {
            is_weightless(key) && is_weightless(val)
                || has_weightless_elements(key)
                || has_weightless_elements(val)
        }
        DataModelType::Option(inner) | DataModelType::NewtypeStruct(inner) => has_weightless_elements(inner),
        DataModelType::Tuple(types) | DataModelType::TupleStruct(types) => any_has(types),
        DataModelType::Struct(fields) => any_field_has(fields),
        DataModelType::Enum(variants) => {
            let mut at = 0;
            while at < variants.len() {
                let has = match variants[at].ty {
                    DataModelVariant::UnitVariant => false,
                    DataModelVariant::NewtypeVariant(inner) => has_weightless_elements(inner),
                    DataModelVariant::TupleVariant(types) => any_has(types),
                    DataModelVariant::StructVariant(fields) => any_field_has(fields),
                };
                if has {
                    return true;
                }
                at += 1;
            }
            false
        }
        _ => false,
    }
}

const fn any_has(types: &[&NamedType]) -> bool {
    let mut at = 0;
    while at < types.len() {
        if has_weightless_elements(types[at]) {
            return true;
        }
        at += 1;
    }
    false
}

const fn any_field_has(fields: &[&NamedValue]) -> bool {
    let mut at = 0;
    while at < fields.len() {
        if has_weightless_elements(fields[at].ty) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns `true` if a value of this type takes no bytes.
const fn is_weightless(shape: &NamedType) -> bool {
    match shape.ty {
        DataModelType::Unit | DataModelType::UnitStruct => true,
        DataModelType::NewtypeStruct(inner) => is_weightless(inner),
        DataModelType::Tuple(types) | DataModelType::TupleStruct(types) => {
            let mut at = 0;
            while at < types.len() && is_weightless(types[at]) {
                at += 1;
            }
            at == types.len()
        }
        DataModelType::Struct(fields) => {
            let mut at = 0;
            while at < fields.len() && is_weightless(fields[at].ty) {
                at += 1;
            }
            at == fields.len()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, HashMap};

    fn has<T: Schema>() -> bool {
        has_weightless_elements(T::SCHEMA)
    }

    #[derive(Schema)]
    struct Nothing;

    #[derive(Schema)]
    struct Pair {
        _nothing: Nothing,
        _units: ((), [(); 3]),
    }

    #[derive(Schema)]
    enum Report {
        _Short,
        _Long(u8, Option<Vec<Pair>>),
    }

    #[derive(Schema)]
    enum Fine {
        _Units((), Nothing),
        _Named { units: BTreeMap<(), u8>, maybe: Vec<Option<()>>, words: Vec<String> },
    }

    #[test]
    fn elements_without_bytes_are_found_wherever_they_are() {
        assert!(has::<Vec<()>>() && has::<Vec<Pair>>() && has::<(u8, Vec<Nothing>)>());
        assert!(has::<Report>() && has::<Option<Report>>() && has::<Vec<Report>>());
        assert!(has::<BTreeMap<Nothing, ()>>() && has::<HashMap<u8, Vec<[(); 2]>>>());
        assert!(!has::<Fine>() && !has::<Pair>() && !has::<Vec<Vec<Fine>>>() && !has::<()>());
    }
}
