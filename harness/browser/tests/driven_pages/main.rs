//! A small site that this process serves, driven in a real Chromium.

mod act;
mod faults;
mod look;
mod site;
