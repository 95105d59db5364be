//! Numbers for Prometheus.

use axum::http::StatusCode;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

/// A route and the status of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnswerLabels {
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

/// Counters and gauges.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<AnswerLabels, Counter>,
    seconds: Family<RouteLabels, Histogram>,
    documents: Gauge,
    waiting_questions: Gauge,
    waiting_changes: Gauge,
    memory: Gauge,
    pub(crate) connections: Gauge,
}

/// Buckets from half a millisecond to 33 seconds.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0005, 2.0, 17))
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("lookalike");
        let requests = Family::default();
        let connections = Gauge::default();
        let seconds = Family::<RouteLabels, Histogram>::new_with_constructor(seconds);
        let [documents, waiting_questions, waiting_changes] = [(); 3].map(|()| Gauge::default());
        registry.register("requests", "Requests that were answered", requests.clone());
        registry.register_with_unit("request", "Time of requests", Unit::Seconds, seconds.clone());
        registry.register("documents", "Documents of the index", documents.clone());
        registry.register("waiting_questions", "Questions that wait for a thread", waiting_questions.clone());
        registry.register("waiting_changes", "Changes that wait to be made", waiting_changes.clone());
        let memory = Gauge::default();
        let of_memory = "Memory of bodies, of the work on large ones, and of answers that are not taken";
        registry.register_with_unit("in_flight", of_memory, Unit::Bytes, memory.clone());
        registry.register("connections", "Open connections", connections.clone());
        Self { registry, requests, seconds, documents, waiting_questions, waiting_changes, memory, connections }
    }
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn answered(&self, route: &str, status: StatusCode, time: Duration) {
        let route = route.to_owned();
        self.seconds.get_or_create(&RouteLabels { route: route.clone() }).observe(time.as_secs_f64());
        self.requests.get_or_create(&AnswerLabels { route, status: status.as_u16() }).inc();
    }

    /// The numbers in the text format of OpenMetrics.
    pub(crate) fn encoded(&self, documents: usize, waiting: [usize; 2], in_flight_bytes: usize) -> String {
        let set = |gauge: &Gauge, number: usize| gauge.set(i64::try_from(number).unwrap_or(i64::MAX));
        set(&self.documents, documents);
        set(&self.waiting_questions, waiting[0]);
        set(&self.waiting_changes, waiting[1]);
        set(&self.memory, in_flight_bytes);
        let mut encoded = String::new();
        match text::encode(&mut encoded, &self.registry) {
            Ok(()) => encoded,
            Err(error) => format!("# {error}\n"),
        }
    }
}
