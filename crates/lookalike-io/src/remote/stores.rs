//! Connections to stores, and what they say when something is wrong.
//!
//! Credentials, regions and endpoints come from the environment, by the names that the tools of each store use (`AWS_...`,
//! `GOOGLE_...`, `AZURE_...`). One thread drives all transfers: they wait for the network, not for a processor.

use super::address::{RemoteUrl, StoreKind};
use crate::error::{Error, Result};
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

/// More tries would keep one waiting for minutes who has mistyped a host.
const MOST_RETRIES: usize = 7;
/// A transfer may take as long as it takes, if only it goes on.
const LONGEST_SILENCE: &str = "60s";
const LONGEST_TRANSFER: &str = "30days";
/// Of what a store says.
const MOST_CHARACTERS: usize = 300;

/// The thread that drives transfers: the one that waits for them.
#[derive(Debug)]
pub(super) struct Transfers {
    runtime: Runtime,
}

/// By scheme and bucket: the number of a store, in the order of their first use, and the store.
pub(super) type OpenStores = BTreeMap<String, (usize, Arc<dyn ObjectStore>)>;

impl Transfers {
    pub(super) fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| Error::io("start transfers to", "a store".as_ref(), source))?;
        Ok(Self { runtime })
    }

    /// Waits for transfers.
    pub(super) fn wait<T>(&self, transfers: impl Future<Output = T>) -> T {
        self.runtime.block_on(transfers)
    }
}

/// The store of a URL.
pub(super) fn open(url: &RemoteUrl) -> Result<Arc<dyn ObjectStore>> {
    // Refused if the program has chosen another one before, and then that does.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig { max_retries: MOST_RETRIES, ..RetryConfig::default() };
    let times = [(ClientConfigKey::Timeout, LONGEST_TRANSFER), (ClientConfigKey::ReadTimeout, LONGEST_SILENCE)];
    let store: object_store::Result<Arc<dyn ObjectStore>> = match url.kind {
        StoreKind::S3 => {
            let builder = AmazonS3Builder::from_env().with_url(&url.base).with_retry(retry);
            let with =
                |builder: AmazonS3Builder, (key, value)| builder.with_config(AmazonS3ConfigKey::Client(key), value);
            times.into_iter().fold(builder, with).build().map(|store| Arc::new(store) as _)
        }
        StoreKind::GoogleCloud => {
            let builder = GoogleCloudStorageBuilder::from_env().with_url(&url.base).with_retry(retry);
            let with = |builder: GoogleCloudStorageBuilder, (key, value)| {
                builder.with_config(GoogleConfigKey::Client(key), value)
            };
            times.into_iter().fold(builder, with).build().map(|store| Arc::new(store) as _)
        }
        StoreKind::Azure => {
            let builder = MicrosoftAzureBuilder::from_env().with_url(&url.base).with_retry(retry);
            let with =
                |builder: MicrosoftAzureBuilder, (key, value)| builder.with_config(AzureConfigKey::Client(key), value);
            times.into_iter().fold(builder, with).build().map(|store| Arc::new(store) as _)
        }
        StoreKind::Http => {
            // Who writes http:// means it.
            let options = ClientOptions::new().with_allow_http(true);
            let options = times.into_iter().fold(options, |options, (key, value)| options.with_config(key, value));
            let builder = HttpBuilder::new().with_url(&url.base).with_retry(retry).with_client_options(options);
            builder.build().map(|store| Arc::new(store) as _)
        }
    };
    store.map_err(|error| refused("reach", url, &error))
}

/// The key of a URL as its store takes it.
pub(super) fn location(url: &RemoteUrl) -> Result<ObjectPath> {
    let path = match url.kind {
        StoreKind::Http => ObjectPath::from_url_path(&url.key),
        _ => ObjectPath::parse(url.folder()),
    };
    path.map_err(|error| refused("reach", url, &error.into()))
}

/// An error of a store in one line.
pub(super) fn refused(action: &'static str, url: &RemoteUrl, error: &object_store::Error) -> Error {
    Error::Store { action, url: url.text(), message: said(error) }
}

/// What the store said, or the system: that is the innermost cause. Around it stand requests, with addresses that a user has
/// never seen and that may hold signatures.
fn said(error: &object_store::Error) -> String {
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
    // The service that gives credentials to machines of this provider; it is asked if there are no others.
    let is_without = error.to_string().contains("169.254.169.254");
    let hint =
        if is_without { "no credentials in the environment, and none from the machine's provider: " } else { "" };
    let words = answer.split_whitespace().map(|word| match word.split_once('?') {
        Some((address, _)) if address.contains("://") => address,
        _ => word,
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let cut: String =
        line.trim_end_matches([':', ' ']).chars().filter(|c| !c.is_control()).take(MOST_CHARACTERS).collect();
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
            assert_eq!(said(&generic(answer)), expected);
        }
        assert_eq!(said(&generic(&"x".repeat(5000))).len(), MOST_CHARACTERS);
        let lost = said(&generic("Error performing PUT http://169.254.169.254/latest/api/token: timed out"));
        assert!(lost.starts_with("no credentials in the environment"), "{lost}");
    }
}
