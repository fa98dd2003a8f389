//! 28 — Metrics: what each stage does, and which one holds the others up.
//!
//! You will see: the items that each stage has worked on, the bottleneck, and that more workers remove it.
//! New here: `Metrics`, a report, `bottleneck`. Before: 27_batching. Next: a pipeline of your own.
//!
//!     cargo run --example 28_metrics

use pipes::skeleton::{Failure, Metrics, Report, from_iter};
use std::thread::sleep;
use std::time::Duration;

fn main() -> Result<(), Failure> {
    // One baker, who takes three times as long as the one who serves.
    let alone = bakery(1)?;
    for stage in alone.stages() {
        println!("{}: {} items, {} at work", stage.name(), stage.items(), stage.replicas().len());
    }
    println!("the bottleneck: {}", alone.bottleneck().map_or("none", |stage| stage.name()));

    // Four bakers are faster than one who serves. Times differ from run to run; which stage needs the longest for all items, with the
    // replicas that it has, does not.
    let four = bakery(4)?;
    println!("with four bakers: {}", four.bottleneck().map_or("none", |stage| stage.name()));
    println!("that is faster: {}", four.latency().quantile(0.5) < alone.latency().quantile(0.5));

    // Printed as it is, a report is a picture of the pipeline, with times: see it with any word behind the command's name.
    if std::env::args().nth(1).is_some() {
        println!("{four}");
    }
    Ok(())
}

/// Bakes and serves thirty loaves with this many bakers. The figures could be read at any time in between, too.
fn bakery(bakers: usize) -> Result<Report, Failure> {
    let metrics = Metrics::new();
    from_iter(1..=30)
        .named("dough")
        .parallel(bakers, |loaf: u32| {
            sleep(Duration::from_millis(6));
            loaf
        })
        .named("oven")
        .sequential(|loaf| {
            sleep(Duration::from_millis(2));
            loaf
        })
        .named("counter")
        .measured(&metrics)
        .for_each(drop)?;
    Ok(metrics.report())
}
