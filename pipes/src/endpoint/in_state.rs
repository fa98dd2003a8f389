//! Which state an endpoint is in, as a value.

use crate::state_info::StateInfo;
use std::fmt::{Debug, Display};
use std::hash::Hash;

/// An endpoint of a protocol that says which state it is in.
///
/// The endpoints of all protocols implement it, in all states: `Client` and `Server`, `AnyClient` and
/// `AnyServer`, `ReceivingClient` and `ReceivingServer`.
///
/// The types of endpoints in any state have the method themselves. The methods of a `Client` or a `Server`
/// are the protocol's messages, so there the method comes from this trait: `use pipes::InState`. If a message
/// is called `state` too, the method sends the message; call `InState::state(&client)` to get the state.
///
/// ```
/// # #[cfg(feature = "proto")] {
/// use pipes::InState;
///
/// pipes::proto! {
///     shop {
///         order: send { order(u32) -> packing, leave -> ! }
///         packing: recv { parcel -> order }
///     }
/// }
///
/// fn log(endpoint: &impl InState) -> String {
///     format!("now in `{}`", endpoint.state())
/// }
///
/// let (client, server) = shop::pipe();
/// assert_eq!(client.state(), shop::ClientState::Order);
/// let client = client.order(7)?;
/// assert_eq!(log(&client), "now in `packing`");
/// assert_eq!(shop::AnyServer::from(server).state(), shop::ServerState::Order);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait InState {
    /// The protocol's `ClientState` or `ServerState`: an enum that has a variant for each state. It prints
    /// the name of the state, and converts into its description.
    type State: Copy + Debug + Display + Eq + Hash + Into<&'static StateInfo>;

    /// The only state that an endpoint of this type can be in; `None` if there may be others.
    #[doc(hidden)]
    const STATE: Option<&'static StateInfo> = None;

    /// Returns the state.
    fn state(&self) -> Self::State;
}
