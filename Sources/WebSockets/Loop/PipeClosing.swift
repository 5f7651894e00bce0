import CLibWebSockets
import Glibc

/// Prevents the library from closing another file of this process.
///
/// When a context on libuv is destroyed, libwebsockets 4.1.6 closes the descriptor of its wake-up pipe twice:
/// at once (`lws_plat_pipe_close`), and again when libuv has closed the handle
/// (`__lws_close_free_wsi_final`). Meanwhile another thread may have got the same number. Therefore the
/// second close happens only while this object holds the number itself.
///
/// It belongs to the thread that destroys the context.
final class PipeClosing {
    private var handle: UnsafeMutablePointer<uv_handle_t>?
    private var fileDescriptor: CInt = -1
    private var original: uv_close_cb?
    /// `false` after the loop has run means that another thread has the number, and that the context must not
    /// be destroyed further.
    private(set) var isComplete = false

    /// Finds the pipe. Call it before the first `lws_context_destroy`.
    func find(in loop: UnsafeMutablePointer<uv_loop_t>) {
        loop.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        uv_walk(loop, findPipe, nil)
        if let handle { uv_fileno(handle, &fileDescriptor) }
    }

    /// Takes over the pipe's close callback. Call it after that, before the loop runs.
    func intercept() {
        guard let handle else { return }
        original = handle.pointee.close_cb
        handle.pointee.close_cb = pipeClosed
    }

    fileprivate func saw(_ found: UnsafeMutablePointer<uv_handle_t>) {
        guard found.pointee.type == UV_POLL, let wsi = found.pointee.data else { return }
        // Connections carry their id; the pipe carries nothing.
        if lws_get_opaque_user_data(OpaquePointer(wsi)) == nil { handle = found }
    }

    fileprivate func closed(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        // Returns the lowest free number from the pipe's own on: the pipe's number, unless another thread has
        // it.
        let held = fcntl(uv_backend_fd(handle.pointee.loop), F_DUPFD_CLOEXEC, fileDescriptor)
        guard held == fileDescriptor else {
            if held >= 0 { close(held) }
            // The library's own handles stay open now, so the loop would not end by itself.
            uv_stop(handle.pointee.loop)
            return
        }
        isComplete = true
        original?(handle)
    }

    fileprivate static func of(_ handle: UnsafeMutablePointer<uv_handle_t>?) -> PipeClosing? {
        guard let data = handle?.pointee.loop?.pointee.data else { return nil }
        return Unmanaged<PipeClosing>.fromOpaque(data).takeUnretainedValue()
    }
}

private nonisolated func findPipe(
    _ handle: UnsafeMutablePointer<uv_handle_t>?, _ unused: UnsafeMutableRawPointer?
) {
    guard let handle else { return }
    PipeClosing.of(handle)?.saw(handle)
}

private nonisolated func pipeClosed(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
    guard let handle else { return }
    PipeClosing.of(handle)?.closed(handle)
}
