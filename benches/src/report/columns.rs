//! Text in columns.

/// Rows with every column as wide as its widest cell: the first column left-aligned, the others
/// right-aligned.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let mut widths = Vec::new();
    for row in rows {
        widths.resize(row.len().max(widths.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            text += &if column == 0 { format!("{cell:<width$}") } else { format!("  {cell:>width$}") };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn numbers_end_where_others_end() {
        let rows = [["name", "n"], ["a", "10"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows), "name   n\na     10\n");
    }
}
