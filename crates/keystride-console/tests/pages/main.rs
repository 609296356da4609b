//! The pages in a real browser, as their users see and use them.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod begins_with_nothing;
mod catalogue;
mod changes_a_table;
mod commands_for_a_shell;
mod copies_texts;
mod creates_a_split_table;
mod designs_a_key;
mod drops_a_file;
mod every_page;
mod examples;
mod finds_things;
mod fixture;
mod goes_on_after_a_loss;
mod held_store;
mod helps_with_the_form;
mod keeps_choices;
mod literals;
mod loads_a_file;
mod mends_a_design;
mod messages;
mod on_hbase;
mod opens_a_sample;
mod queries_and_extracts;
mod reads_about_a_finding;
mod resumes_an_extract;
mod said_by_others;
mod scripts_are_text;
mod tells_mistakes_in_chinese;
mod watches_a_load;
