use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::ApiError;

/// Gives a refusal that is not a document, as the framework makes some itself, its word and sentence.
pub(super) async fn worded(answer: Response) -> Response {
    let status = answer.status();
    let is_document =
        answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_document || !(status.is_client_error() || status.is_server_error()) {
        return answer;
    }
    match status {
        StatusCode::METHOD_NOT_ALLOWED => ApiError::other_method().into_response(),
        _ => ApiError::unreadable_address(status).into_response(),
    }
}
