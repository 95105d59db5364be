//! The `lookalike` binary.

fn main() -> std::process::ExitCode {
    lookalike_cli::run(std::env::args_os())
}
