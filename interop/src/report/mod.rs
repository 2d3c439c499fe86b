//! What people and other programs see of a run. Each report is a pure function of [`crate::record::Run`].

pub mod csv;
pub mod diff;
pub mod findings;
pub mod json;
pub mod junit;
mod policies;
pub mod replay;
pub mod table;
pub mod tally;
pub mod terminal;
mod vectors;

#[cfg(test)]
mod fixture;
