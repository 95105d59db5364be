//! The rule of a job: the consequences of near-duplicate pairs.

use crate::base::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The consequences of near-duplicate pairs: the fourth parameter of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rule {
    /// Listing of all pairs.
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
        /// Order whose first document of a component is kept.
        keep: Order,
    },
    /// A document is removed if and only if it is a near-duplicate of a reference document. Other pairs are not
    /// compared.
    Against,
    /// The keepers rule beside references: these are all kept, and come before the other documents. A document is
    /// removed if and only if it is a near-duplicate of a reference document or of one that is kept.
    Beside {
        /// The order in which documents that are no references become keepers.
        keep: Order,
    },
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
            Self::Beside { .. } => "beside",
        }
    }

    /// Returns whether the rule compares documents with references, which are not removed.
    pub fn takes_references(&self) -> bool {
        match self {
            Self::Against | Self::Beside { .. } => true,
            Self::Pairs | Self::Clusters | Self::Keepers { .. } | Self::Connected { .. } => false,
        }
    }

    /// The order that decides among near-duplicates, for the rules that remove one in favour of another.
    pub fn order(&self) -> Option<&Order> {
        match self {
            Self::Keepers { keep } | Self::Connected { keep } | Self::Beside { keep } => Some(keep),
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
/// Printed and stored as `first`, `last`, `longest`, `shortest`, `source`, `max:FIELD` or `min:FIELD`; several are
/// printed with commas between them, and stored as a list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "StoredOrder", into = "StoredOrder")]
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
    /// Several orders: each decides about the documents that tie in those before it.
    InTurn {
        /// The orders, the first of which decides first.
        orders: Vec<Order>,
    },
}

/// An order as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredOrder {
    One(String),
    InTurn(Vec<String>),
}

impl Order {
    /// The orders of which it consists, which decide in turn.
    pub fn parts(&self) -> Vec<&Self> {
        match self {
            Self::InTurn { orders } => orders.iter().flat_map(Self::parts).collect(),
            one => vec![one],
        }
    }

    /// The fields of the records that the order compares, each once.
    pub fn score_fields(&self) -> Vec<&str> {
        let mut fields = Vec::new();
        for part in self.parts() {
            if let Self::Highest { field } | Self::Lowest { field } = part
                && !fields.contains(&field.as_str())
            {
                fields.push(field.as_str());
            }
        }
        fields
    }

    /// Returns whether the order compares the lengths of texts.
    pub fn compares_lengths(&self) -> bool {
        self.parts().iter().any(|part| matches!(part, Self::Longest | Self::Shortest))
    }

    /// One order, whose field may have commas in its name.
    fn parse_one(text: &str) -> Result<Self> {
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

    fn of_parts(mut orders: Vec<Self>) -> Self {
        if orders.len() == 1 { orders.remove(0) } else { Self::InTurn { orders } }
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
            Self::InTurn { orders } => orders.iter().enumerate().try_for_each(|(number, order)| {
                let comma = if number == 0 { "" } else { "," };
                write!(formatter, "{comma}{order}")
            }),
        }
    }
}

impl FromStr for Order {
    type Err = Error;

    /// Orders with commas between them. What stands behind a comma and is no order belongs to the name of the field
    /// before it.
    fn from_str(text: &str) -> Result<Self> {
        let mut orders: Vec<Self> = Vec::new();
        for part in text.split(',') {
            match Self::parse_one(part) {
                Ok(order) => orders.push(order),
                Err(error) => match orders.last_mut() {
                    Some(Self::Highest { field } | Self::Lowest { field }) => {
                        field.push(',');
                        field.push_str(part);
                    }
                    _ => return Err(error),
                },
            }
        }
        Ok(Self::of_parts(orders))
    }
}

impl From<Order> for StoredOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::InTurn { .. } => Self::InTurn(order.parts().into_iter().map(Order::to_string).collect()),
            one => Self::One(one.to_string()),
        }
    }
}

impl TryFrom<StoredOrder> for Order {
    type Error = Error;

    fn try_from(stored: StoredOrder) -> Result<Self> {
        match stored {
            StoredOrder::One(order) => Self::parse_one(&order),
            StoredOrder::InTurn(orders) => {
                let orders = orders.iter().map(|order| Self::parse_one(order)).collect::<Result<_>>()?;
                Ok(Self::of_parts(orders))
            }
        }
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
            (Rule::Connected { keep: highest.clone() }, r#"{"rule":"connected","keep":"max:date:iso"}"#),
            (
                Rule::Keepers { keep: Order::InTurn { orders: vec![highest, Order::Longest] } },
                r#"{"rule":"keepers","keep":["max:date:iso","longest"]}"#,
            ),
            (Rule::Against, r#"{"rule":"against"}"#),
            (Rule::Beside { keep: Order::Longest }, r#"{"rule":"beside","keep":"longest"}"#),
        ] {
            assert_eq!(serde_json::to_string(&rule).unwrap(), expected);
            assert_eq!(serde_json::from_str::<Rule>(expected).unwrap(), rule);
        }
    }

    #[test]
    fn orders_are_read_as_they_are_printed() {
        for text in ["first", "last", "longest", "shortest", "source", "max:a", "min:b c", "max:a,min:b,longest,last"] {
            assert_eq!(text.parse::<Order>().unwrap().to_string(), text);
        }
        let price = Order::Highest { field: "price, net".to_owned() };
        assert_eq!("max:price, net".parse::<Order>().unwrap(), price);
        let orders = vec![price.clone(), Order::Longest];
        assert_eq!("max:price, net,longest".parse::<Order>().unwrap(), Order::InTurn { orders });
        assert_eq!(serde_json::from_str::<Order>(r#""max:price, net""#).unwrap(), price);
        assert_eq!("max:a,min:b,max:a".parse::<Order>().unwrap().score_fields(), ["a", "b"]);
        for text in ["", "max:", "biggest", "first:x", "avg:x", "first,", "longest,biggest", ",first"] {
            assert!(text.parse::<Order>().is_err(), "{text}");
        }
    }
}
