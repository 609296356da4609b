//! What the help shows: examples at the end of each command's, and pages of their own for what many commands share.

mod examples;

use clap::{Args as _, Command, CommandFactory as _};

use crate::args::Args;
use crate::flags::GlobalArgs;
use examples::EXAMPLES;

/// The language of predicates.
const WHERE: &str = include_str!("where.txt");

/// Returns clap's description of all commands with their examples. The options of every command have a page of their own,
/// and are not repeated.
pub(crate) fn program() -> Command {
    let program = hide_global(with_examples(Args::command(), ""));
    let options = page("options").defer(|page| page.before_help(options()));
    program.subcommand(options).subcommand(page("where").before_help(WHERE))
}

/// Adds the examples of a command, which is called by these words, and of those within it.
fn with_examples(mut command: Command, words: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    for name in names {
        let inner = if words.is_empty() { name.clone() } else { format!("{words} {name}") };
        command = command.mut_subcommand(name, |command| with_examples(command, &inner));
    }
    let examples = EXAMPLES.iter().find(|(called, _)| *called == words).map(|(_, lines)| lines.join("\n  "));
    let examples = examples.map(|lines| format!("Examples:\n  {lines}\n\n")).unwrap_or_default();
    command.after_help(format!("{examples}Options of every command: keystride help options"))
}

fn hide_global(command: Command) -> Command {
    command.mut_args(|arg| if arg.is_global_set() { arg.hide(true) } else { arg })
}

/// Returns a page that `keystride help` shows by its name; its text is what comes before the help.
fn page(name: &'static str) -> Command {
    Command::new(name).hide(true).arg_required_else_help(true).term_width(0).help_template("{before-help}")
}

fn options() -> String {
    let command = GlobalArgs::augment_args(Command::new("options")).disable_help_flag(true);
    let mut command = command.help_template("{options}").max_term_width(100);
    command.render_long_help().to_string()
}
