use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, header};
use data_encoding::HEXLOWER;
use tokio::sync::watch;

/// Browsers that may ask, and the token for the next one.
///
/// A token is valid once. It gives a session, whose cookie scripts can't read and other sites don't send; another token
/// is made in its place. Both are 128 random bits. Sessions end with the process.
#[derive(Debug)]
pub(crate) struct Sessions {
    /// Cookies of other ports of the same host are sent, too, so each has a name of its own.
    cookie: String,
    token: watch::Sender<String>,
    ids: Mutex<VecDeque<String>>,
}

/// Far more browsers than one console has; the oldest goes first.
const MOST_SESSIONS: usize = 64;

impl Sessions {
    pub(crate) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let (token, _) = watch::channel(random()?);
        Ok(Self { cookie: format!("keystride-{port}"), token, ids: Mutex::new(VecDeque::new()) })
    }

    /// Returns the token that is valid now, and those that follow it.
    pub(crate) fn tokens(&self) -> watch::Receiver<String> {
        self.token.subscribe()
    }

    /// Uses a token: returns the value of the header that sets the cookie of a new session, unless it is none or was used.
    pub(crate) fn begin(&self, token: &str, path: &str) -> Option<String> {
        let (next, id) = (random().ok()?, random().ok()?);
        let is_used = self.token.send_if_modified(|valid| {
            let is_valid = is_equal(valid, token);
            if is_valid {
                *valid = next;
            }
            is_valid
        });
        if !is_used {
            return None;
        }
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.truncate(MOST_SESSIONS - 1);
        ids.push_front(id.clone());
        Some(format!("{}={id}; HttpOnly; SameSite=Strict; Path={path}/", self.cookie))
    }

    /// Whether a request has the cookie of a session.
    pub(crate) fn knows(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|value| value.split(';')).filter_map(|c| c.trim().split_once('='));
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        cookies.any(|(name, value)| name == self.cookie && ids.iter().any(|id| is_equal(id, value)))
    }
}

/// Compares in a time that does not depend on where they differ.
fn is_equal(one: &str, other: &str) -> bool {
    let differs = one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differs == 0
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(HEXLOWER.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_gives_one_session_and_the_next_token_another() {
        let sessions = Sessions::new(7070).unwrap();
        let tokens = sessions.tokens();
        let first = tokens.borrow().clone();
        let cookie = sessions.begin(&first, "").unwrap();
        assert_eq!(sessions.begin(&first, ""), None);
        let second = tokens.borrow().clone();
        assert!(sessions.begin(&second, "").is_some() && second != first);

        let mut headers = HeaderMap::new();
        assert!(!sessions.knows(&headers));
        headers
            .insert(header::COOKIE, format!("a=b; {}", cookie.split(';').next().unwrap()).parse().unwrap());
        assert!(sessions.knows(&headers));
        headers.insert(header::COOKIE, "keystride-7070=".parse().unwrap());
        assert!(!sessions.knows(&headers));
    }
}
