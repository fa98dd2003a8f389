//! Sets, selections, shared ports and services whose receivers wait. What they wait for must wake them,
//! whatever else happens meanwhile.

mod ends_handed_over;
mod offers;
mod random_tasks;
mod receivers_by_hand;
mod selections;
mod services;
mod sets;
mod shared_ports;
mod unread_messages;
