//! The hosts and origins that requests name.
//!
//! A page of any site can post to a server on loopback, and by a name that leads there (DNS rebinding) can read its
//! answers. So the name in `Host` must be one of ours, and the site in `Origin`, which browsers add, too.

use axum::http::{HeaderMap, HeaderValue, Uri, header};
use std::net::IpAddr;

/// The hosts and origins that may be named.
#[derive(Debug, Clone)]
pub(crate) struct Origins {
    /// Names without ports, in small letters; empty for any.
    hosts: Vec<String>,
    /// As `https://example.org`.
    origins: Vec<String>,
}

/// Names of the machine itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It names no host, or another.
    Host,
    /// It comes from a page of another site.
    Origin,
}

impl Origins {
    /// On loopback the names of the machine and `hosts` may be named; else `hosts`, or any without these: what can be
    /// read there needs a token.
    pub(crate) fn new(address: IpAddr, hosts: &[String], origins: &[String]) -> Self {
        let mut hosts: Vec<String> = hosts.iter().map(|host| without_port(host).to_ascii_lowercase()).collect();
        if address.is_loopback() || !hosts.is_empty() {
            hosts.extend(LOOPBACK.map(str::to_owned));
            hosts.push(address.to_string());
        }
        let origins = origins.iter().map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()).collect();
        Self { hosts, origins }
    }

    /// Checks what a request names.
    pub(crate) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refused> {
        // Of several a proxy may have looked at another one than we do.
        if headers.get_all(header::HOST).iter().count() > 1 {
            return Err(Refused::Host);
        }
        let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = uri.authority().map(|authority| authority.as_str()).or(named).ok_or(Refused::Host)?;
        let host = host.to_ascii_lowercase();
        if !self.hosts.is_empty() && !self.hosts.iter().any(|known| known == without_port(&host)) {
            return Err(Refused::Host);
        }
        let Some(origin) = headers.get(header::ORIGIN) else {
            // Of an image or a script of another site a browser says no more than this.
            let said = |name| headers.get(name).map_or(&b""[..], |value| value.as_bytes());
            let is_foreign = matches!(said("sec-fetch-site"), b"cross-site" | b"same-site");
            return if is_foreign && said("sec-fetch-mode") != b"navigate" { Err(Refused::Origin) } else { Ok(()) };
        };
        let origin = origin.to_str().map_err(|_| Refused::Origin)?.to_ascii_lowercase();
        let own = |scheme: &str| origin.strip_prefix(scheme).is_some_and(|rest| rest == host);
        match own("http://") || own("https://") || self.origins.contains(&origin) {
            true => Ok(()),
            false => Err(Refused::Origin),
        }
    }
}

impl Origins {
    /// Whether pages of an origin may ask by name of `--origin`.
    pub(crate) fn allows(&self, origin: &HeaderValue) -> bool {
        let named = origin.to_str().map(str::to_ascii_lowercase);
        named.is_ok_and(|origin| self.origins.contains(&origin))
    }
}

/// A host without its port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const ANY: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

    fn check(origins: &Origins, host: &str, origin: Option<&str>) -> Result<(), Refused> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        origins.check(&headers, &Uri::from_static("/v1/search"))
    }

    #[test]
    fn on_loopback_only_its_own_names_are_answered() {
        let ours = Origins::new(LOCAL, &["Index.Example".to_owned()], &["https://wiki.example/".to_owned()]);
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "[::1]", "index.example:443"] {
            assert_eq!(check(&ours, host, None), Ok(()), "{host}");
            assert_eq!(check(&ours, host, Some(&format!("http://{host}"))), Ok(()), "{host}");
            assert_eq!(check(&ours, host, Some("https://wiki.example")), Ok(()), "{host}");
        }
        for host in ["evil.example", "127.0.0.2", "localhost.evil.example", "localhost:80:80", ""] {
            assert_eq!(check(&ours, host, None), Err(Refused::Host), "{host}");
        }
        for origin in ["null", "http://evil.example", "http://localhost:81", "https://wiki.example.evil", ""] {
            assert_eq!(check(&ours, "localhost:80", Some(origin)), Err(Refused::Origin), "{origin}");
        }
    }

    #[test]
    fn elsewhere_any_name_is_answered_unless_some_are_given() {
        let any = Origins::new(ANY, &[], &[]);
        assert_eq!(check(&any, "any.example", None), Ok(()));
        assert_eq!(check(&any, "any.example", Some("http://other.example")), Err(Refused::Origin));
        let one = Origins::new(ANY, &["one.example".to_owned()], &[]);
        assert_eq!(check(&one, "any.example", None), Err(Refused::Host));
        let mut several = HeaderMap::new();
        several.append(header::HOST, HeaderValue::from_static("one.example"));
        several.append(header::HOST, HeaderValue::from_static("localhost"));
        assert_eq!(any.check(&several, &Uri::from_static("/")), Err(Refused::Host));
        let nothing = any.check(&HeaderMap::new(), &Uri::from_static("/"));
        assert_eq!(nothing, Err(Refused::Host));
    }

    #[test]
    fn what_a_browser_fetches_for_another_site_is_refused() {
        let ours = Origins::new(LOCAL, &[], &[]);
        let fetched = |site: &'static str, mode: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost"));
            headers.insert("sec-fetch-site", HeaderValue::from_static(site));
            headers.insert("sec-fetch-mode", HeaderValue::from_static(mode));
            ours.check(&headers, &Uri::from_static("/v1/survey"))
        };
        assert_eq!(fetched("cross-site", "no-cors"), Err(Refused::Origin));
        assert_eq!(fetched("same-site", "no-cors"), Err(Refused::Origin));
        assert_eq!((fetched("cross-site", "navigate"), fetched("same-origin", "cors")), (Ok(()), Ok(())));
    }
}
