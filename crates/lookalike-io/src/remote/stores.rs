//! Connections to stores, and their errors as one line.
//!
//! Credentials, regions and endpoints come from the environment, by the names that the tools of each store use
//! (`AWS_...`, `GOOGLE_...`, `AZURE_...`). One thread drives all transfers: they wait for the network, not for the CPU.

use super::address::{RemoteUrl, StoreKind};
use crate::base::details::Action;
use crate::base::{Error, Result};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path as ObjectPath;
use object_store::{ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// Maximum number of retries: with more, a mistyped host would be reported only after minutes.
const MAX_RETRIES: usize = 7;
/// Timeout between two reads. A transfer that makes progress may take as long as [`MAX_TRANSFER`].
const MAX_SILENCE: &str = "60s";
const MAX_TRANSFER: &str = "30days";
/// Maximum number of characters of a store's answer in a message.
const MAX_CHARACTERS: usize = 300;

/// The runtime of transfers, driven by the thread that waits for them.
#[derive(Debug)]
pub(super) struct Transfers {
    runtime: Runtime,
}

/// Stores by scheme and bucket, each with its number in order of first use.
pub(super) type OpenStores = BTreeMap<String, (usize, Arc<dyn ObjectStore>)>;

impl Transfers {
    pub(super) fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| Error::io(Action::StartTransfers, "a store".as_ref(), source))?;
        Ok(Self { runtime })
    }

    /// Blocks until transfers are complete.
    pub(super) fn wait<T>(&self, transfers: impl Future<Output = T>) -> T {
        self.runtime.block_on(transfers)
    }
}

/// The store of a URL.
pub(super) fn open(url: &RemoteUrl) -> Result<Arc<dyn ObjectStore>> {
    // Fails if the program has installed another provider before, which serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig { max_retries: MAX_RETRIES, ..RetryConfig::default() };
    let times = [(ClientConfigKey::Timeout, MAX_TRANSFER), (ClientConfigKey::ReadTimeout, MAX_SILENCE)];
    macro_rules! configured {
        ($builder:ident, $key:ident) => {{
            let builder = $builder::from_env().with_url(&url.base).with_retry(retry);
            let builder =
                times.into_iter().fold(builder, |builder, (key, value)| builder.with_config($key::Client(key), value));
            builder.build().map(|store| Arc::new(store) as _)
        }};
    }
    let store: object_store::Result<Arc<dyn ObjectStore>> = match url.kind {
        StoreKind::S3 => configured!(AmazonS3Builder, AmazonS3ConfigKey),
        StoreKind::GoogleCloud => configured!(GoogleCloudStorageBuilder, GoogleConfigKey),
        StoreKind::Azure => configured!(MicrosoftAzureBuilder, AzureConfigKey),
        StoreKind::Http => {
            // An explicit http:// is no mistake.
            let options = ClientOptions::new().with_allow_http(true);
            let options = times.into_iter().fold(options, |options, (key, value)| options.with_config(key, value));
            let builder = HttpBuilder::new().with_url(&url.base).with_retry(retry).with_client_options(options);
            builder.build().map(|store| Arc::new(store) as _)
        }
    };
    store.map_err(|error| refused(Action::Reach, url, &error))
}

/// The key of a URL in the form that its store takes.
pub(super) fn location(url: &RemoteUrl) -> Result<ObjectPath> {
    let path = match url.kind {
        StoreKind::Http => ObjectPath::from_url_path(&url.key),
        _ => ObjectPath::parse(url.folder()),
    };
    path.map_err(|error| refused(Action::Reach, url, &error.into()))
}

/// An [`Error::Store`].
pub(super) fn refused(action: Action, url: &RemoteUrl, error: &object_store::Error) -> Error {
    Error::Store { action, url: url.text(), message: innermost_cause(error) }
}

/// The answer of the store or the error of the system, as one line. It is the innermost cause: the outer ones describe
/// requests, with addresses that the user does not know and that may contain signatures.
fn innermost_cause(error: &object_store::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    let text = text.strip_prefix("Server returned non-2xx status code: ").unwrap_or(&text);
    let answer = match (between(text, "<Code>", "</Code>"), between(text, "<Message>", "</Message>")) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code.to_owned(),
        _ => text.to_owned(),
    };
    // The metadata service of cloud machines, which is asked for credentials if the environment has none.
    let has_no_credentials = error.to_string().contains("169.254.169.254");
    let hint = if has_no_credentials {
        "no credentials in the environment, and none from the machine's provider: "
    } else {
        ""
    };
    let words = answer.split_whitespace().map(|word| match word.split_once('?') {
        Some((address, _)) if address.contains("://") => address,
        _ => word,
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let cut: String =
        line.trim_end_matches([':', ' ']).chars().filter(|c| !c.is_control()).take(MAX_CHARACTERS).collect();
    format!("{hint}{cut}")
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(begin)?;
    Some(rest.split_once(end)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(text: &str) -> object_store::Error {
        object_store::Error::Generic { store: "S3", source: text.to_owned().into() }
    }

    #[test]
    fn answers_become_one_line_without_signatures() {
        for (answer, expected) in [
            ("Server returned non-2xx status code: 404 Not Found: ", "404 Not Found"),
            (
                "403 Forbidden: <Error>\n<Code>AccessDenied</Code><Message>Access\nDenied</Message></Error>",
                "AccessDenied: Access Denied",
            ),
            ("error for url (https://host/x?sig=secret) was", "error for url (https://host/x was"),
        ] {
            assert_eq!(innermost_cause(&generic(answer)), expected);
        }
        assert_eq!(innermost_cause(&generic(&"x".repeat(5000))).len(), MAX_CHARACTERS);
        let lost = innermost_cause(&generic("Error performing PUT http://169.254.169.254/latest/api/token: timed out"));
        assert!(lost.starts_with("no credentials in the environment"), "{lost}");
    }
}
