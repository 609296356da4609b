//! The console's interface as browsers, programs and attackers see it: requests in, answers out.

#![expect(clippy::unwrap_used, reason = "a request without an answer fails the test")]

mod assets;
mod bad_requests;
mod base_path;
mod changes;
mod creating;
mod described;
mod fixture;
mod heat;
mod hosts;
mod jobs;
mod keys;
mod many_regions;
mod other_sites;
mod outside;
mod rows;
mod scripts;
mod sessions;
mod split_rules;
mod stream;
mod trusted_header;
mod uploads;
