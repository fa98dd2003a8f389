//! How different two pictures are: the earth mover's distance of their regions (Rubner, Tomasi and Guibas,
//! "The Earth Mover's Distance as a Metric for Image Retrieval", 2000).
//!
//! It is the least cost of moving the weights of one picture to those of the other, where the cost of moving
//! a weight is how far apart the features of two regions are. So it is a transportation problem. It is solved
//! exactly, in integers, by successive shortest paths with potentials, for which Edmonds and Karp (1972) is
//! the reference.

use super::regions::{Region, WHOLE};
use super::segments::MOST;

/// Distances of regions are counted in this part of one.
const FINE: f32 = 65536.0;

/// What it costs to move a unit, from each row to each column.
type Costs = [[i32; MOST]; MOST];

/// The distance of two pictures, as a whole number: it can be compared with others.
pub fn distance(one: &[Region], other: &[Region]) -> u64 {
    let mut costs = [[0; MOST]; MOST];
    for (row, one) in costs.iter_mut().zip(one) {
        for (cost, other) in row.iter_mut().zip(other) {
            let squares = one.features.iter().zip(other.features).map(|(one, other)| (one - other).powi(2));
            *cost = (FINE * squares.sum::<f32>().sqrt()) as i32;
        }
    }
    let weights = |regions: &[Region]| {
        let mut weights = [0; MOST];
        weights.iter_mut().zip(regions).for_each(|(weight, region)| *weight = region.weight);
        weights
    };
    least_cost(weights(one), weights(other), [one.len(), other.len()], &costs)
}

/// A distance in the scale of the features, for people.
pub fn in_units(distance: u64) -> f64 {
    distance as f64 / (f64::from(WHOLE) * f64::from(FINE))
}

/// The least cost of moving all supply to where there is demand. Both have the same sum. Only the
/// first `rows` of the supply and the first `columns` of the demand are used.
fn least_cost(supply: [u32; MOST], demand: [u32; MOST], [rows, columns]: [usize; 2], costs: &Costs) -> u64 {
    let mut plan = Plan {
        supply,
        demand,
        rows,
        columns,
        costs,
        moved: [[0; MOST]; MOST],
        of_rows: [0; MOST],
        of_columns: [0; MOST],
    };
    for row in 0..rows {
        while plan.supply[row] > 0 {
            plan.send(row);
        }
    }
    let moved = plan.moved.iter().zip(costs).take(rows);
    moved
        .flat_map(|(moved, costs)| moved.iter().zip(costs))
        .map(|(units, cost)| u64::from(*units) * *cost as u64)
        .sum()
}

/// What is moved so far, at the least cost for as much.
struct Plan<'c> {
    /// What is left.
    supply: [u32; MOST],
    demand: [u32; MOST],
    rows: usize,
    columns: usize,
    costs: &'c Costs,
    /// The units from each row to each column.
    moved: [[u32; MOST]; MOST],
    /// Potentials: without those of its row and of its column, no cost is negative, and where units are moved
    /// it is zero.
    of_rows: [i32; MOST],
    of_columns: [i32; MOST],
}

impl Plan<'_> {
    /// Moves units of a row to the column with demand to which that costs least. On the way, units that other
    /// rows have sent to a column may be sent elsewhere instead.
    fn send(&mut self, start: usize) {
        const NONE: usize = MOST;
        const FAR: i32 = i32::MAX;
        // The shortest paths from `start` (Dijkstra). A row is reached by a column that it sends to.
        let (mut to_row, mut column_of) = ([FAR; MOST], [NONE; MOST]);
        let (mut to_column, mut row_of) = ([FAR; MOST], [NONE; MOST]);
        let mut is_done = [false; MOST];
        to_row[start] = 0;
        let mut new_rows = [start; MOST];
        let mut new = 1;
        let (end, length) = loop {
            for row in &new_rows[..new] {
                for column in (0..self.columns).filter(|column| !is_done[*column]) {
                    let cost = self.costs[*row][column] - self.of_rows[*row] - self.of_columns[column];
                    if to_row[*row] + cost < to_column[column] {
                        (to_column[column], row_of[column]) = (to_row[*row] + cost, *row);
                    }
                }
            }
            let open = (0..self.columns).filter(|column| !is_done[*column]);
            // There is one, because there is as much demand as supply.
            let nearest = open.min_by_key(|column| to_column[*column]).unwrap_or_default();
            is_done[nearest] = true;
            if self.demand[nearest] > 0 {
                break (nearest, to_column[nearest]);
            }
            new = 0;
            for row in 0..self.rows {
                if self.moved[row][nearest] > 0 && to_row[row] == FAR {
                    (to_row[row], column_of[row]) = (to_column[nearest], nearest);
                    new_rows[new] = row;
                    new += 1;
                }
            }
        };
        for row in (0..self.rows).filter(|row| to_row[*row] != FAR) {
            self.of_rows[row] += length - to_row[row];
        }
        for column in (0..self.columns).filter(|column| is_done[*column]) {
            self.of_columns[column] -= length - to_column[column];
        }
        // As many units as the path allows, and then they are moved along it.
        let back = |row: usize| (column_of[row] != NONE).then_some((row, column_of[row]));
        let mut units = self.supply[start].min(self.demand[end]);
        let mut at = back(row_of[end]);
        while let Some((row, column)) = at {
            units = units.min(self.moved[row][column]);
            at = back(row_of[column]);
        }
        let mut column = end;
        loop {
            let row = row_of[column];
            self.moved[row][column] += units;
            let Some((_, before)) = back(row) else { break };
            self.moved[row][before] -= units;
            column = before;
        }
        self.supply[start] -= units;
        self.demand[end] -= units;
    }
}

#[cfg(test)]
mod tests {
    use super::super::regions::FEATURES;
    use super::*;
    use crate::chance::Chance;

    /// Fills an array.
    fn full<T: Copy + Default>(items: &[T]) -> [T; MOST] {
        std::array::from_fn(|at| items.get(at).copied().unwrap_or_default())
    }

    fn solved(supply: &[u32], demand: &[u32], costs: &[&[i32]]) -> u64 {
        let rows: Vec<_> = costs.iter().map(|row| full(row)).collect();
        least_cost(full(supply), full(demand), [supply.len(), demand.len()], &full(&rows))
    }

    /// The least cost over all plans: each unit of the first row that has some goes to each column in turn.
    fn by_trying_all(supply: &mut [u32], demand: &mut [u32], costs: &[Vec<i32>]) -> u64 {
        let Some(row) = supply.iter().position(|units| *units > 0) else { return 0 };
        supply[row] -= 1;
        let mut least = u64::MAX;
        for column in 0..demand.len() {
            if demand[column] > 0 {
                demand[column] -= 1;
                let cost = costs[row][column] as u64 + by_trying_all(supply, demand, costs);
                least = least.min(cost);
                demand[column] += 1;
            }
        }
        supply[row] += 1;
        least
    }

    #[test]
    fn known_problems_are_solved() {
        assert_eq!(solved(&[5], &[5], &[&[3]]), 15);
        assert_eq!(solved(&[2, 3], &[5], &[&[1], &[10]]), 32);
        // Whichever row is first, the other one takes what it wants from it.
        assert_eq!(solved(&[1, 1], &[1, 1], &[&[1, 2], &[1, 9]]), 3);
        assert_eq!(solved(&[1, 1], &[1, 1], &[&[1, 9], &[1, 2]]), 3);
    }

    #[test]
    fn no_plan_costs_less() {
        let mut chance = Chance::new(3);
        for case in 0..150 {
            let (rows, columns) = (1 + chance.below(4) as usize, 1 + chance.below(4) as usize);
            let (mut supply, mut demand) = (vec![0; rows], vec![0; columns]);
            for _ in 0..6 {
                supply[chance.below(rows as u64) as usize] += 1;
                demand[chance.below(columns as u64) as usize] += 1;
            }
            let costs: Vec<Vec<i32>> =
                (0..rows).map(|_| (0..columns).map(|_| chance.below(9) as i32).collect()).collect();
            let lines: Vec<&[i32]> = costs.iter().map(|row| &row[..]).collect();
            let found = solved(&supply, &demand, &lines);
            assert_eq!(found, by_trying_all(&mut supply, &mut demand, &costs), "case {case}: {costs:?}");
        }
    }

    /// A picture with any regions.
    fn picture(chance: &mut Chance, regions: u32) -> Vec<Region> {
        let mut left = WHOLE;
        (1..=regions)
            .map(|number| {
                let weight = if number == regions { left } else { chance.below(u64::from(left / 2)) as u32 };
                left -= weight;
                Region { features: std::array::from_fn(|_| chance.unit() as f32), weight }
            })
            .collect()
    }

    #[test]
    fn it_is_a_metric() {
        let mut chance = Chance::new(4);
        for _ in 0..40 {
            let [a, b, c] = [0; 3].map(|_| {
                let regions = 1 + chance.below(MOST as u64) as u32;
                picture(&mut chance, regions)
            });
            assert_eq!(distance(&a, &a), 0);
            assert_eq!(distance(&a, &b), distance(&b, &a));
            assert!(distance(&a, &b) > 0);
            // Each distance of regions is rounded down by less than one.
            assert!(distance(&a, &c) <= distance(&a, &b) + distance(&b, &c) + u64::from(WHOLE));
        }
    }

    #[test]
    fn the_order_of_the_regions_does_not_matter() {
        let mut chance = Chance::new(5);
        let (mut one, other) = (picture(&mut chance, 9), picture(&mut chance, 12));
        let before = distance(&one, &other);
        chance.shuffle(&mut one);
        assert_eq!(distance(&one, &other), before);
    }

    #[test]
    fn single_regions_are_as_far_apart_as_their_features() {
        let region = |feature| vec![Region { features: [feature; FEATURES], weight: WHOLE }];
        // The square root of 14 times 0.5 squared.
        assert!((in_units(distance(&region(0.25), &region(0.75))) - 1.870_828).abs() < 1e-4);
    }
}
