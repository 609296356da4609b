//! Whether a design fits a table that is there. It is compared with the families, the split points, and keys of all
//! regions; a table that others made carries no design that it could be compared with.

mod document;
mod keys;
mod sample;
mod splits;

pub use document::FitDocument;

use std::fmt;

use keystride::codec::KeyDecodeError;
use keystride::escape::to_escaped;
use keystride::{KeyRange, SplitPoints};
use keystride_store::{Columns, Selection, StoreError, TableDescription};

use crate::explain::KeyBound;
use crate::table::Kept;
use crate::{Table, TableError};

/// How many examples of a misfit are given.
const EXAMPLES: usize = 3;

/// What a comparison of a design with a table has found.
#[derive(Debug, Clone)]
pub struct Fit {
    /// What is known of the design that is kept with the table.
    pub kept: Kept,
    /// What does not fit.
    pub misfits: Vec<Misfit>,
    /// What could not be compared.
    pub not_compared: Vec<NotCompared>,
    /// How many keys of the table were looked at.
    pub sampled_keys: usize,
}

/// In what a table is not as its design says.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Misfit {
    /// The table lacks a family.
    Family {
        /// The family.
        family: String,
    },
    /// No region starts at split points of the design.
    SplitPoints {
        /// How many.
        count: usize,
        /// How many the design has.
        of: usize,
        /// Some of them.
        examples: Vec<KeyBound>,
    },
    /// Regions can hold no key of the design.
    Regions {
        /// How many.
        count: usize,
        /// How many the table has.
        of: usize,
        /// Where some of them start.
        examples: Vec<KeyBound>,
    },
    /// Keys are none of the design's.
    Keys {
        /// How many.
        count: usize,
        /// How many were looked at.
        of: usize,
        /// Some of them.
        examples: Vec<KeyMisfit>,
    },
}

/// A key that is none of a design's.
#[derive(Debug, Clone)]
pub struct KeyMisfit {
    /// The key, decoded as far as it can be.
    pub key: KeyBound,
    /// Where it stops being one, and why.
    pub why: KeyDecodeError,
}

/// What could not be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotCompared {
    /// The design that is kept with the table, which is not told to this user.
    Design,
    /// The families, which are not told to this user, or by no master.
    Families,
    /// The split points, of which the design has none.
    SplitPoints,
    /// Keys, as there are no rows.
    NoRows,
    /// Keys, as this user may not read.
    Keys,
    /// Parts of keys.
    Parts(Vec<String>),
}

impl Fit {
    /// Whether nothing was found that does not fit.
    pub fn holds(&self) -> bool {
        self.misfits.is_empty()
    }
}

impl Table {
    /// Compares the design with the table. The regions of one that carries this design may have been split and merged
    /// since, so its split points are not compared.
    ///
    /// # Errors
    ///
    /// [`TableError::Store`] when the table can't be looked at.
    pub async fn fit(&self, points: Option<&SplitPoints>) -> Result<Fit, TableError> {
        let mut fit =
            Fit { kept: self.kept(), misfits: Vec::new(), not_compared: Vec::new(), sampled_keys: 0 };
        if fit.kept == Kept::NotTold {
            fit.not_compared.push(NotCompared::Design);
        }
        self.fit_families(&mut fit).await?;
        let regions = self.store().regions(self.name()).await?;
        let regions: Vec<KeyRange> = regions.into_iter().map(|region| region.range).collect();
        match points {
            _ if fit.kept == Kept::Same => {}
            Some(points) => fit.misfits.extend(splits::misfits(self.codec(), points, &regions)),
            None => fit.not_compared.push(NotCompared::SplitPoints),
        }
        self.fit_keys(&regions, &mut fit).await?;
        Ok(fit)
    }

    /// Compares the design with the table, and keeps it with the table if it fits.
    ///
    /// # Errors
    ///
    /// [`TableError::Unfit`], and [`TableError::Store`].
    pub async fn adopt(&self, points: Option<&SplitPoints>) -> Result<Fit, TableError> {
        let fit = self.demand_fit(points).await?;
        if fit.kept != Kept::Same {
            self.keep_design().await?;
        }
        Ok(fit)
    }

    /// Compares the design with the table, for whoever writes to one that does not carry it.
    ///
    /// # Errors
    ///
    /// [`TableError::Unfit`], and [`TableError::Store`].
    pub async fn demand_fit(&self, points: Option<&SplitPoints>) -> Result<Fit, TableError> {
        let fit = self.fit(points).await?;
        if fit.holds() {
            return Ok(fit);
        }
        Err(TableError::Unfit { table: self.name().clone(), fit: Box::new(fit) })
    }

    async fn fit_families(&self, fit: &mut Fit) -> Result<(), TableError> {
        let described = match self.store().describe(self.name()).await {
            Ok(described) => Some(described),
            Err(error) if error.is_untold() => None,
            Err(error) => return Err(error.into()),
        };
        for family in self.families() {
            let has = |described: &TableDescription| described.family(family).map(drop);
            let found = match &described {
                Some(described) => has(described),
                // It shows when it is read.
                None => {
                    let columns = Columns::family(family.clone());
                    let selection = Selection { columns, ..Selection::default() };
                    self.store().get(self.name(), &[b"\0"], &selection).await.map(drop)
                }
            };
            match found {
                Ok(()) => {}
                Err(StoreError::UnknownFamily { family, .. }) => fit.misfits.push(Misfit::Family { family }),
                Err(error) if error.is_denied() => {
                    fit.not_compared.push(NotCompared::Families);
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    async fn fit_keys(&self, regions: &[KeyRange], fit: &mut Fit) -> Result<(), TableError> {
        let keys = match sample::sample(&**self.store(), self.name(), regions).await {
            Err(error) if error.is_denied() => {
                fit.not_compared.push(NotCompared::Keys);
                return Ok(());
            }
            keys => keys?,
        };
        let open = keys::open_parts(self.design());
        if keys.is_empty() {
            fit.not_compared.push(NotCompared::NoRows);
        } else if !open.is_empty() {
            fit.not_compared.push(NotCompared::Parts(open));
        }
        fit.sampled_keys = keys.len();
        fit.misfits.extend(keys::misfit(self.codec(), &keys));
        Ok(())
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Family { family } => write!(f, "families: the table has no family \"{family}\""),
            Self::SplitPoints { count, of, examples } => {
                write!(
                    f,
                    "split points: at {count} of the design's {of} no region starts, such as {}",
                    list(examples)
                )
            }
            Self::Regions { count, of, examples } => write!(
                f,
                "split points: {count} of the table's {of} regions can hold no key of the design, such as those from {}",
                list(examples)
            ),
            Self::Keys { count, of, examples } => {
                write!(
                    f,
                    "keys: {count} of {of} sampled are none of the design's, such as {}",
                    list(examples)
                )
            }
        }
    }
}

impl fmt::Display for KeyMisfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\" ({}): {}", to_escaped(self.key.key()), self.key, self.why)
    }
}

fn list(examples: &[impl fmt::Display]) -> String {
    examples.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Design => f.write_str("the design that is kept with the table, which can't be asked for"),
            Self::Families => f.write_str("families, which can't be asked for"),
            Self::SplitPoints => f.write_str("split points, as the design has none"),
            Self::NoRows => f.write_str("keys, as the table has no rows"),
            Self::Keys => f.write_str("keys, which this user may not read"),
            Self::Parts(parts) => {
                write!(
                    f,
                    "of the keys {}, as the key alone does not tell what they are made of",
                    parts.join(", ")
                )
            }
        }
    }
}
