//! Files and batches for tests.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterPropertiesBuilder;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with files, also in folders below it.
pub(crate) fn folder_with<N: AsRef<Path>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (N, B)>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

/// A file in a folder of its own.
pub(crate) fn file_with(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = folder_with([(name, content)]);
    let path = folder.path().join(name);
    (folder, path)
}

/// Columns that may have nulls.
pub(crate) fn batch_of(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

/// Batches as a Parquet file.
pub(crate) fn parquet_of(batches: &[RecordBatch], properties: WriterPropertiesBuilder) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batches[0].schema(), Some(properties.build())).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

/// A batch as an Arrow file.
pub(crate) fn arrow_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}
