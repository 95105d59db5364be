//! The stand-in for TLS in a build without the feature `tls`: a certificate is refused.

use crate::config::TlsFiles;
use crate::state::StartError;
use std::io;

/// Never constructed.
#[derive(Debug, Clone)]
pub(super) enum Acceptor {}

impl Acceptor {
    pub(super) fn new(files: &TlsFiles) -> Result<Self, StartError> {
        let reason = "this build has no TLS: build it with `--features tls`".to_owned();
        Err(StartError::Tls { path: files.certificate.clone(), reason })
    }

    pub(super) async fn accept<S>(&self, _stream: S) -> io::Result<S> {
        match *self {}
    }
}
