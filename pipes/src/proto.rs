//! The macro that protocols are written with.

#[doc = include_str!("../docs/proto.md")]
#[macro_export]
macro_rules! proto {
    ($($protocols:tt)*) => {
        // The compiler of protocols gets the way back here, whatever name this crate goes by where it is
        // used; and the word that it puts before what a protocol promises, which is never written by the
        // compiler itself.
        $crate::__private::proto! { $crate unsafe {} $($protocols)* }
    };
}
