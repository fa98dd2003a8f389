//! The applications are a workspace of their own: it has the versions, lints and profiles of the root, and of
//! a package that both lock files have, both have one version.

use std::collections::BTreeMap;
use std::fs;

use crate::source::root;

/// The workspace, as a folder of the root.
const APPLICATIONS: &str = "benches/applications";

/// A file of the root, and the same of the applications.
fn both(name: &str) -> [String; 2] {
    let read = |folder: &str| fs::read_to_string(root().join(folder).join(name)).expect("the file is there");
    [read("."), read(APPLICATIONS)]
}

/// The sections of a manifest by their names, each with its lines, without comments.
fn sections(manifest: &str) -> BTreeMap<&str, Vec<&str>> {
    let (mut all, mut name) = (BTreeMap::<_, Vec<_>>::new(), "");
    for line in manifest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(section) => name = section,
            None => all.entry(name).or_default().push(line),
        }
    }
    all
}

/// How the second manifest differs from the first. Lints and profiles are the same; only for tests, the
/// second may have more packages that are optimised. Its keys of `workspace.package` are among the first's.
fn in_manifests([first, second]: [&str; 2]) -> Vec<String> {
    let (first, second) = (sections(first), sections(second));
    let is_same = |name: &&&str| name.starts_with("workspace.lints.") || name.starts_with("profile.");
    let mut found = Vec::new();
    for name in first.keys().filter(is_same).filter(|name| first.get(*name) != second.get(*name)) {
        found.push(format!("[{name}] is not the same"));
    }
    for name in second.keys().filter(is_same).filter(|name| !first.contains_key(*name)) {
        if !name.starts_with("profile.dev.package.") {
            found.push(format!("[{name}] is not in the root's manifest"));
        }
    }
    for (name, key) in [("workspace.package", ""), ("workspace", "resolver")] {
        let own = first.get(name).map_or(&[][..], Vec::as_slice);
        let lines = second.get(name).into_iter().flatten();
        for line in lines.filter(|line| line.starts_with(key) && !own.contains(line)) {
            found.push(format!("[{name}] has another `{line}`"));
        }
    }
    found
}

/// The packages of a lock file: the version of each name and range of compatible versions, of which Cargo
/// never locks two.
fn versions(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let value = |package: &'_ str, key: &str| -> Option<std::ops::Range<usize>> {
        let begin = package.find(&format!("\n{key} = \""))? + key.len() + 5;
        Some(begin..begin + package[begin..].find('"')?)
    };
    let packages = lock.split("[[package]]").skip(1).filter_map(|package| {
        let (name, version) = (&package[value(package, "name")?], &package[value(package, "version")?]);
        Some(((name, range(version)), version))
    });
    packages.collect()
}

/// The part of a version that all compatible ones have: up to the first number that is not zero.
fn range(version: &str) -> &str {
    let numbers = version.split_inclusive(['.', '-', '+']);
    let zeros: usize = numbers.take_while(|number| *number == "0.").map(str::len).sum();
    let end = version[zeros..].find(['.', '-', '+']).map_or(version.len(), |end| zeros + end);
    &version[..end]
}

/// The packages that two lock files have in versions which are compatible, but not the same.
fn in_locks([first, second]: [&str; 2]) -> Vec<String> {
    let second = versions(second);
    let pairs = versions(first).into_iter().filter_map(|(key, one)| Some((key.0, one, *second.get(&key)?)));
    pairs
        .filter(|(_, one, other)| one != other)
        .map(|(name, one, other)| format!("{name} is {one} and {other}"))
        .collect()
}

#[test]
fn applications_have_the_lints_and_profiles_of_the_root() {
    let [root, applications] = both("Cargo.toml");
    assert_eq!(in_manifests([&root, &applications]), [""; 0]);
}

#[test]
fn applications_have_the_versions_of_the_root() {
    let [root, applications] = both("Cargo.lock");
    let common = versions(&root).into_keys().filter(|key| versions(&applications).contains_key(key)).count();
    assert!(common > 100, "the lock files have {common} packages in common");
    let found = in_locks([&root, &applications]);
    assert!(found.is_empty(), "{found:?}: `cargo update PACKAGE --precise VERSION` in {APPLICATIONS}");
}

#[test]
fn the_rule_about_manifests_notices() {
    let root = "[workspace]\nresolver = \"2\"\nmembers = []\n[workspace.package]\nedition = \"2024\"\n\
                # Why.\n[workspace.lints.rust]\na = 1\n[profile.release]\nlto = true\n";
    let problems = |changed: &str| in_manifests([root, changed]);
    assert_eq!(problems(&root.replace("# Why.\n", "\n").replace("[]", "[1]")), [""; 0]);
    assert_eq!(
        problems(&format!("{root}[profile.dev.package.x]\nopt-level = 3\n[dependencies]\nx = 1")),
        [""; 0]
    );
    for (one, other) in [("lto = true", "lto = false"), ("a = 1", ""), ("\"2\"", "\"3\""), ("2024", "2021")] {
        assert_eq!(problems(&root.replace(one, other)).len(), 1, "{other}");
    }
    assert_eq!(problems(&format!("{root}[profile.release.package.x]\nopt-level = 0")).len(), 1);
}

#[test]
fn the_rule_about_lock_files_notices() {
    let lock = |packages: &[(&str, &str)]| -> String {
        let package =
            |(name, version)| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\n");
        packages.iter().map(|one| package(*one)).collect()
    };
    let problems = |one: &[_], other: &[_]| in_locks([&lock(one), &lock(other)]);
    assert_eq!(problems(&[("a", "1.2.3"), ("b", "0.1.0")], &[("a", "1.2.3"), ("c", "0.1.0")]), [""; 0]);
    assert_eq!(problems(&[("a", "1.2.3")], &[("a", "1.3.0")]), ["a is 1.2.3 and 1.3.0"]);
    assert_eq!(problems(&[("a", "0.1.2")], &[("a", "0.1.3+x.1")]).len(), 1);
    for (one, other) in [("1.2.3", "2.2.3"), ("0.1.2", "0.2.2"), ("0.0.1", "0.0.2")] {
        assert_eq!(problems(&[("a", one)], &[("a", other)]), [""; 0]);
    }
}
