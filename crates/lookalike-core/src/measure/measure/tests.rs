use super::*;
use crate::measure::Weights;

#[test]
fn stored_names_are_frozen() {
    let json = serde_json::to_string(&Measure::default()).unwrap();
    assert_eq!(json, r#"{"measure":"jaccard","threshold":0.8,"empty":"keep"}"#);
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), Measure::default());
    let weights = Weights::TfIdf;
    let cosine = Measure::Cosine(Cosine { threshold: Threshold::default(), weights, empty: EmptyPolicy::Keep });
    let json = serde_json::to_string(&cosine).unwrap();
    assert_eq!(json, r#"{"measure":"cosine","threshold":0.8,"weights":"tfidf","empty":"keep"}"#);
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), cosine);
    let hamming = Measure::Hamming(Hamming { distance: 3, width: 64 });
    let json = serde_json::to_string(&hamming).unwrap();
    assert_eq!(json, r#"{"measure":"hamming","distance":3,"of_bits":64}"#);
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), hamming);
    let cosine = Measure::VectorCosine(VectorCosine { threshold: Threshold::default() });
    let json = serde_json::to_string(&cosine).unwrap();
    assert_eq!(json, r#"{"measure":"vector_cosine","threshold":0.8}"#);
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), cosine);
    let euclidean = Measure::Euclidean(Euclidean { distance: "0.5".parse().unwrap() });
    let json = serde_json::to_string(&euclidean).unwrap();
    assert_eq!(json, r#"{"measure":"euclidean","within":0.5}"#);
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), euclidean);
    let signature = Measure::Signature(SignatureAgreement { threshold: Threshold::default() });
    let json = serde_json::to_string(&signature).unwrap();
    assert_eq!(json, r#"{"measure":"signature_agreement","threshold":0.8}"#);
    assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), signature);
    for (mine, asked, expected) in [("0.5", "0.5", true), ("0.5", "0.50001", true), ("0.5", "0.4999", false)] {
        let [mine, asked] = [mine, asked].map(|threshold| Measure::jaccard(threshold.parse().unwrap()));
        assert_eq!(mine.serves(asked), expected);
    }
    assert!(!Measure::default().serves(cosine));
    for damaged in [r#"{"measure":"cosine"}"#, r#"{"measure":"jaccard","threshold":1.5,"empty":"keep"}"#] {
        assert!(serde_json::from_str::<Measure>(damaged).is_err());
    }
}
