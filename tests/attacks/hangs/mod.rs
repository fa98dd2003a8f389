//! What could leave a thread or a task waiting for ever.

mod abandoned_streams;
mod batch_age;
mod churn;
mod crowds;
mod executor;
mod far_deadlines;
mod flush;
mod kept_places;
mod leaving;
mod line;
mod owed;
mod own_stages;
mod paced_places;
mod pairs;
mod pipeline_ends;
mod promises;
mod said_first;
mod second_panic;
mod services;
mod stage_drops;
mod thread_ends;
mod turns;
mod unsent;
mod waits;
mod wakers_that_block;
