import Foundation

/// Flushes all output and ends the process with `_exit`, which runs no clean-up. `exit` would clean up
/// OpenSSL (OPENSSL_init_crypto(3): "initiated automatically on application exit"), while another thread may
/// still use OpenSSL for a connection.
func end(with code: CInt) -> Never {
    fflush(nil)
    // AddressSanitizer looks for leaks only in `exit`, so run its check here if the program contains it.
    if let look = dlsym(nil, "__lsan_do_leak_check") {
        unsafeBitCast(look, to: (@convention(c) () -> Void).self)()
    }
    _exit(code)
}
