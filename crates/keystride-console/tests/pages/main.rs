//! The pages in a real browser, as their users see and use them.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod catalogue;
mod changes_a_table;
mod copies_texts;
mod creates_a_split_table;
mod every_page;
mod examples;
mod finds_things;
mod fixture;
mod keeps_choices;
mod loads_a_file;
mod on_hbase;
mod queries_and_extracts;
mod scripts_are_text;
mod watches_a_load;
