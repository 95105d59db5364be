//! The Python door: converts Python objects to a job and its answers to Arrow, and holds no part of a job.
//!
//! Private to the package: what users call is the Python code around it, which has the documentation. The rooms stand
//! in this order; each imports earlier ones only:
//!
//! ```text
//! errors       what a failure is in Python
//! values       Python values to Arrow arrays, and back
//! capsules     Arrow arrays in and out, without a copy
//! ids          integer ids in, and in answers
//! keywords     the keywords of a call, taken one by one
//! documents    documents that Python holds       -> InMemory
//! parameters   keywords                          -> Job, Resources
//! progress     Ctrl-C, progress and warnings of a job that runs beside the caller's thread
//! notes        what a finished job warns of
//! answers      Answered                          -> Arrow
//! search       search, the stored index, and the sources of passages
//! files        jobs whose answers are files: snapshot, fingerprint, checksum, recluster
//! tools        compare, plan
//! batch        columns of Arrow in and out, for other engines
//! compat       the classes of lookalike.compat.datasketch
//! interpreter  refuses a second interpreter of the process
//! ```

mod answers;
mod batch;
mod capsules;
mod compat;
mod documents;
mod errors;
mod files;
mod ids;
mod interpreter;
mod keywords;
mod notes;
mod parameters;
mod progress;
mod search;
mod tools;
mod values;

use pyo3::prelude::pymodule;

/// The native part of the package.
#[pymodule]
mod _lookalike {
    use pyo3::prelude::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        crate::interpreter::admit(module.py())
    }

    #[pymodule_export]
    use crate::answers::{Answer, run};
    #[pymodule_export]
    use crate::batch::{
        ArrowArray, Buckets, Components, Frequencies, blocking_keys, deal, features, keepers, may_reach, verify,
    };
    #[pymodule_export]
    use crate::capsules::ArrowTable;
    #[pymodule_export]
    use crate::compat::{
        MinHashFamily, PyBandTables, PyBloomFilter, PyConsistentSampler, hash32, least_area, least_containment_areas,
        partitions_by_size, sha1_hash32_of,
    };
    #[pymodule_export]
    use crate::documents::Documents;
    #[pymodule_export]
    use crate::errors::LookalikeError;
    #[pymodule_export]
    use crate::files::write;
    #[pymodule_export]
    use crate::parameters::score_fields;
    #[pymodule_export]
    use crate::search::{Index, SearchAnswer, SourcesAnswer, search, sources};
    #[pymodule_export]
    use crate::tools::{command, compare, compare_files, plan, probability};
}
