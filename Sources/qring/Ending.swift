import Foundation

/// Ends the process: what was written is flushed, and nothing is torn down. A command may end while another thread still makes a connection of
/// its own, and `exit` would take OpenSSL from under it: its clean-up "is initiated automatically on application exit"
/// (OPENSSL_init_crypto(3)). A sanitizer tells what it found at `exit`, where there is one.
func end(with code: CInt) -> Never {
    fflush(nil)
    if dlsym(nil, "__sanitizer_set_report_path") != nil { exit(code) }
    _exit(code)
}
