//! What the lints say of designs, and what they do not say.

mod clock;
mod defects;
mod encoding;
mod heat;
mod identity;
mod judge;
mod languages;
mod numbers;
mod patch;
mod reads;
mod salts;
mod sizes;
mod splits;
mod uniqueness;
mod worked;
