//! The `lookalike` binary.

fn main() -> lookalike_cli::ExitStatus {
    lookalike_cli::run(std::env::args_os())
}
