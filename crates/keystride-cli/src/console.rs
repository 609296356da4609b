//! Serves the console until the command is to end.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use keystride_app::heat::heat_folder;
use keystride_console::{Listen, Listener, Options, Running};
use keystride_store::{EmbeddedOptions, StoreAddress};

use crate::failure::Failure;
use crate::global::Global;
use crate::open_store::{Missing, in_store, run, store_options};
use crate::output::{print_lines, say};
use crate::stop;

/// A console that is to be served.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) listen: Listen,
    pub(crate) options: Options,
    /// Whether a browser is opened.
    pub(crate) open: bool,
    /// The page that is opened, such as `t/calls/heat`.
    pub(crate) page: &'static str,
}

impl Console {
    /// Serves it; `begin` is done meanwhile.
    pub(crate) fn serve(
        self,
        global: &Global,
        begin: impl AsyncFnOnce(&Running) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        run(async {
            let listener = Listener::bind(self.listen).await?;
            let embedded = EmbeddedOptions { console: Some(listener.url()), ..store_options(global) };
            let missing = if self.options.allow_write { Missing::Make } else { Missing::Fail };
            in_store(global, missing, embedded, async |store| {
                let history = heat_folder(&*store, &self.options.store).await;
                if let Some(problem) = not_kept(history.as_deref()) {
                    say(global, &format!("the past of the heat is not kept: {problem}"));
                }
                let options = Options { history, ..self.options.clone() };
                let (running, serving) = listener.serve(store, options)?;
                self.tell(global, running.clone());
                begin(&running).await?;
                Ok(stop::in_order(serving, || running.end()).await?)
            })
            .await
        })
    }

    /// Prints the address, and another one each time that it has been used.
    fn tell(&self, global: &Global, mut running: Running) {
        let what = match &self.options.store {
            StoreAddress::Embedded(folder) => folder.display().to_string(),
            cluster => cluster.to_string(),
        };
        let changes = if self.options.allow_write { "tables can be changed" } else { "tables are only read" };
        say(global, &format!("the console of {what}: {changes}; Ctrl-C ends it"));
        if let Some(header) = &self.options.trusted_header {
            say(global, &format!("requests of this machine that have the header {header} need no token"));
        }
        let url = running.url_with_token(self.page);
        if self.open && !open_browser(&url) {
            say(global, "no browser could be opened; open this address");
        }
        // Nothing is lost when nobody reads it any more.
        let _ = print_lines(global, "url", std::iter::once(url));
        let (global, page) = (global.clone(), self.page);
        tokio::spawn(async move {
            while running.token_used().await {
                say(&global, &format!("for another browser: {}", running.url_with_token(page)));
            }
        });
    }
}

/// Returns why nothing can be kept in a folder, which is made if it is not there.
fn not_kept(folder: Option<&Path>) -> Option<String> {
    let Some(folder) = folder else {
        return Some("no folder is known for it: set HOME or XDG_STATE_HOME".to_owned());
    };
    let error = fs::create_dir_all(folder).err()?;
    Some(format!("{}: {error}", folder.display()))
}

/// Opens an address in the browser of the system, and returns whether that was begun.
fn open_browser(url: &str) -> bool {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
