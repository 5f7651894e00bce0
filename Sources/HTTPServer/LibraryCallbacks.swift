import CMicroHTTPD
import Glibc

// The callbacks of libmicrohttpd. They run on the loop's thread, within MHD_run, MHD_add_connection or
// MHD_stop_daemon. The context is the loop, which outlives its daemon. A connection's context is its
// `Connection`, which is retained from its start to its end.

private nonisolated func loop(_ context: UnsafeMutableRawPointer?) -> HTTPLoop {
    guard let context else { preconditionFailure("a daemon without its loop") }
    return Unmanaged<HTTPLoop>.fromOpaque(context).takeUnretainedValue()
}

private nonisolated func connection(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// The callback for a new request ("callback to call before calling the access handler"). Only this callback
/// receives the target as the client sent it. Returns the context of the request.
nonisolated func readTarget(
    _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ library: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let library, let request = cmhd_connection_context(library) else { return nil }
    if let connection = connection(request) { loop(context).beginRequest(on: connection, target: uri) }
    return request
}

/// The access handler. libmicrohttpd calls it when the headers are complete, for every piece of the body, and
/// once at the end of the body.
nonisolated func answerRequest(
    _ context: UnsafeMutableRawPointer?, _ library: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connection = connection(request?.pointee), let uploadSize, let method, let version else {
        return .NO
    }
    let piece = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
    // "must be updated to the number of bytes not processed": this handler always processes all bytes.
    uploadSize.pointee = 0
    guard loop(context).advance(connection, method: method, version: version, piece: piece) else {
        connection.isLast = true
        return .NO
    }
    return .YES
}

/// Receives the log messages of libmicrohttpd. libmicrohttpd logs a message before each response of its own.
/// If it cannot read a `Content-Length`, it first logs a message that contains the name of this header.
nonisolated func hearLibrary(_ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?) {
    guard let format else { return }
    if strstr(format, "Error processing request") != nil { loop(context).refusals += 1 }
    guard strstr(format, "Content-Length") != nil else { return }
    loop(context).refuseLength(strstr(format, "Too large") == nil ? .ambiguousLength : .bodyTooLarge)
}

nonisolated func finishRequest(
    _ context: UnsafeMutableRawPointer?, _ library: OpaquePointer?,
    _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ reason: MHD_RequestTerminationCode
) {
    guard let connection = connection(request?.pointee) else { return }
    request?.pointee = nil
    loop(context).endRequest(on: connection, isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
}

nonisolated func changeConnection(
    _ context: UnsafeMutableRawPointer?, _ library: OpaquePointer?,
    _ stored: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ change: MHD_ConnectionNotificationCode
) {
    guard let library, let stored else { return }
    if change == .CONNECTION_NOTIFY_STARTED {
        let connection = loop(context).beginConnection(library)
        stored.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let retained = stored.pointee {
        stored.pointee = nil
        loop(context).endConnection(Unmanaged<Connection>.fromOpaque(retained).takeRetainedValue())
    }
}
