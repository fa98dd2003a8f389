//! Which endpoint each message goes to, and what it carries.

use super::Select;

/// The messages of a run, as pairs of an endpoint and a value: the next multiple of the endpoint's number
/// plus one.
#[derive(Debug)]
pub struct Chosen {
    state: u64,
    left: u64,
    next: Vec<u64>,
}

impl Chosen {
    /// The messages that these options request.
    pub fn new(select: &Select) -> Chosen {
        Chosen { state: 0, left: select.messages, next: vec![0; select.endpoints as usize] }
    }
}

impl Iterator for Chosen {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        self.left = self.left.checked_sub(1)?;
        // A linear congruential generator. The upper half of its state is random enough to spread the
        // endpoints.
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let endpoint = (((self.state >> 32) * self.next.len() as u64) >> 32) as usize;
        let next = &mut self.next[endpoint];
        let value = *next;
        *next += endpoint as u64 + 1;
        Some((endpoint, value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Arrival;
    use super::*;

    #[test]
    fn every_endpoint_is_chosen_about_as_often() {
        let select = Select { endpoints: 7, idle: 0, messages: 70_000, arrival: Arrival::Ready };
        let mut counts = [0_u64; 7];
        for (endpoint, value) in Chosen::new(&select) {
            assert_eq!(value, (endpoint as u64 + 1) * counts[endpoint]);
            counts[endpoint] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
