//! Notation of the documents of an index or a snapshot, by which others are read in the same way.
//!
//! Only what a flag says is known, and the default says nothing: what earlier programs have stored reads
//! as the empty notation.

use super::given::{Digits, GivenVectors, ImageFeatures, ItemCounts, ItemSeparator};
use super::inputs::Inputs;
use crate::base::shown;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Notation of documents that are no texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notation {
    /// Separator of items in strings; `None` for blanks, which no flag names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<ItemSeparator>,
    /// Presence of counts beside items.
    #[serde(skip_serializing_if = "ItemCounts::is_absent")]
    pub item_counts: ItemCounts,
    /// Name of the field that says how often the items of a row of a group occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count_field: Option<String>,
    /// Features by which images are compared, if documents are such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub images: Option<ImageFeatures>,
    /// Name of the field with the fingerprint or the vector, where it is another than that of texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Digits of fingerprints in texts and tables.
    #[serde(skip_serializing_if = "Digits::are_hexadecimal")]
    pub digits: Digits,
}

impl Notation {
    /// The notation of the documents of these inputs.
    pub fn from_inputs(inputs: &Inputs) -> Self {
        let Inputs { items, item_counts, count_field, images, text_field, fingerprints, vectors, .. } = inputs;
        let are_given = fingerprints.is_some() || matches!(vectors, GivenVectors::Any | GivenVectors::WithDirection);
        let fingerprints = fingerprints.filter(|_| images.is_none());
        let is_named = are_given && images.is_none() && *text_field != Inputs::default().text_field;
        Self {
            items: items.filter(|&separator| separator != ItemSeparator::Blanks),
            item_counts: *item_counts,
            count_field: count_field.clone(),
            images: *images,
            field: is_named.then(|| text_field.clone()),
            digits: fingerprints.map_or_else(Digits::default, |fingerprints| fingerprints.digits),
        }
    }

    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { items, item_counts, count_field, images, field, digits } = self;
        let images = images.map(|images| match images {
            ImageFeatures::ImageHash => "images, by image-hash".to_owned(),
            ImageFeatures::ImageVector => "images, by image-vector".to_owned(),
        });
        let parts = [
            items.map(|separator| format!("items with {separator} between them")),
            (*item_counts == ItemCounts::Written).then(|| "items with counts".to_owned()),
            count_field.as_ref().map(|field| format!("counts of rows in `{}`", shown(field))),
            images,
            field.as_ref().map(|field| format!("field `{}`", shown(field))),
            (*digits == Digits::Decimal).then(|| "decimal digits".to_owned()),
        ];
        formatter.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Fingerprints;

    fn stored(inputs: &Inputs) -> String {
        serde_json::to_string(&Notation::from_inputs(inputs)).unwrap()
    }

    #[test]
    fn only_explicit_notations_are_stored_and_their_names_are_frozen() {
        for items in [None, Some(ItemSeparator::Blanks)] {
            assert_eq!(stored(&Inputs { items, ..Inputs::default() }), "{}");
        }
        let items = Some(ItemSeparator::Character(','));
        let counted = Inputs { items, item_counts: ItemCounts::Written, ..Inputs::default() };
        assert_eq!(stored(&counted), r#"{"items":{"character":","},"item_counts":"written"}"#);
        let fingerprints = Some(Fingerprints { width: 64, digits: Digits::Decimal });
        let bits = Inputs { fingerprints, text_field: "phash".to_owned(), ..Inputs::default() };
        assert_eq!(stored(&bits), r#"{"field":"phash","digits":"decimal"}"#);
        for (images, expected) in [
            (ImageFeatures::ImageHash, r#"{"images":"image-hash"}"#),
            (ImageFeatures::ImageVector, r#"{"images":"image-vector"}"#),
        ] {
            assert_eq!(stored(&Inputs::default().of_images(images)), expected);
        }
        assert_eq!(stored(&Inputs { text_field: "body".to_owned(), ..Inputs::default() }), "{}");
        assert_eq!(serde_json::from_str::<Notation>("{}").unwrap(), Notation::default());
        assert!(serde_json::from_str::<Notation>(r#"{"of":"later"}"#).is_err());
    }

    #[test]
    fn notation_is_printed_in_words() {
        let items = Some(ItemSeparator::Character('\t'));
        let notation = Notation { items, item_counts: ItemCounts::Written, ..Notation::default() };
        assert_eq!(notation.to_string(), "items with tab between them, items with counts");
        assert_eq!(Notation::default().to_string(), "");
    }
}
