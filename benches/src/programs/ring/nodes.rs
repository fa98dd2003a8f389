//! The nodes over our protocol `ring`, each step of which returns the endpoint for the next.

/// The nodes of a contender, over the protocol whose names are in scope where the macro is invoked: generated
/// and handwritten protocols share the same loops.
macro_rules! nodes {
    () => {
        /// A node on a thread.
        pub fn node(position: Position, mut right: Client<Num>, mut left: Server<Num>) -> Tally {
            let mut tally = Tally::default();
            for j in 0..position.messages {
                let Ok(sent) = right.num(position.node * j) else { break };
                let Ok(Num::Num(value, next)) = left.recv() else { break };
                tally.note(value, position.left * j);
                (right, left) = (sent, next);
            }
            tally
        }

        /// A node in a task.
        pub async fn task(position: Position, mut right: Client<Num>, mut left: Server<Num>) -> Tally {
            let mut tally = Tally::default();
            for j in 0..position.messages {
                let Ok(sent) = right.num(position.node * j) else { break };
                let Ok(Num::Num(value, next)) = left.recv_async().await else { break };
                tally.note(value, position.left * j);
                (right, left) = (sent, next);
            }
            tally
        }
    };
}

pub(super) use nodes;
