import CLibWebSockets
import Glibc

/// Keeps the library from closing a stranger's file.
///
/// On libuv, 4.1.6 closes the descriptor of a context's wake-up pipe twice when the context is destroyed: at
/// once (`lws_plat_pipe_close`), and again when libuv has closed the handle (`__lws_close_free_wsi_final`).
/// In between another thread may have been given the number. So the second close is let through only where
/// the number is in our own hands.
///
/// Belongs to the thread that takes the loop down.
final class PipeClosing {
    private var handle: UnsafeMutablePointer<uv_handle_t>?
    private var fileDescriptor: CInt = -1
    private var original: uv_close_cb?
    /// `false` after the loop has run: the number was somebody else's, and the context must not be destroyed
    /// further.
    private(set) var isComplete = false

    /// Before the first `lws_context_destroy`.
    func find(in loop: UnsafeMutablePointer<uv_loop_t>) {
        loop.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        uv_walk(loop, findPipe, nil)
        if let handle { uv_fileno(handle, &fileDescriptor) }
    }

    /// After it, before the loop runs.
    func intercept() {
        guard let handle else { return }
        original = handle.pointee.close_cb
        handle.pointee.close_cb = pipeClosed
    }

    fileprivate func saw(_ found: UnsafeMutablePointer<uv_handle_t>) {
        guard found.pointee.type == UV_POLL, let wsi = found.pointee.data else { return }
        // Our connections carry their ID; the pipe carries nothing.
        if lws_get_opaque_user_data(OpaquePointer(wsi)) == nil { handle = found }
    }

    fileprivate func closed(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        // The lowest free number that is not below: the pipe's own, unless it was taken meanwhile.
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
