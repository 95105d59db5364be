//! The hosts and origins that requests name.
//!
//! A page of any site can post to a server on loopback, and by a name that leads there (DNS rebinding) can read its
//! answers. So the name in `Host` must be one of ours, and the site in `Origin`, which browsers add, too.

use crate::problem::{HttpProblem, Result};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use std::net::IpAddr;

/// Allowed hosts and origins.
#[derive(Debug, Clone)]
pub(crate) struct Origins {
    /// Names without ports, in small letters; empty for any.
    hosts: Vec<String>,
    /// Origins as `https://example.org`.
    origins: Vec<String>,
}

/// Names of the machine itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

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

    /// Checks the host and the origin that a request names.
    ///
    /// # Errors
    /// 421 if it names no host or another, 403 if it comes from a page of another site.
    pub(crate) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<()> {
        let other_host = || {
            let detail = "the server is not asked by the name in the header Host";
            HttpProblem::new(StatusCode::MISDIRECTED_REQUEST, detail)
        };
        let other_origin =
            || HttpProblem::new(StatusCode::FORBIDDEN, "pages of another origin may not ask this server");
        // Of several a proxy may have looked at another one than we do.
        if headers.get_all(header::HOST).iter().count() > 1 {
            return Err(other_host());
        }
        let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = uri.authority().map(|authority| authority.as_str()).or(named).ok_or_else(other_host)?;
        let host = host.to_ascii_lowercase();
        if !self.hosts.is_empty() && !self.hosts.iter().any(|known| known == without_port(&host)) {
            return Err(other_host());
        }
        let Some(origin) = headers.get(header::ORIGIN) else {
            // Of an image or a script of another site a browser says no more than this.
            let header = |name| headers.get(name).map_or(&b""[..], |value| value.as_bytes());
            let is_foreign = matches!(header("sec-fetch-site"), b"cross-site" | b"same-site");
            return if is_foreign && header("sec-fetch-mode") != b"navigate" { Err(other_origin()) } else { Ok(()) };
        };
        let origin = origin.to_str().map_err(|_| other_origin())?.to_ascii_lowercase();
        let own = |scheme: &str| origin.strip_prefix(scheme).is_some_and(|rest| rest == host);
        let is_ours = own("http://") || own("https://") || self.origins.contains(&origin);
        if is_ours { Ok(()) } else { Err(other_origin()) }
    }

    /// True if pages of an origin may ask by name of `--origin`.
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

    const HOST: Option<u16> = Some(421);
    const ORIGIN: Option<u16> = Some(403);

    /// The status of a refusal.
    fn status(checked: Result<()>) -> Option<u16> {
        checked.err().map(|problem| problem.status.as_u16())
    }

    fn check(origins: &Origins, host: &str, origin: Option<&str>) -> Option<u16> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        status(origins.check(&headers, &Uri::from_static("/v1/search")))
    }

    #[test]
    fn on_loopback_only_its_own_names_are_answered() {
        let ours = Origins::new(LOCAL, &["Index.Example".to_owned()], &["https://wiki.example/".to_owned()]);
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "[::1]", "index.example:443"] {
            assert_eq!(check(&ours, host, None), None, "{host}");
            assert_eq!(check(&ours, host, Some(&format!("http://{host}"))), None, "{host}");
            assert_eq!(check(&ours, host, Some("https://wiki.example")), None, "{host}");
        }
        for host in ["evil.example", "127.0.0.2", "localhost.evil.example", "localhost:80:80", ""] {
            assert_eq!(check(&ours, host, None), HOST, "{host}");
        }
        for origin in ["null", "http://evil.example", "http://localhost:81", "https://wiki.example.evil", ""] {
            assert_eq!(check(&ours, "localhost:80", Some(origin)), ORIGIN, "{origin}");
        }
    }

    #[test]
    fn elsewhere_any_name_is_answered_unless_some_are_given() {
        let any = Origins::new(ANY, &[], &[]);
        assert_eq!(check(&any, "any.example", None), None);
        assert_eq!(check(&any, "any.example", Some("http://other.example")), ORIGIN);
        let one = Origins::new(ANY, &["one.example".to_owned()], &[]);
        assert_eq!(check(&one, "any.example", None), HOST);
        let mut several = HeaderMap::new();
        several.append(header::HOST, HeaderValue::from_static("one.example"));
        several.append(header::HOST, HeaderValue::from_static("localhost"));
        assert_eq!(status(any.check(&several, &Uri::from_static("/"))), HOST);
        let nothing = status(any.check(&HeaderMap::new(), &Uri::from_static("/")));
        assert_eq!(nothing, HOST);
    }

    #[test]
    fn what_a_browser_fetches_for_another_site_is_refused() {
        let ours = Origins::new(LOCAL, &[], &[]);
        let fetched = |site: &'static str, mode: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("localhost"));
            headers.insert("sec-fetch-site", HeaderValue::from_static(site));
            headers.insert("sec-fetch-mode", HeaderValue::from_static(mode));
            status(ours.check(&headers, &Uri::from_static("/v1/survey")))
        };
        assert_eq!(fetched("cross-site", "no-cors"), ORIGIN);
        assert_eq!(fetched("same-site", "no-cors"), ORIGIN);
        assert_eq!((fetched("cross-site", "navigate"), fetched("same-origin", "cors")), (None, None));
    }
}
