//! Java programs that tests compare with: those of HBase and Kafka, and ours in `java/`.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::jvm::{self, Life};
use crate::site::LogLevel;
use crate::tool::output_of;
use crate::watchdog::Watchdog;
use crate::{HarnessError, Jars, Site, Tool};

const HEAP_MIB: u32 = 512;

/// A Java source file of one public class, and how it is run.
///
/// ```no_run
/// use keystride_hbase_harness::{JavaProgram, Jars, shared};
///
/// let site = shared()?.address().client_site();
/// let cells = Jars::ready()?.text(&JavaProgram::dump().with_arguments(["--raw", "my_table"]), &site)?;
/// assert!(cells.starts_with("726f77\t66\t71\t1400657685457\tPut\t"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct JavaProgram {
    source: PathBuf,
    arguments: Vec<String>,
    input: Vec<u8>,
    site: Site,
}

impl JavaProgram {
    /// The program of a file whose name is that of its main class.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self { source: source.into(), arguments: Vec::new(), input: Vec::new(), site: Site::new() }
    }

    /// `java/Dump.java`: prints every cell of a table.
    pub fn dump() -> Self {
        Self::new(concat!(env!("CARGO_MANIFEST_DIR"), "/java/Dump.java"))
    }

    /// `java/Fill.java`: writes cells as `Dump` prints them.
    pub fn fill() -> Self {
        Self::new(concat!(env!("CARGO_MANIFEST_DIR"), "/java/Fill.java"))
    }

    /// `java/Throttle.java`: gives a table a quota.
    pub fn throttle() -> Self {
        Self::new(concat!(env!("CARGO_MANIFEST_DIR"), "/java/Throttle.java"))
    }

    /// `java/Grant.java`: grants a user actions on tables.
    pub fn grant() -> Self {
        Self::new(concat!(env!("CARGO_MANIFEST_DIR"), "/java/Grant.java"))
    }

    /// With these arguments after those it has.
    #[must_use]
    pub fn with_arguments<A: Into<String>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// With these bytes on standard input.
    #[must_use]
    pub fn with_input(self, input: impl Into<Vec<u8>>) -> Self {
        Self { input: input.into(), ..self }
    }

    /// With a property of HBase's client.
    #[must_use]
    pub fn with_property(mut self, name: &str, value: impl ToString) -> Self {
        self.site = self.site.with(name, value);
        self
    }

    fn main_class(&self) -> String {
        self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// A Java program that is ready to be started, with the folder that it needs as long as it runs.
#[derive(Debug)]
pub struct JavaCommand {
    /// How it is started; the system ends it with the thread that did so.
    pub command: Command,
    _watchdog: Watchdog,
}

impl Jars {
    /// Compiles a program, unless that was done before, and runs it to its end.
    ///
    /// `site` says how it reaches a cluster: [`Address::client_site`](crate::Address::client_site).
    ///
    /// # Errors
    ///
    /// It does not compile or could not be started. Its exit code is the caller's to judge.
    pub fn run(&self, program: &JavaProgram, site: &Site) -> Result<Output, HarnessError> {
        let (class_path, run) = self.compiled(program)?;
        hbase_java(&class_path, &run, &program.input, &site.clone().with_all(&program.site))
    }

    /// What a program prints, demanding that it ends with 0.
    ///
    /// # Errors
    ///
    /// See [`run`](Self::run); where it ends otherwise, the error has all that it printed.
    pub fn text(&self, program: &JavaProgram, site: &Site) -> Result<String, HarnessError> {
        let output = self.run(program, site)?;
        Tool::Java.demand_success(&output)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A program for its caller to start, on a machine that compiles as well as Java can: one that works for minutes, or
    /// that is measured.
    ///
    /// What it reads is the caller's to give: [`JavaProgram::with_input`] does not count here.
    ///
    /// # Errors
    ///
    /// It does not compile, or its settings could not be written.
    pub fn command(
        &self,
        program: &JavaProgram,
        site: &Site,
        heap_mib: u32,
    ) -> Result<JavaCommand, HarnessError> {
        let (class_path, run) = self.compiled(program)?;
        let site = site.clone().with_all(&program.site);
        JavaCommand::new((Life::Long, heap_mib), &class_path, &run, |conf| {
            site.write_to(conf, LogLevel::Warn)
        })
    }

    /// Makes a table of family `f` with HBase's own `RegionSplitter`: the algorithm as that spells it.
    ///
    /// # Errors
    ///
    /// It could not be started; where it ends otherwise than well, the error has all that it printed.
    pub fn region_splitter(
        &self,
        table: &str,
        algorithm: &str,
        regions: u32,
        site: &Site,
    ) -> Result<(), HarnessError> {
        let regions = regions.to_string();
        let arguments =
            ["org.apache.hadoop.hbase.util.RegionSplitter", "-c", &regions, "-f", "f", table, algorithm];
        Tool::Java.demand_success(&hbase_java(&self.class_path(), &arguments.map(str::to_owned), &[], site)?)
    }

    /// The class path of a program, and its main class with its arguments.
    fn compiled(&self, program: &JavaProgram) -> Result<(String, Vec<String>), HarnessError> {
        let classes = self.compile(&program.source)?;
        let mut run = vec![program.main_class()];
        run.extend_from_slice(&program.arguments);
        Ok((format!("{}:{}", classes.display(), self.class_path()), run))
    }

    /// The folder with the classes of a source, named after what is in it.
    pub(crate) fn compile(&self, source: &Path) -> Result<PathBuf, HarnessError> {
        let text = fs::read(source).map_err(HarnessError::file(source))?;
        let classes = self.folder().join(format!("classes-{:016x}", hash_of(&text)));
        if !classes.is_dir() {
            let made = tempfile::tempdir_in(self.folder()).map_err(HarnessError::file(self.folder()))?;
            self.compile_into(made.path(), source)?;
            // In one step; another process may have been faster, with the same classes.
            let moved = fs::rename(made.path(), &classes);
            moved
                .or_else(|error| if classes.is_dir() { Ok(()) } else { Err(error) })
                .map_err(HarnessError::file(&classes))?;
        }
        Ok(classes)
    }

    fn compile_into(&self, folder: &Path, source: &Path) -> Result<(), HarnessError> {
        let (folder, source) = (folder.display().to_string(), source.display().to_string());
        let class_path = self.class_path();
        let arguments = [
            "-J-XX:-UsePerfData",
            "-proc:none",
            "-Xlint:all,-path",
            "-cp",
            &class_path,
            "-d",
            &folder,
            &source,
        ];
        Tool::Javac.run(&arguments, Path::new(".")).map(drop)
    }
}

impl JavaCommand {
    /// `write_conf` writes the folder that stands first in the class path.
    pub(crate) fn new(
        (life, heap_mib): (Life, u32),
        class_path: &str,
        run: &[String],
        write_conf: impl FnOnce(&Path) -> Result<(), HarnessError>,
    ) -> Result<Self, HarnessError> {
        // Only for its folder, which goes even if this process is killed.
        let watchdog = Watchdog::start("java")?;
        let conf = watchdog.folder().join("conf");
        write_conf(&conf)?;
        let mut command = Tool::Java.bound_command();
        command
            .args(jvm::options(life, heap_mib, &watchdog.tmp()))
            .args(["-cp", &format!("{}:{class_path}", conf.display())])
            .args(run);
        Ok(Self { command, _watchdog: watchdog })
    }
}

fn hbase_java(class_path: &str, run: &[String], input: &[u8], site: &Site) -> Result<Output, HarnessError> {
    java(class_path, run, input, |conf| site.write_to(conf, LogLevel::Warn))
}

/// Runs a program of a few calls to its end; the rest as in [`JavaCommand::new`].
pub(crate) fn java(
    class_path: &str,
    run: &[String],
    input: &[u8],
    write_conf: impl FnOnce(&Path) -> Result<(), HarnessError>,
) -> Result<Output, HarnessError> {
    let JavaCommand { command, _watchdog } =
        JavaCommand::new((Life::Short, HEAP_MIB), class_path, run, write_conf)?;
    output_of(command, input).map_err(|source| HarnessError::Run { tool: Tool::Java, source })
}

/// Another compiler may hash otherwise: then a program is compiled once more.
fn hash_of(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
