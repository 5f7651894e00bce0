import CLibWebSockets
import Glibc

/// Prevents libwebsockets from closing a file that belongs to another part of this process.
///
/// When a context on libuv is destroyed, libwebsockets 4.1.6 closes the descriptor of its wake-up pipe twice:
/// at once (`lws_plat_pipe_close`), and again after libuv has closed the handle
/// (`__lws_close_free_wsi_final`). Between the two, another thread may have opened a file that has the same
/// descriptor. Therefore the second close happens only while this object owns that descriptor.
///
/// Only the thread that destroys the context may use this object.
final class PipeClosing {
    private var handle: UnsafeMutablePointer<uv_handle_t>?
    private var fileDescriptor: CInt = -1
    private var original: uv_close_cb?
    /// Whether the pipe is closed. If this value is `false` after the loop has run, another thread uses the
    /// descriptor, and the context must not be destroyed further.
    private(set) var isComplete = false

    /// Finds the wake-up pipe. Callers must call this function before the first `lws_context_destroy`.
    func find(in loop: UnsafeMutablePointer<uv_loop_t>) {
        loop.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        uv_walk(loop, findPipe, nil)
        if let handle { uv_fileno(handle, &fileDescriptor) }
    }

    /// Replaces the pipe's close callback. Callers must call this function after the first
    /// `lws_context_destroy` and before the loop runs.
    func intercept() {
        guard let handle else { return }
        original = handle.pointee.close_cb
        handle.pointee.close_cb = pipeClosed
    }

    fileprivate func saw(_ found: UnsafeMutablePointer<uv_handle_t>) {
        guard found.pointee.type == UV_POLL, let wsi = found.pointee.data else { return }
        // A connection has its id as user data. The pipe has no user data.
        if lws_get_opaque_user_data(OpaquePointer(wsi)) == nil { handle = found }
    }

    fileprivate func closed(_ handle: UnsafeMutablePointer<uv_handle_t>) {
        // F_DUPFD_CLOEXEC returns the lowest free descriptor that is not below the pipe's descriptor. The
        // result is the pipe's descriptor, unless another thread uses that descriptor.
        let held = fcntl(uv_backend_fd(handle.pointee.loop), F_DUPFD_CLOEXEC, fileDescriptor)
        guard held == fileDescriptor else {
            if held >= 0 { close(held) }
            // The handles of libwebsockets stay open now, so the loop would never end without this call.
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
