//! The macro that declares protocols.

#[doc = include_str!("../docs/proto.md")]
#[macro_export]
macro_rules! proto {
    ($($protocols:tt)*) => {
        // The procedural macro needs the path of this crate, because the user may have renamed it. It also
        // gets the keyword `unsafe` from here: it puts it before the impls that make a protocol's promises,
        // and the procedural macro itself never writes it.
        $crate::__private::proto! { $crate unsafe {} $($protocols)* }
    };
}
