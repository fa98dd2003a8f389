//! The generated tree: text in folders, with planted matches of the default pattern.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::chance::Chance;

/// The files in a folder.
const FILES: u64 = 24;

/// The folders in a folder.
const FOLDERS: u64 = 8;

/// One line in this number has a planted match.
const SPACING: u64 = 4096;

/// The words of the text. Some of them begin or end like a match.
const WORDS: &str = "\
    static int return struct if else unsigned long device micro driver register probe (void) { } /* */ = \
    == ->next ->data NULL; err irq flags mutex_lock(&lock); u32 u8 const char *name #define #include goto \
    out; for while switch case break; the of to and is not microcode Microchip devices clk pin gpio bus \
    addr, size_t len buffer page cpu 0x00 0xff &priv->dev microdev";

/// What is planted.
const PLANTED: [&str; 2] = ["microdevice", "Microdevice"];

/// A generated tree, which is deleted when it is dropped.
#[derive(Debug)]
pub struct Tree {
    folder: TempDir,
    /// How many lines have a planted match.
    pub planted: usize,
}

impl Tree {
    /// Writes a tree with this number of files, the same each time.
    pub fn new(files: u64) -> io::Result<Tree> {
        let folder = tempfile::Builder::new().prefix("grep-").tempdir()?;
        let words: Vec<_> = WORDS.split_whitespace().collect();
        let mut planted = 0;
        let mut text = String::new();
        for number in 0..files {
            let place = folder.path().join(place(number / FILES));
            if number.is_multiple_of(FILES) {
                fs::create_dir_all(&place)?;
            }
            text.clear();
            planted += write(&mut Chance::row(3, number), &words, &mut text);
            fs::write(place.join(format!("file{}.c", number % FILES)), &text)?;
        }
        Ok(Tree { folder, planted })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Where a folder is: the folders are nested, each with some files and some folders.
fn place(mut folder: u64) -> PathBuf {
    let mut names = Vec::new();
    while folder > 0 {
        folder -= 1;
        names.push(format!("folder{}", folder % FOLDERS));
        folder /= FOLDERS;
    }
    names.iter().rev().collect()
}

/// Writes the text of a file, and returns how many of its lines have a planted match. Most files are short,
/// a few are long.
fn write(chance: &mut Chance, words: &[&str], text: &mut String) -> usize {
    let most = 1 << chance.below(12);
    let mut planted = 0;
    for _ in 0..=chance.below(most) {
        for _ in 0..chance.below(14) {
            text.push_str(words[chance.below(words.len() as u64) as usize]);
            text.push(' ');
        }
        if chance.below(SPACING) == 0 {
            text.push_str(PLANTED[chance.below(2) as usize]);
            planted += 1;
        }
        text.push('\n');
    }
    planted
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    use super::{PLANTED, Tree, place};

    /// The files of a tree, by their places in it, with their text.
    fn files(tree: &Tree) -> Vec<(PathBuf, String)> {
        let walk = walkdir::WalkDir::new(tree.path()).sort_by_file_name().into_iter();
        let files = walk.map(|entry| entry.expect("an entry")).filter(|entry| entry.file_type().is_file());
        let named = files.map(|entry| {
            let name = entry.path().strip_prefix(tree.path()).expect("below").to_owned();
            (name, fs::read_to_string(entry.path()).expect("text"))
        });
        named.collect()
    }

    #[test]
    fn a_tree_has_its_files_and_its_matches_and_is_the_same_each_time() {
        let tree = Tree::new(500).expect("a tree");
        let all = files(&tree);
        assert_eq!(all.len(), 500);
        let lines = all.iter().flat_map(|(_, text)| text.lines());
        let found = lines.filter(|line| PLANTED.iter().any(|word| line.contains(word))).count();
        assert!(found > 0);
        assert_eq!(found, tree.planted);
        assert_eq!(files(&Tree::new(500).expect("another")), all);
    }

    #[test]
    fn folders_are_below_those_that_were_made_before() {
        let mut made = BTreeSet::new();
        for folder in (0..1000).map(place) {
            assert!(folder.parent().is_none_or(|parent| made.contains(parent)), "{folder:?}");
            assert!(made.insert(folder));
        }
    }
}
