//! Asking several servers the same.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::timeout;

/// How long a server is silent before the next is asked too.
const PATIENCE: Duration = Duration::from_secs(1);

/// The first answer. One server is asked after the other, the next when the one before it failed or is silent for long:
/// a silent one may still answer.
///
/// # Errors
///
/// What all of them said.
pub(crate) async fn first_answer<T, E>(
    questions: impl IntoIterator<Item = impl Future<Output = Result<T, E>>>,
) -> Result<T, Vec<E>> {
    let mut questions = questions.into_iter();
    let mut asked = FuturesUnordered::new();
    asked.extend(questions.next());
    let mut failures = Vec::new();
    loop {
        match timeout(PATIENCE, asked.next()).await {
            Ok(Some(Ok(answer))) => return Ok(answer),
            Ok(Some(Err(failure))) => failures.push(failure),
            Ok(None) => return Err(failures),
            Err(_) => {}
        }
        asked.extend(questions.next());
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
    async fn without_an_answer_each_failure_is_told() {
        assert_eq!(first_answer(asked(vec![Some(Err(1)), Some(Err(2))])).await, Err(vec![1, 2]));
        assert_eq!(first_answer(asked(Vec::new())).await, Err(Vec::new()));
    }
}
