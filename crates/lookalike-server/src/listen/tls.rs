//! TLS: certificate and key from files in PEM.

use crate::config::TlsFiles;
use crate::state::StartError;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::Path;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// What takes up connections by TLS.
pub(super) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, StartError> {
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
    Ok(TlsAcceptor::from(Arc::new(config)))
}
