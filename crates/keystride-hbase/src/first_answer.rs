//! Sending the same request to several servers.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::timeout;

/// How long to wait for a server before asking the next one too.
const PATIENCE: Duration = Duration::from_secs(1);

/// The first successful answer. The servers are asked in order: the next one when the previous one failed or did not
/// answer within [`PATIENCE`]. A slow server may still answer.
///
/// # Errors
///
/// The errors of all servers.
pub(crate) async fn first_answer<T, E>(
    requests: impl IntoIterator<Item = impl Future<Output = Result<T, E>>>,
) -> Result<T, Vec<E>> {
    let mut requests = requests.into_iter();
    let mut asked = FuturesUnordered::new();
    asked.extend(requests.next());
    let mut failures = Vec::new();
    loop {
        match timeout(PATIENCE, asked.next()).await {
            Ok(Some(Ok(answer))) => return Ok(answer),
            Ok(Some(Err(failure))) => failures.push(failure),
            Ok(None) => return Err(failures),
            Err(_) => {}
        }
        asked.extend(requests.next());
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use futures_util::future::{BoxFuture, FutureExt};

    use super::*;

    fn asked(answers: Vec<Option<Result<u8, u8>>>) -> Vec<BoxFuture<'static, Result<u8, u8>>> {
        let ask =
            |answer: Option<_>| answer.map_or_else(|| pending().boxed(), |answer| ready(answer).boxed());
        answers.into_iter().map(ask).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn silent_and_failing_servers_are_passed_over() {
        assert_eq!(first_answer(asked(vec![None, Some(Err(1)), Some(Ok(2)), Some(Ok(3))])).await, Ok(2));
    }

    #[tokio::test(start_paused = true)]
    async fn without_an_answer_all_failures_are_returned() {
        assert_eq!(first_answer(asked(vec![Some(Err(1)), Some(Err(2))])).await, Err(vec![1, 2]));
        assert_eq!(first_answer(asked(Vec::new())).await, Err(Vec::new()));
    }
}
