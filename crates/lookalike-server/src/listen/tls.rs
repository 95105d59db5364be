//! TLS: certificate and key from files in PEM.

use crate::config::TlsFiles;
use crate::state::StartError;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt::{Debug, Formatter};
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Accepts connections by TLS.
#[derive(Clone)]
pub(super) struct Acceptor(TlsAcceptor);

impl Acceptor {
    pub(super) fn new(files: &TlsFiles) -> Result<Self, StartError> {
        let TlsFiles { certificate, key } = files;
        let unusable = |path: &Path, reason: String| StartError::Tls { path: path.to_owned(), reason };
        let in_certificate = |error: &dyn std::fmt::Display| unusable(certificate, error.to_string());
        let chain = CertificateDer::pem_file_iter(certificate).map_err(|error| in_certificate(&error))?;
        let chain = chain.collect::<Result<Vec<_>, _>>().map_err(|error| in_certificate(&error))?;
        let key_of_it = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key, error.to_string()))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().map_err(|error| in_certificate(&error))?;
        let config = config.with_no_client_auth().with_single_cert(chain, key_of_it);
        let mut config = config.map_err(|error| in_certificate(&error))?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    pub(super) async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> io::Result<TlsStream<S>> {
        self.0.accept(stream).await
    }
}

impl Debug for Acceptor {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Acceptor")
    }
}
