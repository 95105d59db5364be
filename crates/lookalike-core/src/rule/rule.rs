//! The noun that defines the consequences of near-duplicate pairs.

use crate::ground::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The consequences of near-duplicate pairs: the fourth noun of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rule {
    /// All pairs are listed.
    Pairs,
    /// The connected components of the pairs are listed.
    Clusters,
    /// A document is removed if and only if it is a near-duplicate of one that is kept.
    Keepers {
        /// The order in which documents become keepers.
        keep: Order,
    },
    /// One document of each connected component is kept. Removed ones may be dissimilar to it.
    Connected {
        /// Which document of a component is kept.
        keep: Order,
    },
    /// A document is removed if and only if it is a near-duplicate of a reference document. Other pairs are not
    /// compared.
    Against,
}

impl Rule {
    /// The stored name of the rule.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Clusters => "clusters",
            Self::Keepers { .. } => "keepers",
            Self::Connected { .. } => "connected",
            Self::Against => "against",
        }
    }

    /// The order that decides among near-duplicates, for the rules that remove one in favour of another.
    pub fn order(&self) -> Option<&Order> {
        match self {
            Self::Keepers { keep } | Self::Connected { keep } => Some(keep),
            Self::Pairs | Self::Clusters | Self::Against => None,
        }
    }
}

impl Default for Rule {
    /// The keepers rule in input order.
    fn default() -> Self {
        Self::Keepers { keep: Order::First }
    }
}

/// The order of documents, the first of which is kept among near-duplicates. Ties are broken by input order.
///
/// Printed and stored as `first`, `last`, `longest`, `shortest`, `source`, `max:FIELD` or `min:FIELD`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Order {
    /// Input order.
    #[default]
    First,
    /// Reverse input order.
    Last,
    /// Descending number of characters of the text.
    Longest,
    /// Ascending number of characters of the text.
    Shortest,
    /// Descending value of a field of the records; documents without it come last.
    Highest {
        /// Name of the field.
        field: String,
    },
    /// Ascending value of a field of the records; documents without it come last.
    Lowest {
        /// Name of the field.
        field: String,
    },
    /// Order of the sources, which is input order.
    Source,
}

impl Order {
    /// The field of the records that the order compares, if any.
    pub fn score_field(&self) -> Option<&str> {
        match self {
            Self::Highest { field } | Self::Lowest { field } => Some(field),
            Self::First | Self::Last | Self::Longest | Self::Shortest | Self::Source => None,
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => formatter.write_str("first"),
            Self::Last => formatter.write_str("last"),
            Self::Longest => formatter.write_str("longest"),
            Self::Shortest => formatter.write_str("shortest"),
            Self::Source => formatter.write_str("source"),
            Self::Highest { field } => write!(formatter, "max:{field}"),
            Self::Lowest { field } => write!(formatter, "min:{field}"),
        }
    }
}

impl FromStr for Order {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match (text, text.split_once(':')) {
            ("first", _) => Self::First,
            ("last", _) => Self::Last,
            ("longest", _) => Self::Longest,
            ("shortest", _) => Self::Shortest,
            ("source", _) => Self::Source,
            (_, Some(("max", field))) if !field.is_empty() => Self::Highest { field: field.to_owned() },
            (_, Some(("min", field))) if !field.is_empty() => Self::Lowest { field: field.to_owned() },
            _ => return Err(Error::Order { found: text.to_owned() }),
        })
    }
}

impl From<Order> for String {
    fn from(order: Order) -> Self {
        order.to_string()
    }
}

impl TryFrom<String> for Order {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_frozen() {
        let highest = Order::Highest { field: "date:iso".to_owned() };
        for (rule, expected) in [
            (Rule::Pairs, r#"{"rule":"pairs"}"#),
            (Rule::Clusters, r#"{"rule":"clusters"}"#),
            (Rule::default(), r#"{"rule":"keepers","keep":"first"}"#),
            (Rule::Connected { keep: highest }, r#"{"rule":"connected","keep":"max:date:iso"}"#),
            (Rule::Against, r#"{"rule":"against"}"#),
        ] {
            assert_eq!(serde_json::to_string(&rule).unwrap(), expected);
            assert_eq!(serde_json::from_str::<Rule>(expected).unwrap(), rule);
        }
    }

    #[test]
    fn orders_are_read_as_they_are_printed() {
        for text in ["first", "last", "longest", "shortest", "source", "max:a", "min:b c"] {
            assert_eq!(text.parse::<Order>().unwrap().to_string(), text);
        }
        for text in ["", "max:", "biggest", "first:x", "avg:x"] {
            assert!(text.parse::<Order>().is_err(), "{text}");
        }
    }
}
