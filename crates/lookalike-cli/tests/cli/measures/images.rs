//! Images as documents: what hashes and colours find, what is kept, and what is refused.

use crate::common::Sandbox;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Copies the example photos into the folder `photos`.
pub(crate) fn copy_photos(sandbox: &Sandbox) {
    let photos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/photos");
    for entry in fs::read_dir(photos).unwrap() {
        let entry = entry.unwrap();
        sandbox.write(&format!("photos/{}", entry.file_name().display()), fs::read(entry.path()).unwrap());
    }
}

fn with_photos() -> Sandbox {
    let sandbox = Sandbox::new();
    copy_photos(&sandbox);
    sandbox
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn kept_images_are_copied_byte_for_byte_and_the_largest_stay() {
    let sandbox = with_photos();
    let run = sandbox.succeed("dedup photos --features image-hash --keep longest -o kept --removed why.csv");
    let kept = names(&sandbox.path("kept"));
    let expected = [
        "city-cropped.jpg",
        "city.jpg",
        "desert-captioned.jpg",
        "desert-detail.jpg",
        "fruit-copy.jpg",
        "harbour-mirrored.jpg",
        "harbour-turned.jpg",
        "harbour.jpg",
        "mountains-brighter.webp",
    ];
    assert_eq!(kept, expected.map(str::to_owned).into(), "{}", run.stderr);
    for name in &kept {
        let [copy, original] = ["kept", "photos"].map(|folder| fs::read(sandbox.path(folder).join(name)).unwrap());
        assert!(copy == original, "{name}");
    }
    let why = sandbox.read("why.csv");
    assert_eq!(why.lines().count(), 8);
    // Only one file is a copy of another.
    assert_eq!(why.lines().filter(|line| line.ends_with(",identical")).count(), 1, "{why}");
    assert!(why.contains("fruit.jpg,fruit-copy.jpg,0,identical"), "{why}");
}

#[test]
fn answers_are_the_same_from_what_is_stored() {
    let sandbox = with_photos();
    for (features, name) in [("image-hash", "hash"), ("image-vector", "vector")] {
        let command = format!("pairs photos --features {features}");
        let expected = sandbox.succeed(&command).stdout;
        assert!(expected.lines().count() > 8);
        sandbox.succeed(&format!("snapshot photos --features {features} -o {name}.lookalike"));
        let stored = sandbox.succeed(&format!("pairs {name}.lookalike --features {features}")).stdout;
        assert_eq!(stored, expected, "{features}");
        let query = "search photos/harbour-turned.jpg --top 3 --in";
        let far = if name == "hash" { "--distance 8" } else { "-t 0.9" };
        let read = sandbox.succeed(&format!("{query} photos --features {features} {far}")).stdout;
        sandbox.succeed(&format!("index create {name}.idx photos --features {features} {far}"));
        let indexed = sandbox.succeed(&format!("{query} {name}.idx --features {features}")).stdout;
        assert_eq!(read.lines().next(), indexed.lines().next());
        assert!(read.contains("\"harbour.jpg\"") && indexed.contains("\"harbour.jpg\""), "{indexed}");
        // No flag need say what the index or the snapshot knows.
        assert_eq!(sandbox.succeed(&format!("{query} {name}.idx")).stdout, indexed);
        for stored in [format!("{name}.idx"), format!("{name}.lookalike")] {
            let limit = if stored.ends_with(".idx") || name == "vector" { "" } else { "--distance 8" };
            let against = format!("dedup photos --against {stored} {limit} -n --removed -");
            let said = sandbox.succeed(&format!("{against} --features {features}")).stdout;
            assert!(said.lines().count() == 16, "{said}");
            assert_eq!(sandbox.succeed(&against).stdout, said, "{stored}");
        }
        sandbox.says(&format!("index add {name}.idx photos"), "...16 of them in place of another with the same id...");
        let info = sandbox.succeed(&format!("index info {name}.idx")).stdout;
        assert!(info.contains(&format!("images, by {features}")), "{info}");
    }
    let compared = sandbox.succeed("compare photos/city.jpg photos/city-cropped.jpg --features image-hash").stdout;
    assert!(compared.contains("distance  10  of 64 bits"), "{compared}");
}

#[test]
fn bad_images_are_named_and_the_others_compared() {
    let sandbox = with_photos();
    let whole = fs::read(sandbox.path("photos/fruit.jpg")).unwrap();
    fs::write(sandbox.path("photos/cut.jpg"), &whole[..whole.len() / 2]).unwrap();
    fs::write(sandbox.path("photos/text.png"), "no image").unwrap();
    fs::write(sandbox.path("photos/empty.gif"), "").unwrap();
    let run = sandbox.succeed("pairs photos --features image-hash --on-error skip");
    assert_eq!(run.stdout.lines().count(), 10);
    for expected in [
        "photos/cut.jpg: the image cannot be decoded: the end is missing",
        "photos/text.png: no image of PNG, JPEG, WebP or GIF",
        "photos/empty.gif: no image of PNG, JPEG, WebP or GIF",
        "3 bad records left out",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    sandbox.refuse_all("measures/bad_images_are_named_and_the_others_compared");
}

#[test]
fn flags_that_do_not_fit_images_are_refused() {
    let sandbox = with_photos();
    fs::write(sandbox.path("t.jsonl"), "{\"id\":\"a\",\"text\":\"b\"}\n").unwrap();
    sandbox.write("b.jsonl", "{\"id\":\"a\",\"h\":\"00000000000000ff\"}\n");
    sandbox.succeed("index create bits.idx b.jsonl --bits h --measure hamming --distance 4");
    sandbox.succeed("index create hash.idx photos --features image-hash");
    sandbox.succeed("index create vector.idx photos --features image-vector");
    sandbox.refuse_all("measures/flags_that_do_not_fit_images_are_refused");
}

#[test]
fn the_page_shows_images_side_by_side() {
    let sandbox = with_photos();
    sandbox.succeed("pairs photos --features image-hash -o pairs.jsonl --report page.html");
    let page = sandbox.read("page.html");
    // Nine of ten pairs are no identical files.
    assert_eq!(page.matches("<img src=\"data:image/jpeg;base64,").count(), 18);
    assert!(page.contains("img-src data:") && page.contains("perceptual hashes of 64 bits"));
}

#[test]
fn what_is_no_picture_is_copied_and_said() {
    let sandbox = with_photos();
    for (name, content) in [("one.heic", "ftypheic"), ("raw/two.tif", "II*"), ("city.jpg.xmp", "<x/>"), (".tags", "")] {
        sandbox.write(&format!("photos/{name}"), content);
    }
    let time = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for name in ["one.heic", "city.jpg"] {
        let file = fs::File::options().write(true).open(sandbox.path("photos").join(name)).unwrap();
        file.set_modified(time).unwrap();
    }
    let command = "dedup photos --features image-hash --keep longest --on-error skip";
    let words = sandbox.refuse("dedup photos --features image-hash -o none");
    assert!(!sandbox.path("none").exists(), "{words}");
    let run = sandbox.succeed(&format!("{command} -o kept --removed why.csv"));
    let said =
        "note: 4 files without a document, copied beside the records: .tags, city.jpg.xmp, one.heic, raw/two.tif\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let removed: BTreeSet<String> =
        sandbox.read("why.csv").lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect();
    let all: BTreeSet<String> = names(&sandbox.path("photos"));
    let left: BTreeSet<String> = names(&sandbox.path("kept"));
    assert_eq!(left, all.difference(&removed).cloned().collect());
    assert_eq!(sandbox.read("kept/raw/two.tif"), "II*");
    for name in ["one.heic", "city.jpg"] {
        assert_eq!(fs::metadata(sandbox.path("kept").join(name)).unwrap().modified().unwrap(), time, "{name}");
    }
    // A folder of their own, or none.
    sandbox.says(
        &format!("{command} -o kept2 --left-out others"),
        "...note: 4 files without a document, copied to others: .tags, ...",
    );
    assert_eq!(names(&sandbox.path("others")), [".tags", "city.jpg.xmp", "one.heic", "raw"].map(str::to_owned).into());
    sandbox.says(
        &format!("{command} -o kept3 --left-out drop"),
        "...note: 4 files without a document, in no output: .tags, ...",
    );
    assert_eq!(names(&sandbox.path("kept3")), names(&sandbox.path("kept2")));
    assert_eq!(left.len(), names(&sandbox.path("kept2")).len() + 4);
    // Nothing is written where something stands.
    sandbox.refuse_all("measures/what_is_no_picture_is_copied_and_said");
}
