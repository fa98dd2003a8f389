//! The two sides of a session over our protocol `session`.

/// The two sides of a contender, over the protocol whose names are in scope where the macro is invoked:
/// generated and handwritten protocols share them.
macro_rules! sides {
    () => {
        /// The client's part.
        pub fn say(client: Client<Hello>, value: u64) -> Result<(), Closed> {
            client.hello(value).map_err(Closed::from_any)
        }

        /// The server's part on a thread.
        pub fn hear(server: Server<Hello>) -> Result<u64, Closed> {
            let Hello::Hello(value) = server.recv().map_err(Closed::from_any)?;
            Ok(value)
        }

        /// The server's part in a task.
        pub async fn hear_task(server: Server<Hello>) -> Result<u64, Closed> {
            let Hello::Hello(value) = server.recv_async().await.map_err(Closed::from_any)?;
            Ok(value)
        }
    };
}

pub(super) use sides;
