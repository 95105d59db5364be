//! Linker flags of a module whose symbols the interpreter brings: on macOS they may be missing.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
