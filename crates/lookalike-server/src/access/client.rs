//! Clients: who asks, whose shares are limited.

use super::TokenNumber;
use crate::problem::HttpProblem;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::convert::Infallible;
use std::net::IpAddr;

/// The address of the other end of a connection, as an extension of its requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Who asks. A proxy brings the requests of many as one client, unless they have tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Client {
    /// Whoever has this token, from any address.
    Known(TokenNumber),
    /// Whoever asks from this address without a token that is one of the server's.
    Unknown(Option<IpAddr>),
}

impl Client {
    /// True if the client has a token.
    pub(crate) fn is_known(self) -> bool {
        matches!(self, Self::Known(_))
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(client_of(&parts.extensions))
    }
}

/// The client that the guard has found for a request.
pub(crate) fn client_of(extensions: &axum::http::Extensions) -> Client {
    extensions.get().copied().unwrap_or(Client::Unknown(None))
}

impl From<Infallible> for HttpProblem {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}
