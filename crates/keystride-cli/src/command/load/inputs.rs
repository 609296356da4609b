//! What a load reads: files or a topic.

use std::path::Path;
use std::sync::Arc;

use keystride::Design;
use keystride_app::load::{TopicLoad, TopicLoadError, rejects_writer, topic_rejects_writer};
use keystride_table::Table;
use keystride_table::input::{self, InputReader, RejectsWriter, Source, SourceSpec};
use keystride_table::load::{LoadId, LoadOptions, Start};
use keystride_table::source::kafka::TopicAddress;
use keystride_table::source::topic::{TopicEnd, TopicOutlet, TopicSource, TopicStart};

use super::{Load, outputs};
use crate::failure::Failure;
use crate::global::Global;
use crate::usage::Usage;

/// What is loaded.
pub(super) enum Inputs {
    Files {
        sources: Vec<Source>,
        /// `None` if the id follows from the files.
        id: Option<LoadId>,
    },
    Topic {
        topic: Box<TopicLoad>,
        id: LoadId,
    },
}

/// What is loaded, opened.
pub(super) enum Opened {
    Files(Box<InputReader>),
    Topic(Box<TopicSource>, Option<Box<dyn TopicOutlet>>),
}

impl Load {
    /// Returns what is to be loaded, by the arguments.
    pub(super) fn inputs(&self, global: &Global) -> Result<Inputs, Failure> {
        let named = self.args.load_id.as_deref().map(LoadId::new);
        let is_topic = |file: &&str| TopicAddress::is_meant(file);
        let Some(address) = self.files.iter().filter_map(|file| file.to_str()).find(is_topic) else {
            if let Some(option) = self.topic.given() {
                return Err(Usage::NoTopic { option }.into());
            }
            let specs: Vec<SourceSpec> = self.files.iter().map(SourceSpec::parse).collect();
            let sources = input::expand(&specs)?;
            let id = named.map_or_else(|| self.id_of(&sources), |id| Ok(Some(id)))?;
            return Ok(Inputs::Files { sources, id });
        };
        if self.files.len() > 1 {
            return Err(Usage::TopicAlone.into());
        }
        if let Some(option) = self.args.given_for_files() {
            return Err(Usage::NotOfTopics { option }.into());
        }
        let address = address.parse().map_err(Usage::from)?;
        let topic = self.topic.topic_load(global, address, self.input_options(), self.args.resume)?;
        let id = named.unwrap_or_else(|| topic.id());
        Ok(Inputs::Topic { topic: Box::new(topic), id })
    }

    /// Returns a fresh id for input that can be read only once; `None` if the id follows from the files.
    fn id_of(&self, sources: &[Source]) -> Result<Option<LoadId>, Usage> {
        if sources.iter().all(Source::has_fingerprint) {
            return Ok(None);
        }
        if self.args.resume {
            let needs = "the --load-id of the load to go on with, as nothing else tells which one it was";
            return Err(Usage::Needs { what: "--resume of standard input or a pipe", needs });
        }
        Ok(Some(LoadId::fresh()))
    }

    pub(super) fn rejects(&self, inputs: &Inputs) -> Result<Option<RejectsWriter>, Failure> {
        match inputs {
            Inputs::Files { sources, .. } => {
                let read = sources.iter().filter_map(Source::path).chain(self.design.as_deref());
                let read: Vec<&Path> = read.collect();
                outputs::rejects(&self.args, &read, |named| rejects_writer(named, sources))
            }
            Inputs::Topic { topic, .. } => {
                let read: Vec<&Path> =
                    self.design.as_deref().into_iter().chain(self.topic.schema()).collect();
                outputs::rejects(&self.args, &read, |named| {
                    topic_rejects_writer(named, topic.address.topic())
                })
            }
        }
    }
}

impl Inputs {
    pub(super) fn is_topic(&self) -> bool {
        matches!(self, Self::Topic { .. })
    }

    /// Returns the title of its progress.
    pub(super) fn title(&self) -> String {
        match self {
            Self::Topic { topic, .. } => topic.address.topic().to_owned(),
            Self::Files { sources, .. } => match sources.as_slice() {
                [one] => one.name().to_owned(),
                many => format!("{} files", many.len()),
            },
        }
    }

    /// Returns the options of its load by a design.
    fn options(&self, load: &Load, design: &Design) -> Result<LoadOptions, Failure> {
        if load.args.has_timeless_windows(design, self.is_topic()) {
            return Err(Usage::NoTimeForWindows.into());
        }
        let id = match self {
            Self::Files { id: Some(id), .. } | Self::Topic { id, .. } => id.clone(),
            Self::Files { sources, id: None } => LoadId::of_sources(sources, design)?,
        };
        Ok(load.args.options(id)?)
    }

    /// Opens it for a load into a table.
    pub(super) async fn open(
        self,
        load: &Load,
        global: &Global,
        table: &Table,
        design: Arc<Design>,
    ) -> Result<(Opened, LoadOptions), Failure> {
        let options = self.options(load, &design)?;
        match self {
            Self::Files { sources, .. } => {
                let input = load.input_options();
                // A header may take long to arrive; Ctrl-C must work while waiting for it.
                let reader = apart(move || InputReader::open(design, sources, input)).await?;
                Ok((Opened::Files(Box::new(reader)), options))
            }
            Self::Topic { topic, .. } => {
                topic.check(&design)?;
                let options = topic.options(global.backend()?, options);
                let (begin, start) = topic.start(table, &options).await?;
                let options = LoadOptions { start, ..options };
                let opened = apart(move || Ok((topic.open(design, begin)?, topic.open_outlet()?)));
                let (source, outlet) = opened.await.map_err(|error: TopicLoadError| Failure::from(error))?;
                Ok((Opened::Topic(Box::new(source), outlet), options))
            }
        }
    }

    /// Opens it to read it only, on this thread.
    pub(super) fn open_to_try(
        self,
        load: &Load,
        design: Arc<Design>,
    ) -> Result<(Opened, LoadOptions), Failure> {
        let options = self.options(load, &design)?;
        match self {
            Self::Files { sources, .. } => {
                let reader = InputReader::open(design, sources, load.input_options())?;
                Ok((Opened::Files(Box::new(reader)), options))
            }
            Self::Topic { mut topic, .. } => {
                topic.check(&design)?;
                let begin = topic.start.filter(|start| *start != TopicStart::Stored);
                let no_start = || TopicLoadError::NoStart { topic: topic.address.topic().to_owned() };
                let begin = begin.ok_or_else(no_start)?;
                if topic.end == TopicEnd::Never {
                    topic.end = TopicEnd::Now;
                }
                let options = LoadOptions { start: Start::Anew, ..options };
                Ok((Opened::Topic(Box::new(topic.open(design, begin)?), None), options))
            }
        }
    }
}

/// Does work that blocks on a thread for that.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
}
