//! A message of another state: the error names both states.

use pipes_tests::bank::Server;
use pipes_tests::bank::Account;

fn serve(server: Server<Account<u64>>) {
    let _ = server.money(5);
}

fn main() {
    serve(pipes_tests::bank::pipe().1);
}
