//! The macro that protocols are written with.

#[doc = include_str!("../docs/proto.md")]
#[macro_export]
macro_rules! proto {
    ($($protocols:tt)*) => {
        // The compiler of protocols is told the way back here, whatever name this crate goes by where it is used.
        $crate::__private::proto! { $crate $($protocols)* }
    };
}
