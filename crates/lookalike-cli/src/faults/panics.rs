//! Panics of decoders that become errors: nothing is printed of them.
//!
//! A damaged file may lead a decoder of Parquet or Arrow to a panic, which the library turns into an error. The hook
//! that would print it belongs to the whole process, so only the program itself may replace it.

use std::sync::Once;

/// Prints no panic that the library turns into an error; all others as before.
pub(crate) fn keep_decoders_quiet() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !lookalike::panic_becomes_error() {
                others(panic);
            }
        }));
    });
}
