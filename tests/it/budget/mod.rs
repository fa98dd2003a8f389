//! A task that receives in a loop gives way to others. What holds for a single receive of every kind of
//! channel is in the table, in the group `budget`.

mod receives;
mod tasks;
mod threads;
