//! 28 — Metrics: what each stage does, and which one delays the others.
//!
//! You will see: the number of items of each stage, the bottleneck, and that more workers remove it.
//! New here: `Metrics`, a report, `bottleneck`. Before: 27_batching. Next: 29_bank_apart.
//!
//!     cargo run --example 28_metrics

use pipes_skeleton::{Failure, Metrics, Report, from_iter};
use std::thread::sleep;
use std::time::Duration;

fn main() -> Result<(), Failure> {
    // One baker, who needs three times as long for a loaf as the counter.
    let alone = bakery(1)?;
    for stage in alone.stages() {
        println!("{}: {} items, {} at work", stage.name(), stage.items(), stage.replicas().len());
    }
    println!("the bottleneck: {}", alone.bottleneck().map_or("none", |stage| stage.name()));

    // Four bakers together are faster than the counter. Times differ from run to run, but the bottleneck does
    // not: the stage that with all its replicas needs the longest for all items.
    let four = bakery(4)?;
    println!("with four bakers: {}", four.bottleneck().map_or("none", |stage| stage.name()));
    println!("that is faster: {}", four.latency().quantile(0.5) < alone.latency().quantile(0.5));

    // A printed report shows the pipeline with its times. To see it, run this program with any argument.
    if std::env::args().nth(1).is_some() {
        println!("{four}");
    }
    Ok(())
}

/// Bakes and serves thirty loaves with `bakers` bakers. The metrics could also be read at any time during the
/// run.
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
