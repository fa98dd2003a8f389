//! What the receiver has received from each endpoint.

use super::Select;
use pipes_benches::harness::Tally;

/// A tally for each endpoint.
#[derive(Debug)]
pub struct Heard(pub Vec<Tally>);

impl Heard {
    /// No messages yet.
    pub fn new(select: &Select) -> Heard {
        Heard(vec![Tally::default(); select.endpoints as usize])
    }

    /// Records a value, and the endpoint that the set reports for it.
    #[inline]
    pub fn note(&mut self, endpoint: usize, value: u64) {
        // If the set reports a wrong endpoint, the verification finds the value missing elsewhere.
        if let Some(tally) = self.0.get_mut(endpoint) {
            tally.note_multiple(value, endpoint as u64 + 1);
        }
    }
}
