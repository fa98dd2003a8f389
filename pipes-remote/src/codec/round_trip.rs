//! Checks in debug builds that a payload survives: it is decoded and compared after it was encoded.
//!
//! # Why values are compared, and not types
//!
//! `Serialize` says nothing about a type without a value. The index of a variant, and which fields are left
//! out, is known only when a value is written. So every payload is checked, not only the first of each type.
//!
//! # Why variants are compared, and not bytes
//!
//! A `HashMap` that was decoded has another order, and some types write another value each time, such as the
//! time that is left. A type that misreads its variants writes other variants than before, whatever their
//! order: serde's derived indices only grow from the one numbering to the other, so no two can swap.
//!
//! The list of variants that `Deserialize` passes to `deserialize_enum` cannot be used: it contains aliases,
//! so a place in it is not an index.

use postcard::Error;
use serde::de::DeserializeOwned;
use serde::ser::{self, Serialize, Serializer};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks that these bytes, to which a payload was encoded, are decoded as the same payload.
///
/// If the type's own `Deserialize` returns an error or panics, this is left to the receiver, because it may
/// depend on where it runs. But if the payload has variants, such an error may mean that an index does not
/// exist.
///
/// # Errors
///
/// Returns a text that says why it is not the same payload.
pub(super) fn check<T: Serialize + DeserializeOwned>(payload: &T, bytes: &[u8]) -> Result<(), String> {
    let sent = Trace::of(payload);
    if let Some(field) = sent.left_out {
        return Err(format!(
            "the field `{field}` was left out, as by `#[serde(skip_serializing_if)]`, and would be missing where it is read"
        ));
    }
    let Ok(decoded) = catch_unwind(AssertUnwindSafe(|| {
        postcard::take_from_bytes::<T>(bytes).map(|(payload, rest)| (Trace::of(&payload), rest.len()))
    })) else {
        return Ok(());
    };
    match decoded {
        Ok((received, 0)) => sent.compare(&received),
        Ok((_, rest)) => Err(format!("it is decoded as something shorter, which leaves {rest} bytes")),
        Err(Error::SerdeDeCustom) if sent.variants.is_empty() => Ok(()),
        Err(Error::SerdeDeCustom) => Err(format!(
            "it cannot be decoded again, perhaps because of {SKIPPED}; its variants: {}",
            sent.variants.keys().map(Variant::text).collect::<Vec<_>>().join(", ")
        )),
        Err(error) => Err(format!("it cannot be decoded again: {}", explain(error))),
    }
}

const SKIPPED: &str =
    "`#[serde(skip)]` on a variant before, which counts when it is written and not when it is read";

/// Returns a text that says what an error of postcard means for a payload.
pub(super) fn explain(error: Error) -> String {
    match error {
        Error::WontImplement => {
            "it asks what comes next (`deserialize_any`), as `#[serde(untagged)]`, `#[serde(tag)]` and \
             `serde_json::Value` do, and postcard cannot tell"
                .into()
        }
        Error::SerializeSeqLengthUnknown => {
            "a sequence or map does not know its length before it is written, as with `#[serde(flatten)]`"
                .into()
        }
        Error::SerdeDeCustom => "its `Deserialize` refuses these bytes".into(),
        Error::SerdeSerCustom => "its `Serialize` refuses this value".into(),
        other => other.to_string(),
    }
}

/// A variant of an enum, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Variant {
    ty: &'static str,
    index: u32,
    name: &'static str,
}

impl Variant {
    fn text(&self) -> String {
        format!("`{}::{}`", self.ty, self.name)
    }
}

/// What `Serialize` says of a value besides the values in it.
#[derive(Debug, Default)]
struct Trace {
    /// The variants of enums, each with how often it occurs.
    variants: BTreeMap<Variant, usize>,
    /// A field that was left out, if there is one.
    left_out: Option<&'static str>,
}

impl Trace {
    fn of(payload: &impl Serialize) -> Self {
        let mut trace = Trace::default();
        // The payload has been encoded before without an error.
        let _ = payload.serialize(&mut trace);
        trace
    }

    fn variant(&mut self, ty: &'static str, index: u32, name: &'static str) {
        *self.variants.entry(Variant { ty, index, name }).or_default() += 1;
    }

    /// Checks that the other trace has the same variants.
    fn compare(&self, other: &Trace) -> Result<(), String> {
        let more = |one: &Trace, than: &Trace| {
            let mut variants = one.variants.iter();
            variants
                .find(|(variant, count)| than.variants.get(variant).is_none_or(|other| other < count))
                .map(|(variant, _)| variant.text())
        };
        match (more(self, other), more(other, self)) {
            (None, None) => Ok(()),
            (Some(lost), Some(found)) => {
                Err(format!("{lost} is decoded as {found}, perhaps because of {SKIPPED}"))
            }
            (lost, found) => {
                let variant = lost.or(found).unwrap_or_default();
                Err(format!("{variant} is not decoded as what it was, perhaps because of {SKIPPED}"))
            }
        }
    }
}

/// Methods for values without parts.
macro_rules! scalars {
    ($($method:ident: $ty:ty),*) => {$(
        fn $method(self, _: $ty) -> Result<(), Error> {
            Ok(())
        }
    )*};
}

impl Serializer for &mut Trace {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    scalars! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64, serialize_unit_struct: &'static str
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, ty: &'static str, index: u32, name: &'static str) -> Result<(), Error> {
        self.variant(ty, index, name);
        Ok(())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        ty: &'static str,
        index: u32,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.variant(ty, index, name);
        value.serialize(self)
    }

    fn serialize_tuple_variant(
        self,
        ty: &'static str,
        index: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        self.variant(ty, index, name);
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        ty: &'static str,
        index: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        self.variant(ty, index, name);
        Ok(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Implements the traits of compound types. Each part is traced, with or without its name.
macro_rules! parts {
    ($($what:ident: $method:ident($($name:ty)?);)*) => {$(
        impl ser::$what for &mut Trace {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? value: &T) -> Result<(), Error> {
                value.serialize(&mut **self)
            }

            $(fn skip_field(&mut self, field: $name) -> Result<(), Error> {
                self.left_out.get_or_insert(field);
                Ok(())
            })?

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

impl ser::SerializeMap for &mut Trace {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}
