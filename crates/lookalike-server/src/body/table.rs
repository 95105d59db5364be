//! Bodies that are streams of Arrow IPC.

use crate::problem::{HttpProblem, Result};
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_ipc::{MessageHeader, root_as_message};
use arrow_schema::DataType;
use axum::http::StatusCode;
use std::cell::Cell;
use std::panic::catch_unwind;

thread_local! {
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// True if a panic of this thread would only tell that a stream is damaged, which is no fault of ours.
pub(crate) fn is_reading_a_stream() -> bool {
    IS_READING.get()
}

/// Marker before the length of each message, since version 0.15 of Arrow.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Checks that a stream is made of whole messages, none of them compressed: what a compressed one takes up is known
/// only when it is there.
fn check_stream(stream: &[u8]) -> Result<()> {
    let broken = || HttpProblem::bad("the body is no whole stream of Arrow IPC");
    let mut rest = stream;
    while !rest.is_empty() {
        rest = rest.strip_prefix(&CONTINUATION).unwrap_or(rest);
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(broken)?;
        let length = i32::from_le_bytes(*length);
        if length == 0 {
            return Ok(());
        }
        let length = usize::try_from(length).map_err(|_| broken())?;
        let (metadata, after) = after.split_at_checked(length).ok_or_else(broken)?;
        let message = root_as_message(metadata).map_err(|_| broken())?;
        let is_compressed = match message.header_type() {
            MessageHeader::RecordBatch => message.header_as_record_batch().is_some_and(|it| it.compression().is_some()),
            MessageHeader::DictionaryBatch => {
                let data = message.header_as_dictionary_batch().and_then(|dictionary| dictionary.data());
                data.is_some_and(|it| it.compression().is_some())
            }
            _ => false,
        };
        if is_compressed {
            return Err(HttpProblem::bad("the stream of Arrow IPC is compressed: send it as it is"));
        }
        let bytes = usize::try_from(message.bodyLength()).map_err(|_| broken())?;
        rest = after.get(bytes..).ok_or_else(broken)?;
    }
    Ok(())
}

/// The batches of a stream, whose strings have `max_bytes` together at most: views can name the same bytes many times.
pub(crate) fn read_stream(stream: &[u8], max_bytes: usize) -> Result<Vec<RecordBatch>> {
    check_stream(stream)?;
    let broken = || HttpProblem::bad("the body is no stream of Arrow IPC that can be read");
    let read = || StreamReader::try_new(stream, None)?.collect::<std::result::Result<Vec<RecordBatch>, _>>();
    // The reader does not check all of its input: a damaged stream may lead to a panic.
    IS_READING.set(true);
    let read = catch_unwind(read);
    IS_READING.set(false);
    let batches = read.map_err(|_| broken())?.map_err(|_| broken())?;
    let columns = batches.iter().flat_map(RecordBatch::columns);
    let mut bytes = 0;
    for column in columns {
        bytes += match column.data_type() {
            DataType::Utf8View => column.as_string_view().lengths().map(|length| length as usize).sum(),
            DataType::BinaryView => column.as_binary_view().lengths().map(|length| length as usize).sum(),
            DataType::Dictionary(..) => return Err(HttpProblem::bad("columns that are dictionaries are not taken")),
            _ => 0,
        };
        if bytes > max_bytes {
            let detail = format!(
                "the strings of the table have more than {} bytes",
                lookalike::doors::thousands(max_bytes as u64)
            );
            return Err(HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
        }
    }
    Ok(batches)
}

/// A batch as a stream.
pub(crate) fn write_stream(batch: &RecordBatch) -> Result<Vec<u8>> {
    let fault = |error| HttpProblem::fault(&error);
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).map_err(fault)?;
    writer.write(batch).map_err(fault)?;
    writer.into_inner().map_err(fault)
}

/// The value of a row in a column of strings; `None` for a null, and where there is no such column.
pub(crate) fn text_at<'b>(batch: &'b RecordBatch, name: &str, row: usize) -> Result<Option<&'b str>> {
    let Some(column) = batch.column_by_name(name).filter(|column| column.is_valid(row)) else { return Ok(None) };
    match column.data_type() {
        DataType::Utf8 => Ok(Some(column.as_string::<i32>().value(row))),
        DataType::LargeUtf8 => Ok(Some(column.as_string::<i64>().value(row))),
        DataType::Utf8View => Ok(Some(column.as_string_view().value(row))),
        _ => Err(HttpProblem::bad(format!("the column `{name}` is none of strings"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, StringArray};
    use arrow_ipc::CompressionType;
    use arrow_ipc::writer::IpcWriteOptions;
    use std::sync::Arc;

    const MAX: usize = 1 << 20;

    fn batch() -> RecordBatch {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("one two"), None]));
        RecordBatch::try_from_iter_with_nullable([("text", texts, true)]).unwrap()
    }

    #[test]
    fn streams_come_back() {
        let stream = write_stream(&batch()).unwrap();
        let read = read_stream(&stream, MAX).unwrap();
        assert_eq!(read, [batch()]);
        assert_eq!(text_at(&read[0], "text", 0).unwrap(), Some("one two"));
        assert_eq!((text_at(&read[0], "text", 1).unwrap(), text_at(&read[0], "id", 0).unwrap()), (None, None));
    }

    #[test]
    fn damaged_and_compressed_streams_are_refused() {
        let stream = write_stream(&batch()).unwrap();
        for end in 1..stream.len() - 8 {
            // Without the mark of the end a stream is whole, too.
            if let Err(problem) = read_stream(&stream[..end], MAX) {
                assert_eq!(problem.status, 400);
            }
        }
        for at in 0..stream.len() {
            let mut damaged = stream.clone();
            damaged[at] ^= 0x55;
            if let Err(problem) = read_stream(&damaged, MAX) {
                assert!(problem.status == 400 || problem.status == 413, "{problem:?}");
            }
        }
        let options = IpcWriteOptions::default().try_with_compression(Some(CompressionType::ZSTD)).unwrap();
        let long: ArrayRef = Arc::new(StringArray::from(vec!["a".repeat(10_000)]));
        let long = RecordBatch::try_from_iter([("text", long)]).unwrap();
        let mut writer = StreamWriter::try_new_with_options(Vec::new(), &long.schema(), options).unwrap();
        writer.write(&long).unwrap();
        let problem = read_stream(&writer.into_inner().unwrap(), MAX).unwrap_err();
        assert!(problem.detail.contains("compressed"));
    }

    #[test]
    fn views_that_name_the_same_bytes_again_and_again_are_refused() {
        let long = StringArray::from(vec!["a".repeat(1 << 12)]);
        let (_, values, _) = long.into_parts();
        let mut views = arrow_array::builder::StringViewBuilder::new();
        let block = views.append_block(values);
        (0..1000).for_each(|_| views.try_append_view(block, 0, 1 << 12).unwrap());
        let views: ArrayRef = Arc::new(views.finish());
        let stream = write_stream(&RecordBatch::try_from_iter([("text", views)]).unwrap()).unwrap();
        assert!(stream.len() < 100_000);
        assert_eq!(read_stream(&stream, MAX).unwrap_err().status, 413);
        assert_eq!(read_stream(&stream, 1 << 23).unwrap()[0].num_rows(), 1000);
    }
}
