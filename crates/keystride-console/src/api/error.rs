use std::error::Error;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use keystride::SplitError;
use keystride::design::DesignError;
use keystride::time::TimeError;
use keystride_app::error_text::with_causes;
use keystride_app::fields::FieldError;
use keystride_app::key_text::KeyTextError;
use keystride_app::new_table::FamilyError;
use keystride_app::sample::SampleError;
use keystride_app::splits::SplitChoiceError;
use keystride_store::{NameError, StoreError};
use keystride_table::extract::ExtractError;
use keystride_table::input::InputError;
use keystride_table::{ReadError, TableError};
use serde::Serialize;

use super::MOST_BODY_BYTES;
use crate::files::Place;

/// Why a request is refused, as a document: a word for programs, and a sentence.
#[derive(Debug, Serialize)]
pub(crate) struct ApiError {
    #[serde(skip)]
    status: StatusCode,
    /// The word: pages have sentences of their own for some.
    code: &'static str,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// What was asked for is not right.
    pub(crate) fn invalid(code: &'static str, error: &dyn Error) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, with_causes(error))
    }

    pub(crate) fn unknown_host() -> Self {
        let message = "this name is not the console's: keystride serve --allow-host NAME allows it";
        Self::new(StatusCode::MISDIRECTED_REQUEST, "unknown-host", message)
    }

    pub(crate) fn other_site() -> Self {
        let message =
            "what changes something comes from the console's own pages, or has the header x-keystride";
        Self::new(StatusCode::FORBIDDEN, "other-site", message)
    }

    pub(crate) fn no_session() -> Self {
        let message = "open the address that `keystride serve` prints: its token is valid once";
        Self::new(StatusCode::UNAUTHORIZED, "no-session", message)
    }

    pub(crate) fn read_only() -> Self {
        let message = "this console only reads: `keystride serve --allow-write` allows changes";
        Self::new(StatusCode::FORBIDDEN, "read-only", message)
    }

    pub(crate) fn no_such_page() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no-such-page", "there is nothing at this address")
    }

    pub(crate) fn no_such_file() -> Self {
        Self::new(StatusCode::NOT_FOUND, "no-such-file", "there is no such file below the folder of --files")
    }

    pub(crate) fn no_file() -> Self {
        let message = "this is no file, but a folder, a pipe or a device";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "no-file", message)
    }

    pub(crate) fn linked() -> Self {
        let message =
            "a link is there, and nothing is written through links: remove it, or name another place";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "linked", message)
    }

    pub(crate) fn busy_folder() -> Self {
        let message =
            "another extract writes to this folder: wait for its end, cancel it, or name another one";
        Self::new(StatusCode::CONFLICT, "busy-folder", message)
    }

    pub(crate) fn too_many_jobs(running: usize) -> Self {
        let message = format!("{running} loads and extracts are running: wait for the end of one");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-jobs", message)
    }

    pub(crate) fn bad_input(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "input", message)
    }

    /// Calls a file in the sentence as whoever asks knows it.
    pub(crate) fn naming(self, place: &Place) -> Self {
        Self { message: place.named_in(&self.message), ..self }
    }

    pub(crate) fn other_method() -> Self {
        let message = "this address takes other methods: GET /api/v1/openapi.json has them";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", message)
    }

    pub(crate) fn unreadable_address(status: StatusCode) -> Self {
        let message = "the address can't be read: names in it are UTF-8, percent-encoded";
        Self::new(status, "request", message)
    }

    pub(crate) fn unusable_points() -> Self {
        let message = "the list of split points has mistakes: mend them first";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unusable-points", message)
    }

    pub(crate) fn too_many_regions(most: usize) -> Self {
        let message = format!(
            "a preview by a design has at most {most} regions: leave the design out, or ask for fewer"
        );
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "too-many-regions", message)
    }

    /// What was begun ended by a mistake of the program.
    pub(crate) fn broken() -> Self {
        let message = "keystride has a mistake here: what it prints in its terminal tells more";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", message)
    }

    pub(crate) fn not_confirmed(table: &str) -> Self {
        let message = format!("write the name of the table, {table}, as \"confirm\"");
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "not-confirmed", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body<'a> {
            error: &'a ApiError,
        }
        tracing::debug!(code = self.code, message = %self.message, "refused");
        (self.status, Json(Body { error: &self })).into_response()
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let (status, code) = match &error {
            StoreError::UnknownTable { .. } => (StatusCode::NOT_FOUND, "unknown-table"),
            StoreError::TableExists { .. } => (StatusCode::CONFLICT, "table-exists"),
            StoreError::SplitExists { .. } => (StatusCode::CONFLICT, "split-exists"),
            StoreError::FamilyAttribute { .. }
            | StoreError::NoFamily { .. }
            | StoreError::FamilyTwice { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "family"),
            denied if denied.is_denied() => (StatusCode::FORBIDDEN, "denied"),
            StoreError::Cluster(_) => (StatusCode::BAD_GATEWAY, "cluster"),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "store"),
        };
        Self::new(status, code, with_causes(&error))
    }
}

impl From<TableError> for ApiError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Store(error) => error.into(),
            TableError::NoDesign { .. } => Self::invalid("no-design", &error),
            error => Self::invalid("table", &error),
        }
    }
}

impl From<JsonRejection> for ApiError {
    fn from(error: JsonRejection) -> Self {
        if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
            let message = format!("a request has at most {} MiB: send less", MOST_BODY_BYTES >> 20);
            return Self::new(error.status(), "too-large", message);
        }
        Self::new(error.status(), "request", error.body_text())
    }
}

impl From<QueryRejection> for ApiError {
    fn from(error: QueryRejection) -> Self {
        Self::new(error.status(), "request", error.body_text())
    }
}

macro_rules! invalid {
    ($($error:ty => $code:literal),* $(,)?) => {
        $(impl From<$error> for ApiError {
            fn from(error: $error) -> Self {
                Self::invalid($code, &error)
            }
        })*
    };
}

invalid! {
    DesignError => "design",
    ExtractError => "extract",
    FamilyError => "family",
    FieldError => "field",
    InputError => "input",
    KeyTextError => "key",
    NameError => "name",
    ReadError => "query",
    SampleError => "sample",
    SplitChoiceError => "splits",
    SplitError => "splits",
    TimeError => "time",
}
