import Foundation

/// Ends the process: what was written is flushed, and nothing is torn down. A command may end while another
/// thread still makes a connection of its own, and `exit` would take OpenSSL from under it: its clean-up "is
/// initiated automatically on application exit" (OPENSSL_init_crypto(3)).
func end(with code: CInt) -> Never {
    fflush(nil)
    // AddressSanitizer, where it is there, looks for leaks in `exit` alone.
    if let look = dlsym(nil, "__lsan_do_leak_check") {
        unsafeBitCast(look, to: (@convention(c) () -> Void).self)()
    }
    _exit(code)
}
