//! What the lints say of designs, and what they do not say.

mod defects;
mod encoding;
mod heat;
mod judge;
mod languages;
mod numbers;
mod patch;
mod rest;
mod salts;
mod splits;
mod uniqueness;
mod worked;
