//! A design bound to the table that was created from it.

use std::sync::{Arc, OnceLock};

use keystride::design::{Conflict, DesignError, Family as DesignFamily, InvalidTableName};
use keystride::{Design, KeyCodec, Planner, SplitPoints};
use keystride_store::{
    Family, FamilyName, NameError, Region, Store, StoreError, TableDescription, TableName,
};

use crate::cells::ROW_MARK;
use crate::fit::Fit;

/// The table attribute that holds the table's design: the TOML of [`Design::to_toml`], whose `[split]` lists the
/// points that the table was created with.
pub const DESIGN_ATTRIBUTE: &str = "keystride.design";

/// A design bound to a table of a store. Clones refer to the same table.
#[derive(Debug, Clone)]
pub struct Table {
    bound: Arc<Bound>,
}

#[derive(Debug)]
struct Bound {
    store: Arc<dyn Store>,
    name: TableName,
    kept: Kept,
    codec: KeyCodec,
    /// Created on first use, because it enumerates the keys of a small key space.
    planner: OnceLock<Planner>,
    /// The names of the design's families, in the design's order.
    families: Vec<FamilyName>,
}

/// What is known of the design that is kept with a table, beside the one it was opened by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is the same.
    Same,
    /// There is none.
    None,
    /// It is not told to this user, or by no master.
    NotTold,
}

/// Why a table can't be created or opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The design has a table or family name that stores do not accept.
    #[error(transparent)]
    Name(#[from] NameError),
    /// The store accepts a table name that designs do not.
    #[error(transparent)]
    DesignName(#[from] InvalidTableName),
    /// The table was not created by keystride, or its attribute was removed.
    #[error("table {table} carries no design (attribute {DESIGN_ATTRIBUTE})")]
    NoDesign {
        /// The table.
        table: TableName,
    },
    /// Whether the table has a design can't be learned: its description is not for this user, or no master tells it.
    #[error("the design of table {table} can't be asked for")]
    DesignNotTold {
        /// The table.
        table: TableName,
        /// Why not.
        #[source]
        source: StoreError,
    },
    /// The table's stored design can't be read.
    #[error("the design that table {table} carries can't be read")]
    StoredDesign {
        /// The table.
        table: TableName,
        /// The errors in the design.
        #[source]
        source: DesignError,
    },
    /// The table's stored design differs from the given one.
    #[error(
        "table {table} was made by another design; \"here\" is the table's, \"there\" the one given: {}",
        differences.join("; ")
    )]
    OtherDesign {
        /// The table.
        table: TableName,
        /// The differences, one line per setting.
        differences: Vec<String>,
    },
    /// The new design would give stored rows another meaning.
    #[error(
        "table {table} can't be altered so:\n{}",
        conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    )]
    Conflicts {
        /// The table.
        table: TableName,
        /// What differs, and why stored rows do not allow it.
        conflicts: Vec<Conflict>,
    },
    /// The table is not as the design says.
    #[error(
        "the design does not fit table {table}\n       {}",
        fit.misfits.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n       ")
    )]
    Unfit {
        /// The table.
        table: TableName,
        /// What was compared.
        fit: Box<Fit>,
    },
    /// A column has the name that is reserved for marking rows without cells.
    #[error(
        "field \"{field}\" has the empty qualifier in family \"{family}\", which marks rows without any value: give it another"
    )]
    MarkTaken {
        /// The column's field.
        field: String,
        /// The design's first family.
        family: String,
    },
}

impl Table {
    /// Creates an empty table from a design, under the design's own name, split at `points`.
    ///
    /// # Errors
    ///
    /// [`TableError`]: a table of that name exists, or a name is invalid.
    pub async fn create(
        store: Arc<dyn Store>,
        design: Design,
        points: &SplitPoints,
    ) -> Result<Self, TableError> {
        let name = TableName::new(&design.table().name)?;
        Self::create_as(store, &name, design, points).await
    }

    /// Creates a table under a different name, which then replaces the design's.
    ///
    /// # Errors
    ///
    /// As [`Table::create`].
    pub async fn create_as(
        store: Arc<dyn Store>,
        name: &TableName,
        design: Design,
        points: &SplitPoints,
    ) -> Result<Self, TableError> {
        let table = Self::bind(store, name.clone(), design, Kept::Same)?;
        let families =
            table.design().table().families.iter().map(store_family).collect::<Result<Vec<_>, _>>()?;
        let design = table.design().to_toml(Some(points));
        let description =
            TableDescription::new(name.clone(), families).with_attribute(DESIGN_ATTRIBUTE, design);
        table.store().create(&description, points).await?;
        Ok(table)
    }

    /// Opens a table with its stored design.
    ///
    /// # Errors
    ///
    /// [`TableError`]: the table does not exist, or it has no readable design.
    pub async fn open(store: Arc<dyn Store>, name: &TableName) -> Result<Self, TableError> {
        match StoredDesign::of(&*store, name).await? {
            StoredDesign::Is(design) => Self::bind(store, name.clone(), *design, Kept::Same),
            StoredDesign::None => Err(TableError::NoDesign { table: name.clone() }),
            StoredDesign::NotTold(source) => Err(TableError::DesignNotTold { table: name.clone(), source }),
        }
    }

    /// Opens a table with a given design. A table without a stored design is assumed to match, and so is one whose
    /// stored design can't be asked for; [`Table::fit`] compares them.
    ///
    /// # Errors
    ///
    /// [`TableError::OtherDesign`] with the differences when the table's stored design is another one. Splits,
    /// accesses, workload and cluster may differ, as they do not affect stored rows.
    pub async fn open_with(
        store: Arc<dyn Store>,
        name: &TableName,
        design: Design,
    ) -> Result<Self, TableError> {
        let stored = StoredDesign::of(&*store, name).await?;
        let kept = match &stored {
            StoredDesign::Is(_) => Kept::Same,
            StoredDesign::None => Kept::None,
            StoredDesign::NotTold(_) => Kept::NotTold,
        };
        let given = Self::bind(store, name.clone(), design, kept)?;
        if let StoredDesign::Is(stored) = stored {
            given.demand_same(&stored)?;
        }
        Ok(given)
    }

    /// Checks that the table was opened by the design that is stored with it, or was when that was last read.
    ///
    /// # Errors
    ///
    /// [`TableError::OtherDesign`] with the differences.
    pub fn demand_same(&self, stored: &Design) -> Result<(), TableError> {
        let differences = stored.differences(self.design());
        if differences.is_empty() {
            return Ok(());
        }
        Err(TableError::OtherDesign { table: self.name().clone(), differences })
    }

    /// Keeps the design with the table, with the split points that the table has.
    pub(crate) async fn keep_design(&self) -> Result<(), TableError> {
        let regions = self.store().regions(self.name()).await?;
        let points = Region::split_points(&regions).map_err(StoreError::from)?;
        let design = self.design().to_toml(Some(&points));
        let change = TableDescription::new(self.name().clone(), []).with_attribute(DESIGN_ATTRIBUTE, design);
        Ok(self.store().alter(&change).await?)
    }

    /// Opens a table with a given design, without asking for the stored one.
    ///
    /// # Errors
    ///
    /// [`TableError`] for a design that no table can have.
    pub fn on_trust(store: Arc<dyn Store>, name: &TableName, design: Design) -> Result<Self, TableError> {
        Self::bind(store, name.clone(), design, Kept::NotTold)
    }

    pub(crate) fn bind(
        store: Arc<dyn Store>,
        name: TableName,
        design: Design,
        kept: Kept,
    ) -> Result<Self, TableError> {
        check_mark(&design)?;
        let families = design.table().families.iter().map(|family| FamilyName::new(&family.name));
        let families = families.collect::<Result<_, _>>()?;
        let codec = KeyCodec::new(design.renamed(&name.to_string())?);
        Ok(Self { bound: Arc::new(Bound { store, name, kept, codec, planner: OnceLock::new(), families }) })
    }

    /// Returns the table's name in its store.
    pub fn name(&self) -> &TableName {
        &self.bound.name
    }

    /// Returns the design, whose name is that of the table.
    pub fn design(&self) -> &Design {
        self.bound.codec.design()
    }

    /// Returns the codec of the table's keys.
    pub fn codec(&self) -> &KeyCodec {
        &self.bound.codec
    }

    /// Returns the planner of the table's reads.
    pub fn planner(&self) -> &Planner {
        self.bound.planner.get_or_init(|| Planner::new(&self.bound.codec))
    }

    /// Returns the store that contains the table.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.bound.store
    }

    /// Returns what is known of the design that is kept with the table.
    pub fn kept(&self) -> Kept {
        self.bound.kept
    }

    /// Returns the names of the design's families.
    pub(crate) fn families(&self) -> &[FamilyName] {
        &self.bound.families
    }

    /// Returns the name of the design's family at `index`.
    pub(crate) fn family(&self, index: usize) -> &FamilyName {
        &self.bound.families[index]
    }
}

/// The design that is stored with a table.
#[derive(Debug)]
enum StoredDesign {
    /// This one.
    Is(Box<Design>),
    /// There is none.
    None,
    /// It can't be asked for.
    NotTold(StoreError),
}

impl StoredDesign {
    async fn of(store: &dyn Store, name: &TableName) -> Result<Self, TableError> {
        let description = match store.describe(name).await {
            Ok(description) => description,
            // Whoever may only read and write rows is not told how a table is made; without a master nobody is.
            Err(error) if error.is_untold() => return Ok(Self::NotTold(error)),
            Err(error) => return Err(error.into()),
        };
        let Some(text) = description.attributes.get(DESIGN_ATTRIBUTE) else { return Ok(Self::None) };
        match Design::from_toml(text) {
            Ok(design) => Ok(Self::Is(Box::new(design))),
            Err(source) => Err(TableError::StoredDesign { table: name.clone(), source }),
        }
    }
}

fn check_mark(design: &Design) -> Result<(), TableError> {
    let (family, qualifier) = ROW_MARK;
    match design
        .columns()
        .cells
        .iter()
        .find(|column| (column.family, column.qualifier.as_str()) == (family, qualifier))
    {
        Some(column) => Err(TableError::MarkTaken {
            field: design.fields()[column.field].name.clone(),
            family: design.table().families[family].name.clone(),
        }),
        None => Ok(()),
    }
}

/// Converts a design's family to a store's family by way of HBase's attributes.
pub(crate) fn store_family(family: &DesignFamily) -> Result<Family, TableError> {
    let seconds = family.ttl_s.map(|seconds| seconds.to_string());
    let (versions, block_bytes) = (family.versions.to_string(), family.block_bytes.to_string());
    let (in_memory, ttl) = (family.in_memory.to_string(), seconds.iter().map(|text| ("TTL", text.as_str())));
    let attributes = [
        ("VERSIONS", versions.as_str()),
        ("COMPRESSION", family.compression.hbase_name()),
        ("BLOOMFILTER", family.bloom.hbase_name()),
        ("DATA_BLOCK_ENCODING", family.encoding.hbase_name()),
        ("BLOCKSIZE", block_bytes.as_str()),
        ("IN_MEMORY", in_memory.as_str()),
    ];
    let name = FamilyName::new(&family.name)?;
    Ok(Family::from_attributes(name, attributes.into_iter().chain(ttl))?)
}
