//! Graphs in files, as the GAP benchmark suite serializes them (`.sg`), so its programs and others can search
//! the same graph.
//!
//! A file contains, in this order: a byte that tells whether the graph is directed; the number of entries in
//! all rows and the number of vertices, 8 bytes each; where each row begins and where the last one ends, 8
//! bytes each; and the rows, 4 bytes per entry. All numbers are little-endian.

use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

use super::graph::{Graph, offsets};
use super::kronecker::Edge;
use pipes_benches::files::{Part, named};

/// The size of the header, which precedes the offsets.
const HEADER: u64 = 17;
/// The number of bytes written at a time.
const PIECE: usize = 1 << 20;

/// An error that says what is wrong with a file, and at which byte.
fn malformed(place: u64, what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("at byte {place}, {what}"))
}

/// Reads a graph from a file: the number of vertices, and each edge once, in no particular order. Invalid
/// numbers of vertices and entries are rejected before memory is allocated for them.
pub fn read(path: &Path, fits: impl Fn(u64, u64) -> Result<(), String>) -> io::Result<(usize, Vec<Edge>)> {
    let from = || {
        // Checked before the file is opened, because opening a named pipe waits for its other end.
        let about = fs::metadata(path)?;
        if !about.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
        }
        edges(BufReader::with_capacity(PIECE, File::open(path)?), about.len(), fits)
    };
    from().map_err(|error| named(path, "could not be read as a serialized graph", &error))
}

/// Reads from a file of this length. The sizes in the file are trusted only once they agree with its length.
fn edges(
    mut file: impl Read,
    length: u64,
    fits: impl Fn(u64, u64) -> Result<(), String>,
) -> io::Result<(usize, Vec<Edge>)> {
    if length < HEADER {
        let what = format!("it ends: its {length} bytes are too few for the {HEADER} of a header");
        return Err(malformed(length, &what));
    }
    let [directed] = bytes(&mut file)?;
    match directed {
        0 => {}
        1 => {
            return Err(malformed(0, "it says that it is directed, and only undirected graphs are searched"));
        }
        other => {
            return Err(malformed(0, &format!("{other} stands where 0 or 1 says whether it is directed")));
        }
    }
    let entries = count(i64::from_le_bytes(bytes(&mut file)?), "entries", u64::from(u32::MAX), 1)?;
    let vertices = count(i64::from_le_bytes(bytes(&mut file)?), "vertices", i32::MAX as u64, 9)?;
    let due = HEADER + 8 * (vertices + 1) + 4 * entries;
    if length != due {
        let what = format!("{vertices} vertices and {entries} entries need {due} bytes, and it has {length}");
        return Err(malformed(1, &what));
    }
    fits(vertices, entries).map_err(|what| malformed(1, &what))?;
    let starts = starts(&mut file, vertices, entries)?;
    let targets = targets(&mut file, &starts)?;
    both_ways(&starts, &targets)?;

    let mut edges = Vec::with_capacity(targets.len() / 2);
    for (vertex, row) in (0..).zip(starts.windows(2)) {
        let row = &targets[row[0] as usize..row[1] as usize];
        edges.extend(row.iter().filter(|target| **target >= vertex).map(|target| (vertex, *target)));
    }
    Ok((vertices as usize, edges))
}

/// Reads the next `N` bytes.
fn bytes<const N: usize>(file: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Checks a count: it must be at least 1 and at most `most`.
fn count(number: i64, what: &str, most: u64, place: u64) -> io::Result<u64> {
    match u64::try_from(number) {
        Ok(0) => Err(malformed(place, &format!("it says that it has no {what}"))),
        Ok(number) if number <= most => Ok(number),
        _ => Err(malformed(
            place,
            &format!("it says that it has {number} {what}; 1 to {most} can be searched"),
        )),
    }
}

/// Reads where each row begins, and where the last one ends.
fn starts(file: &mut impl Read, vertices: u64, entries: u64) -> io::Result<Vec<u32>> {
    let mut starts = Vec::with_capacity(vertices as usize + 1);
    let mut before = 0;
    for vertex in 0..=vertices {
        let place = HEADER + 8 * vertex;
        let start = u64::from_le_bytes(bytes(file)?);
        if vertex == 0 && start != 0 {
            return Err(malformed(place, &format!("the first row begins at entry {start} and not at 0")));
        }
        if start < before || start > entries {
            let what = format!(
                "offset {vertex} is {start}, out of order: the one before is {before}, and there are {entries} entries"
            );
            return Err(malformed(place, &what));
        }
        if vertex == vertices && start != entries {
            return Err(malformed(
                place,
                &format!("the last row ends at entry {start}, and there are {entries}"),
            ));
        }
        // `start` is at most `entries`, which fits into 32 bits.
        starts.push(start as u32);
        before = start;
    }
    Ok(starts)
}

/// Reads all rows, one after another.
fn targets(file: &mut impl Read, starts: &[u32]) -> io::Result<Vec<u32>> {
    let (vertices, entries) = (starts.len() - 1, starts[starts.len() - 1]);
    let mut targets = Vec::with_capacity(entries as usize);
    for entry in 0..entries {
        let target = i32::from_le_bytes(bytes(file)?);
        let Some(fitting) = u32::try_from(target).ok().filter(|target| (*target as usize) < vertices) else {
            let place = HEADER + 8 * starts.len() as u64 + 4 * u64::from(entry);
            let vertex = starts.partition_point(|start| *start <= entry) - 1;
            let what =
                format!("{target} is said to be a neighbour of {vertex}, and there are {vertices} vertices");
            return Err(malformed(place, &what));
        };
        targets.push(fitting);
    }
    Ok(targets)
}

/// Checks that each edge appears at both of its ends.
fn both_ways(starts: &[u32], targets: &[u32]) -> io::Result<()> {
    let vertices = starts.len() - 1;
    let (mut places, mut turned) = (offsets(vertices, targets.iter().copied()), vec![0; targets.len()]);
    let back = places.clone();
    for (vertex, row) in (0_u32..).zip(starts.windows(2)) {
        for target in &targets[row[0] as usize..row[1] as usize] {
            turned[places[*target as usize] as usize] = vertex;
            places[*target as usize] += 1;
        }
    }
    let mut sorted: Vec<u32> = Vec::new();
    for vertex in 0..vertices {
        let row = &targets[starts[vertex] as usize..starts[vertex + 1] as usize];
        sorted.clear();
        sorted.extend(row);
        sorted.sort_unstable();
        if sorted != turned[back[vertex] as usize..back[vertex + 1] as usize] {
            let place = HEADER + 8 * starts.len() as u64 + 4 * u64::from(starts[vertex]);
            let what = format!(
                "the row of {vertex} has not the vertices that have {vertex} in their rows, as an undirected graph must"
            );
            return Err(malformed(place, &what));
        }
    }
    Ok(())
}

/// Writes a graph. The file gets its name when it is complete.
pub fn write(graph: &Graph, path: &Path) -> io::Result<()> {
    let mut part = Part::beside(path)?;
    let mut piece = vec![0];
    piece.extend((graph.entries() as u64).to_le_bytes());
    piece.extend((graph.vertices() as u64).to_le_bytes());
    let mut put = |bytes: &[u8], last: bool| {
        piece.extend_from_slice(bytes);
        if last || piece.len() >= PIECE {
            part.write(&piece)?;
            piece.clear();
        }
        Ok::<(), io::Error>(())
    };
    let mut start = 0_u64;
    for vertex in 0..graph.vertices() as u32 {
        put(&start.to_le_bytes(), false)?;
        start += graph.degree(vertex) as u64;
    }
    put(&start.to_le_bytes(), false)?;
    let mut row: Vec<u32> = Vec::new();
    for vertex in 0..graph.vertices() as u32 {
        row.clear();
        row.extend(graph.row(vertex));
        row.sort_unstable();
        row.iter().try_for_each(|target| put(&target.to_le_bytes(), false))?;
    }
    put(&[], true)?;
    part.keep()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a file with these contents.
    fn file(directed: u8, entries: i64, vertices: i64, starts: &[u64], targets: &[i32]) -> Vec<u8> {
        let mut bytes = vec![directed];
        bytes.extend(entries.to_le_bytes());
        bytes.extend(vertices.to_le_bytes());
        bytes.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
        bytes.extend(targets.iter().flat_map(|target| target.to_le_bytes()));
        bytes
    }

    fn parsed(bytes: &[u8]) -> Result<(usize, Vec<Edge>), String> {
        edges(bytes, bytes.len() as u64, |_, _| Ok(())).map_err(|error| error.to_string())
    }

    /// The rows 0: 1 2, 1: 0, 2: 0, 3: none.
    const STARTS: &[u64] = &[0, 2, 3, 4, 4];
    const TARGETS: &[i32] = &[1, 2, 0, 0];

    #[test]
    fn each_edge_is_read_once() {
        assert_eq!(parsed(&file(0, 4, 4, STARTS, TARGETS)), Ok((4, vec![(0, 1), (0, 2)])));
        // A self-loop, and a duplicate.
        let (starts, targets) = (&[0, 3, 5], &[0, 1, 1, 0, 0]);
        assert_eq!(parsed(&file(0, 5, 2, starts, targets)), Ok((2, vec![(0, 0), (0, 1), (0, 1)])));
    }

    #[test]
    fn what_is_no_graph_is_refused_with_its_place() {
        let cases: &[(Vec<u8>, &str)] = &[
            (vec![], "at byte 0, it ends: its 0 bytes"),
            (vec![0; 16], "at byte 16, it ends"),
            (file(1, 4, 4, STARTS, TARGETS), "at byte 0, it says that it is directed"),
            (file(7, 4, 4, STARTS, TARGETS), "at byte 0, 7 stands where"),
            (file(0, 0, 4, &[0; 5], &[]), "at byte 1, it says that it has no entries"),
            (file(0, -4, 4, STARTS, TARGETS), "at byte 1, it says that it has -4 entries"),
            (file(0, 4, 0, &[0], TARGETS), "at byte 9, it says that it has no vertices"),
            (
                file(0, 4, i64::MAX, STARTS, TARGETS),
                "at byte 9, it says that it has 9223372036854775807 vertices",
            ),
            (file(0, i64::MIN, 4, STARTS, TARGETS), "at byte 1"),
            (
                file(0, 4_000_000_000, 4, STARTS, TARGETS),
                "4000000000 entries need 16000000057 bytes, and it has 73",
            ),
            (file(0, 4, 2_000_000_000, STARTS, TARGETS), "need 16000000041 bytes"),
            (
                file(0, 4, 4, STARTS, &[1, 2, 0]),
                "at byte 1, 4 vertices and 4 entries need 73 bytes, and it has 69",
            ),
            (file(0, 4, 4, STARTS, &[1, 2, 0, 0, 0]), "need 73 bytes, and it has 77"),
            (file(0, 4, 4, &[1, 2, 3, 4, 4], TARGETS), "at byte 17, the first row begins at entry 1"),
            (
                file(0, 4, 4, &[0, 3, 2, 4, 4], TARGETS),
                "at byte 33, offset 2 is 2, out of order: the one before is 3",
            ),
            (file(0, 4, 4, &[0, 2, 3, u64::MAX, 4], TARGETS), "at byte 41, offset 3"),
            (file(0, 4, 4, &[0, 1, 2, 3, 3], TARGETS), "at byte 49, the last row ends at entry 3"),
            (file(0, 4, 4, STARTS, &[1, 4, 0, 0]), "at byte 61, 4 is said to be a neighbour of 0"),
            (file(0, 4, 4, STARTS, &[1, 2, 0, -1]), "at byte 69, -1 is said to be a neighbour of 2"),
            (file(0, 4, 4, STARTS, &[1, 3, 0, 0]), "at byte 57, the row of 0 has not the vertices"),
            (file(0, 4, 4, STARTS, &[1, 1, 0, 0]), "at byte 57, the row of 0"),
        ];
        for (bytes, told) in cases {
            let sentence = parsed(bytes).expect_err(told);
            assert!(sentence.contains(told), "{told}: {sentence}");
        }
    }
}
