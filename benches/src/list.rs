//! The list of programs, their options and their contenders.

use clap::{Arg, Command};

use crate::entry::{Entry, Member, Tool};
use crate::executor::On;
use crate::report::aligned;

/// The list, with the lines of code of each contender's version if requested.
pub fn of(programs: &[Entry], tools: &[Tool], with_lines: bool) -> String {
    let programs = programs.iter().map(|program| paragraph(program, with_lines));
    let tools = tools.iter().map(|tool| head(tool.name, tool.about, &(tool.command)()));
    programs.chain(tools).collect::<Vec<_>>().join("\n")
}

/// What a command does, and its options.
fn head(name: &str, about: &str, command: &Command) -> String {
    let options = command.get_arguments().filter(|option| !option.is_hide_set());
    format!("{name}: {about}\n") + &options.map(described).collect::<String>()
}

fn paragraph(program: &Entry, with_lines: bool) -> String {
    let members = program.members();
    let mut text = head(program.name, program.about, &program.command());
    for place in program.places {
        let names: Vec<_> = members.iter().filter(|m| m.places.contains(place)).map(|m| m.name).collect();
        if !names.is_empty() {
            let place = if *place == On::Own { String::new() } else { format!(" on {}", place.name()) };
            text += &format!("  contenders{place}: {}\n", names.join(", "));
        }
    }
    if with_lines {
        text += &lines(&members);
    }
    text
}

/// One option, its default and its values.
fn described(option: &Arg) -> String {
    let mut text = option.get_long().map_or_else(|| " ".to_owned(), |name| format!("  --{name}"));
    let takes_value = option.get_action().takes_values();
    for name in option.get_value_names().filter(|_| takes_value).unwrap_or_default() {
        text += &format!(" <{name}>");
    }
    if let Some(help) = option.get_help() {
        text += &format!("  {help}");
    }
    let defaults: Vec<_> = option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() {
        text += &format!(" [default: {}]", defaults.join(", "));
    }
    let values = if takes_value { option.get_possible_values() } else { Vec::new() };
    let values: Vec<_> = values.iter().map(|value| value.get_name()).collect();
    if !values.is_empty() {
        text += &format!(" [{}]", values.join(", "));
    }
    text + "\n"
}

/// Lines of code for each contender.
fn lines(members: &[Member]) -> String {
    let row = |member: &Member| vec![format!("    {}", member.name), member.lines.to_string()];
    let rows: Vec<_> = members.iter().map(row).collect();
    format!("  lines of code\n{}", aligned(&rows))
}
