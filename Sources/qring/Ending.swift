import Glibc

/// Ends the process at once, with everything else of it still running.
///
/// exit(3) would first run what libraries have left for the end (OpenSSL's clean-up, destructors of C++, libuv's pool), while their threads go on
/// here: libcurl's gives back a connection when its answer has been heard already, libuv's frees its loop, Swift's pool has tasks. What such a
/// thread touches then may be gone, and a segmentation fault was seen once, after everything had been done and said. Whatever must last is durable
/// by now: the storage is closed, the terminal given back, and everything is written with write(2).
func end(_ code: Int32) -> Never {
    // AddressSanitizer looks for leaks on the way that is not taken.
    if let look = dlsym(nil, "__lsan_do_leak_check") { unsafeBitCast(look, to: (@convention(c) () -> Void).self)() }
    _exit(code)
}
