//! What could leave a thread or a task waiting for ever.

mod abandoned_streams;
mod batch_age;
mod churn;
mod crowds;
mod executor;
mod far_deadlines;
mod leaving;
mod owed;
mod own_stages;
mod pairs;
mod pipeline_ends;
mod promises;
mod services;
mod stage_drops;
mod thread_ends;
mod turns;
mod wakers_that_block;
