//! The functions that all protocols with `#[remote]` share.

/// Declares `connect` and `listen`, with and without links, for threads and for tasks.
#[doc(hidden)]
#[macro_export]
macro_rules! __remote {
    ($(#[$lint:meta])* protocol $protocol:ty, client $client:ty, server $server:ty, [$($generics:tt)*], where [$($bounds:tt)*]) => {
        /// Begins a session with another program. Waits until the other program has accepted or refused the
        /// session, or until the time for that is over.
        ///
        /// Blocks the thread; in a task, use [`connect_async`] instead.
        ///
        /// # Errors
        ///
        /// The other program cannot be reached, or refuses the session.
        $(#[$lint])*
        pub fn connect<$($generics)* __Via: $crate::remote::Dial<$protocol> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> ::core::result::Result<$client, __Via::Error>
        where
            $($bounds)*
        {
            via.dial().map(|(client, _)| client)
        }

        /// Begins a session with another program, like [`connect`]. Also returns a link, which knows why the
        /// session ends.
        ///
        /// Blocks the thread; in a task, use [`connect_with_link_async`] instead.
        ///
        /// # Errors
        ///
        /// The other program cannot be reached, or refuses the session.
        $(#[$lint])*
        pub fn connect_with_link<$($generics)* __Via: $crate::remote::Dial<$protocol> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> ::core::result::Result<($client, $crate::remote::Link), __Via::Error>
        where
            $($bounds)*
        {
            via.dial()
        }

        /// Begins a session with another program, in a task.
        ///
        /// # Errors
        ///
        /// The other program cannot be reached, or refuses the session.
        $(#[$lint])*
        pub async fn connect_async<$($generics)* __Via: $crate::remote::Dial<$protocol> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> ::core::result::Result<$client, __Via::Error>
        where
            $($bounds)*
        {
            via.dial_async().await.map(|(client, _)| client)
        }

        /// Begins a session with another program, in a task. Also returns a link, which knows why the session
        /// ends.
        ///
        /// # Errors
        ///
        /// The other program cannot be reached, or refuses the session.
        $(#[$lint])*
        pub async fn connect_with_link_async<
            $($generics)* __Via: $crate::remote::Dial<$protocol> + ?::core::marker::Sized
        >(
            via: &__Via,
        ) -> ::core::result::Result<($client, $crate::remote::Link), __Via::Error>
        where
            $($bounds)*
        {
            via.dial_async().await
        }

        /// Accepts sessions from other programs. Waits until the address is bound.
        ///
        /// Blocks the thread; in a task, use [`listen_async`] instead.
        ///
        /// # Errors
        ///
        /// The address cannot be bound.
        $(#[$lint])*
        pub fn listen<$($generics)* __Via: $crate::remote::Serve<$protocol, $server> + ?::core::marker::Sized>(
            via: &__Via,
        ) -> ::core::result::Result<$crate::Listener<$protocol>, __Via::Error>
        where
            $($bounds)*
        {
            via.serve(|server, _| server)
        }

        /// Accepts sessions from other programs, like [`listen`]. Each session comes with a link, which knows
        /// the peer, and why the session ends.
        ///
        /// Blocks the thread; in a task, use [`listen_with_links_async`] instead.
        ///
        /// # Errors
        ///
        /// The address cannot be bound.
        $(#[$lint])*
        pub fn listen_with_links<
            $($generics)* __Via: $crate::remote::Serve<$protocol, ($server, $crate::remote::Link)> + ?::core::marker::Sized
        >(
            via: &__Via,
        ) -> ::core::result::Result<$crate::Listener<$protocol, ($server, $crate::remote::Link)>, __Via::Error>
        where
            $($bounds)*
        {
            via.serve(|server, link| (server, link))
        }

        /// Accepts sessions from other programs, in a task.
        ///
        /// # Errors
        ///
        /// The address cannot be bound.
        $(#[$lint])*
        pub async fn listen_async<
            $($generics)* __Via: $crate::remote::Serve<$protocol, $server> + ?::core::marker::Sized
        >(
            via: &__Via,
        ) -> ::core::result::Result<$crate::Listener<$protocol>, __Via::Error>
        where
            $($bounds)*
        {
            via.serve_async(|server, _| server).await
        }

        /// Accepts sessions from other programs, in a task. Each session comes with a link, which knows the
        /// peer, and why the session ends.
        ///
        /// # Errors
        ///
        /// The address cannot be bound.
        $(#[$lint])*
        pub async fn listen_with_links_async<
            $($generics)* __Via: $crate::remote::Serve<$protocol, ($server, $crate::remote::Link)> + ?::core::marker::Sized
        >(
            via: &__Via,
        ) -> ::core::result::Result<$crate::Listener<$protocol, ($server, $crate::remote::Link)>, __Via::Error>
        where
            $($bounds)*
        {
            via.serve_async(|server, link| (server, link)).await
        }
    };
}
