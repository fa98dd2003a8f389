use super::*;
use pipes_benches::work::mix;
use pipes_k_nucleotide::counted::Counted;
use pipes_k_nucleotide::input::Input;
use pipes_k_nucleotide::sequential;

/// Something as the other side gets it.
fn sent<T: Serialize + for<'de> Deserialize<'de>>(value: T) -> T {
    let bytes = postcard::to_stdvec(&value).expect("it becomes bytes");
    postcard::from_bytes(&bytes).expect("they are what was sent")
}

/// The tables of a worker for each chunk of a generated text, which are small.
fn counted(input: &Input, letters: usize) -> Vec<Tables> {
    let chunks = input.chunks_of(letters).expect("it can be read");
    let mut tables = Table::all();
    let count = |chunk: std::io::Result<Chunk>| {
        let chunk = Chunk::try_from(sent(Parcel::from(chunk.expect("it is in order")))).expect("it is whole");
        assert!(chunk.letters <= most(letters));
        tables.iter_mut().for_each(|table| table.count(&chunk));
        let tables = sent(Tables::drained(&mut tables));
        let bytes: usize = tables.0.iter().map(Bytes::len).sum();
        assert!(bytes < limit(chunk.letters), "{bytes}");
        tables
    };
    chunks.map(count).collect()
}

/// A table of this size to which these bytes are added.
fn table(size: usize, bytes: &[u8]) -> Result<Table, Damaged> {
    let mut table = Table::new(size);
    add(&mut table, bytes, usize::MAX).map(|()| table)
}

#[test]
fn what_was_counted_apart_is_what_is_counted_together() {
    let input = Input::generated(3_000).expect("it fits into memory");
    let due = sequential::run(&input).expect("it can be read");
    for letters in [1, 59, 61, 700, 4_096, 1 << 20] {
        let mut tables = Table::all();
        for part in counted(&input, letters) {
            tables
                .iter_mut()
                .zip(&part.0)
                .for_each(|(table, bytes)| add(table, bytes, most(letters)).expect("they are whole"));
        }
        let totals = |tables: &[Table]| tables.iter().map(Table::total).collect::<Vec<_>>();
        assert_eq!(totals(&tables), totals(&due.tables), "{letters}");
        assert_eq!(Counted::of(tables).text, due.text, "{letters}");
    }
}

#[test]
fn a_window_takes_few_bytes() {
    // The first, the third and the last window, once, twice and often.
    let mut windows = Table::new(18);
    assert!(windows.add(0, 1) && windows.add(2, 2) && windows.add((1 << 36) - 1, u32::MAX));
    let bytes = packed(&mut windows);
    assert_eq!(bytes[..3], [0, 3, 0]);
    assert_eq!(bytes.len(), 3 + 6 + 5);
    assert_eq!(windows.total(), 0);
    let mut back = table(18, &bytes).expect("they are whole");
    assert_eq!(back.drain(), [(0, 1), (2, 2), ((1 << 36) - 1, u32::MAX)]);
    assert!(packed(&mut back).is_empty());
}

#[test]
fn the_limits_are_enough() {
    // Each window is a new one, and as far as possible from the last one.
    let letters = 1 << 16;
    for size in SIZES {
        let mut windows = Table::new(size);
        let all = 1 << (2 * size);
        let step = (all / letters).max(1);
        (0..letters).take_while(|n| n * step < all).for_each(|n| assert!(windows.add(n * step, 1)));
        assert!(packed(&mut windows).len() as u64 <= 6 * letters);
    }
    let chunk =
        Chunk { words: vec![u64::MAX; most(MOST).div_ceil(WORD)], letters: most(MOST), ..Chunk::default() };
    let bytes = postcard::to_stdvec(&Parcel::from(chunk)).expect("it becomes bytes");
    assert!(bytes.len() <= LIMIT);
    // What a session takes at most.
    assert!(limit(MOST) <= 1 << 30);
}

#[test]
fn damaged_tables_are_errors() {
    let cut = Some(Damaged("a number is cut off"));
    let long = Some(Damaged("a number is too long"));
    let large = Some(Damaged("a window or a count is too large"));
    let ten = [0xff; 10];
    for (size, bytes, told) in [
        (1, &[0x80][..], cut),
        (1, &[0, 1], cut),
        (1, &[1, 0x80], cut),
        (18, &ten, long),
        (18, &[0x80; 200], long),
        (18, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02], long),
        // There are four windows of one letter.
        (1, &[0, 0, 0, 0], None),
        (1, &[0, 0, 0, 0, 0], large),
        (1, &[6], None),
        (1, &[8], large),
        (12, &[0x80, 0x80, 0x80, 0x10], large),
        (18, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], cut),
        (18, &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], large),
        // A count of 2^32 - 1, and one more.
        (2, &[1, 0xfd, 0xff, 0xff, 0xff, 0x0f], None),
        (2, &[1, 0xfe, 0xff, 0xff, 0xff, 0x0f], large),
        (2, &[1, 0xff, 0xff, 0xff, 0xff, 0x1f], large),
    ] {
        assert_eq!(table(size, bytes).err(), told, "{size}: {bytes:?}");
    }
    // A sum that is too large.
    let mut windows = table(2, &[1, 0xfd, 0xff, 0xff, 0xff, 0x0f]).expect("they are whole");
    assert_eq!(add(&mut windows, &[0], 1).err(), large);
    assert_eq!(windows.total(), u64::from(u32::MAX));
}

#[test]
fn damaged_chunks_are_errors() {
    let parcel =
        |letters, words: &'static [u8]| Parcel { letters, carry: 0, before: 255, words: words.into() };
    for (letters, words) in [(1, 0), (0, 8), (32, 7), (32, 9), (33, 8), (32, 16), (u32::MAX, 16)] {
        let parcel = parcel(letters, &[7; 16][..words]);
        Chunk::try_from(parcel).expect_err("the words do not fit");
    }
    let chunk = Chunk::try_from(parcel(33, &[7; 16])).expect("it has two words");
    Table::all().iter_mut().for_each(|table| table.count(&chunk));
}

#[test]
fn odd_bytes_are_read_without_a_panic() {
    let input = Input::generated(40).expect("it fits into memory");
    let part = &counted(&input, 1 << 20)[0];
    for (size, bytes) in SIZES.into_iter().zip(&part.0) {
        let whole = table(size, bytes).expect("they are whole").total();
        for place in 0..bytes.len() {
            // What is cut between two windows is a smaller table.
            assert!(
                table(size, &bytes[..place]).is_ok_and(|cut| cut.total() < whole)
                    || table(size, &bytes[..place]).is_err_and(|told| told.0.ends_with("cut off"))
            );
            for bit in 0..8 {
                let mut bytes = bytes.to_vec();
                bytes[place] ^= 1 << bit;
                let _ = table(size, &bytes);
            }
        }
    }
    for seed in 0..20_000 {
        let bytes: Vec<_> = (0..seed % 40).map(|n| mix(seed << 8 | n, 3) as u8).collect();
        for size in SIZES {
            let _ = table(size, &bytes);
        }
        let _ = postcard::from_bytes::<Tables>(&bytes);
        if let Ok(parcel) = postcard::from_bytes::<Parcel>(&bytes) {
            let _ = Chunk::try_from(parcel);
        }
    }
}
