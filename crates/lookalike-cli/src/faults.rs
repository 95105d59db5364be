//! Signals and panics of the whole process, which only the program itself may handle: they become errors, or are said
//! in a line.
//!
//! A damaged file may lead a decoder of Parquet or Arrow to a panic, which the library turns into an error: nothing is
//! printed of it. Signals would end the process without a word, and leave its staging files behind:
//!
//! | signal | when | here |
//! |---|---|---|
//! | SIGXFSZ | a file exceeds the limit of the shell (`ulimit -f`) | ignored, so that the write fails with an error |
//! | SIGBUS | a mapped file of the work folder was cut by another program | a line, and exit status 2 |
//! | SIGABRT | the system gives no more memory, which the line before says | a line, and exit status 2 |

use std::sync::Once;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints no panic that the library turns into an error; all others as before.
pub(crate) fn keep_decoders_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !lookalike::doors::panic_becomes_error() {
                others(panic);
            }
        }));
    });
}

/// Makes errors of the signals.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "what a signal does can be set in no other way")]
pub(crate) fn become_errors() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    for (number, handler) in [
        (Signal::SIGXFSZ, SigHandler::SigIgn),
        (Signal::SIGBUS, SigHandler::Handler(end_with_a_line)),
        (Signal::SIGABRT, SigHandler::Handler(end_with_a_line)),
    ] {
        // SAFETY: an ignored signal runs no code; the handler calls nothing that a signal handler may not call. A
        // system that refuses leaves the signal as it was.
        let _ = unsafe { signal(number, handler) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn become_errors() {}

#[cfg(target_os = "linux")]
static IS_ENDING: AtomicBool = AtomicBool::new(false);
#[cfg(target_os = "linux")]
const CUT: &[u8] = b"lookalike: a file of the work folder was cut by another program while it was in use; \
the same command goes on from what is whole\n";
#[cfg(target_os = "linux")]
const ABORTED: &[u8] = b"lookalike: ended, most likely for want of memory; a smaller --memory may help\n";

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "a signal handler may end the process in this way only")]
extern "C" fn end_with_a_line(signal: nix::libc::c_int) {
    // Several threads may read behind the end of a file at once: one of them tells it, and ends the process.
    while IS_ENDING.swap(true, Ordering::Relaxed) {
        // SAFETY: the call is among those that a signal handler may make.
        unsafe { nix::libc::pause() };
    }
    let line = if signal == nix::libc::SIGBUS { CUT } else { ABORTED };
    // SAFETY: both calls are among those that a signal handler may make; the line lives as long as the program.
    unsafe {
        nix::libc::write(2, line.as_ptr().cast(), line.len());
        nix::libc::_exit(2);
    }
}
