//! The families of MinHash functions of datasketch, and hashes of elements.

use super::arrays::{array, numbers};
use crate::errors::refused;
use crate::keywords::one_of;
use lookalike::signatures::{DatasketchMinHash, DatasketchScheme, EMPTY_COMPONENT, HashKey, Sha1Hasher, sha1_hash32};
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::{Bound, PyAny, PyAnyMethods, PyResult, Python, pyclass, pyfunction, pymethods};
use pyo3::types::{PyByteArray, PyBytes, PyBytesMethods, PyMemoryView, PyString};
use std::panic::resume_unwind;
use std::sync::{Mutex, mpsc};
use std::thread;

/// A function that hashes the bytes of an element.
#[derive(Clone, Copy)]
enum ElementHash {
    /// The first four bytes of the SHA-1, little endian.
    Sha1,
    /// The upper half of our hash of tokens.
    Token,
}

impl ElementHash {
    fn named(name: &str) -> PyResult<Self> {
        one_of("hash", name, &[("sha1", Self::Sha1), ("token", Self::Token)])
    }

    /// The hashes of elements that lie one after the other, given by their ends.
    fn hash_each(self, bytes: &[u8], ends: &[usize]) -> Vec<u32> {
        let mut hashes = Vec::with_capacity(ends.len());
        match self {
            Self::Sha1 => Sha1Hasher::default().hash_each(bytes, 0, ends, &mut hashes),
            Self::Token => {
                let starts = [0].into_iter().chain(ends.iter().copied());
                hashes.extend(starts.zip(ends).map(|(start, &end)| self.hash(&bytes[start..end])));
            }
        }
        hashes
    }

    fn hash(self, bytes: &[u8]) -> u32 {
        match self {
            Self::Sha1 => sha1_hash32(bytes),
            Self::Token => (HashKey::BATCH.token(bytes) >> 32) as u32,
        }
    }
}

/// The hash of 32 bits that `hashfunc=hash32` takes: the upper half of the hash of tokens.
#[pyfunction]
pub(crate) fn hash32(data: &Bound<'_, PyAny>) -> PyResult<u32> {
    with_bytes(data, |bytes| ElementHash::Token.hash(bytes))
}

/// The first four bytes of the SHA-1 of some bytes, as a number in little endian.
#[pyfunction]
#[pyo3(name = "sha1_hash32")]
pub(crate) fn sha1_hash32_of(data: &Bound<'_, PyAny>) -> PyResult<u32> {
    with_bytes(data, |bytes| ElementHash::Sha1.hash(bytes))
}

/// Calls a function with the bytes of an object that has a buffer, as `hashlib` takes it.
fn with_bytes<T>(data: &Bound<'_, PyAny>, make: impl FnOnce(&[u8]) -> T) -> PyResult<T> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(make(bytes.as_bytes()));
    }
    // Strings of numpy have a buffer.
    if data.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("strings must be encoded before they are hashed"));
    }
    let view = PyMemoryView::from(data)?;
    if !view.getattr("c_contiguous")?.is_truthy()? {
        return Err(PyBufferError::new_err("the bytes of the element do not lie one after the other"));
    }
    let bytes = view.call_method0("tobytes")?;
    Ok(make(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// A family of MinHash functions.
#[pyclass(frozen, module = "lookalike._lookalike")]
pub(crate) struct MinHashFamily {
    family: DatasketchMinHash,
}

#[pymethods]
impl MinHashFamily {
    /// The family of a scheme with the numbers that follow from a seed.
    #[new]
    fn new(scheme: &str, num_perm: usize, seed: u32) -> PyResult<Self> {
        if num_perm > MAX_COMPONENTS {
            return Err(PyMemoryError::new_err(format!("there is no memory for {num_perm} components")));
        }
        Ok(Self { family: DatasketchMinHash::new(scheme_named(scheme)?, num_perm, seed) })
    }

    /// The family of a scheme with these numbers a and b: of 64 bits for `legacy`, of 32 for `affine32`.
    #[staticmethod]
    fn of(scheme: &str, factors: &[u8], summands: &[u8]) -> PyResult<Self> {
        let family = match scheme_named(scheme)? {
            DatasketchScheme::Legacy => DatasketchMinHash::legacy_of(numbers(factors)?, numbers(summands)?),
            DatasketchScheme::Affine32 => DatasketchMinHash::affine32_of(numbers(factors)?, numbers(summands)?),
        };
        Ok(Self { family: family.map_err(refused)? })
    }

    /// The numbers a and b, of 64 bits.
    fn parameters<'py>(&self, py: Python<'py>) -> (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>) {
        let [factors, summands] = self.family.parameters();
        (array(py, &factors), array(py, &summands))
    }

    /// The minima of the elements that an iterable has as bytes, in components of 32 bits.
    fn minima<'py>(
        &self,
        py: Python<'py>,
        elements: &Bound<'py, PyAny>,
        hash: &str,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let hash = ElementHash::named(hash)?;
        let mut batch = Batch::default();
        batch.add_set(elements)?;
        Ok(array(py, &py.detach(|| batch.signatures(&self.family, hash))))
    }

    /// The minima of the elements that have these hashes, of 32 bits each.
    fn minima_of_hashes32<'py>(&self, py: Python<'py>, hashes: &[u8]) -> PyResult<Bound<'py, PyByteArray>> {
        let hashes: Vec<u32> = numbers(hashes)?;
        Ok(array(py, &py.detach(|| self.family.signature(hashes)).0))
    }

    /// The minima of the elements that have these hashes, of 64 bits each.
    fn minima_of_hashes<'py>(&self, py: Python<'py>, hashes: &[u8]) -> PyResult<Bound<'py, PyByteArray>> {
        let hashes: Vec<u64> = numbers(hashes)?;
        let mut components = vec![EMPTY_COMPONENT; self.family.num_perm()];
        py.detach(|| self.family.update_wide(&hashes, &mut components));
        Ok(array(py, &components))
    }

    /// The signatures of sets, one after the other, each given as an iterable of bytes: hashed by all cores while the
    /// next sets are taken from Python.
    fn bulk<'py>(&self, py: Python<'py>, sets: &Bound<'py, PyAny>, hash: &str) -> PyResult<Bound<'py, PyByteArray>> {
        let hash = ElementHash::named(hash)?;
        let (sender, receiver) = mpsc::channel();
        let receiver = Mutex::new(receiver);
        let work = || {
            let mut done = Vec::new();
            while let Some((number, batch)) = next_batch(&receiver) {
                done.push((number, batch.signatures(&self.family, hash)));
            }
            done
        };
        let mut batches = thread::scope(|scope| {
            let others = thread::available_parallelism().map_or(1, usize::from) - 1;
            let mut workers = Vec::new();
            // Few sets are faster without another thread.
            let sent = send_batches(sets, sender, || workers.extend((0..others).map(|_| scope.spawn(work))));
            let mut done = py.detach(work);
            for worker in workers {
                done.extend(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            sent.map(|()| done)
        })?;
        batches.sort_unstable_by_key(|&(number, _)| number);
        let components: Vec<u32> = batches.into_iter().flat_map(|(_, components)| components).collect();
        Ok(array(py, &components))
    }
}

/// Elements of a batch of sets, about: enough to be worth a message between threads.
const BATCH_ELEMENTS: usize = 1 << 12;

/// Takes sets from Python and sends them in batches, numbered from 0 on. `on_first` is called when the first is sent,
/// unless it is the last one.
fn send_batches(
    sets: &Bound<'_, PyAny>,
    sender: mpsc::Sender<(usize, Batch)>,
    on_first: impl FnOnce(),
) -> PyResult<()> {
    let mut batch = Batch::default();
    let mut number = 0;
    let mut on_first = Some(on_first);
    for set in sets.try_iter()? {
        batch.add_set(&set?)?;
        if batch.ends.len() + batch.set_ends.len() >= BATCH_ELEMENTS {
            // There are receivers as long as there are senders.
            let _ = sender.send((number, std::mem::take(&mut batch)));
            number += 1;
            if let Some(on_first) = on_first.take() {
                on_first();
            }
        }
    }
    let _ = sender.send((number, batch));
    Ok(())
}

/// The next batch; `None` if no more are sent.
fn next_batch(receiver: &Mutex<mpsc::Receiver<(usize, Batch)>>) -> Option<(usize, Batch)> {
    receiver.lock().ok()?.recv().ok()
}

/// Some sets of elements, as bytes.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    /// End of each element in `bytes`.
    ends: Vec<usize>,
    /// End of each set in `ends`.
    set_ends: Vec<usize>,
}

impl Batch {
    fn add_set(&mut self, elements: &Bound<'_, PyAny>) -> PyResult<()> {
        for element in elements.try_iter()? {
            with_bytes(&element?, |element| self.bytes.extend_from_slice(element))?;
            self.ends.push(self.bytes.len());
        }
        self.set_ends.push(self.ends.len());
        Ok(())
    }

    /// The components of all signatures.
    fn signatures(&self, family: &DatasketchMinHash, hash: ElementHash) -> Vec<u32> {
        let mut components = vec![EMPTY_COMPONENT; self.set_ends.len() * family.num_perm()];
        let hashes = hash.hash_each(&self.bytes, &self.ends);
        let mut first = 0;
        for (&end, components) in self.set_ends.iter().zip(components.chunks_mut(family.num_perm().max(1))) {
            family.update(&hashes[first..end], components);
            first = end;
        }
        components
    }
}

/// Components of a signature, at most.
const MAX_COMPONENTS: usize = 1 << 28;
fn scheme_named(name: &str) -> PyResult<DatasketchScheme> {
    [DatasketchScheme::Affine32, DatasketchScheme::Legacy]
        .into_iter()
        .find(|scheme| scheme.name() == name)
        .ok_or_else(|| PyValueError::new_err(format!("scheme must be one of affine32, legacy; got {name:?}")))
}
