import CPostgres
import Journal

/// Streams of rows in the binary format of COPY (sql-copy, libpq-copy).
extension Connection {
    /// The signature, the flags and the length of the extension (sql-copy, "File Header").
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
    /// A number of fields of −1 (sql-copy, "File Trailer").
    private static let trailer: [UInt8] = [0xFF, 0xFF]

    /// Runs `COPY … TO STDOUT` and passes the rows to `body`, one after the other, until `body` returns
    /// false.
    func copyOut(
        _ text: String, _ operation: String, _ body: (ArraySlice<UInt8>) -> Bool
    ) throws(JournalError) {
        try beginCopy(text, PGRES_COPY_OUT, operation)
        // "The received message boundaries … the frontend should not depend on" (protocol-flow, COPY).
        var received: [UInt8] = []
        var isFirst = true
        while true {
            var message: UnsafeMutablePointer<CChar>?
            let length = PQgetCopyData(handle, &message, 0)
            guard length > 0, let message else { break }
            received.append(contentsOf: UnsafeRawBufferPointer(start: message, count: Int(length)))
            PQfreemem(message)
            if isFirst {
                guard received.count >= Self.header.count else { continue }
                received.removeFirst(Self.header.count)
                isFirst = false
            }
            var position = 0
            while let length = received.withUnsafeBytes({ RowSlice.lengthOfRow($0, at: position) }),
                length > Self.trailer.count
            {
                guard body(received[position..<position + length]) else {
                    // The remaining rows are not read, so the connection cannot be used any more.
                    close()
                    return
                }
                position += length
            }
            received.removeFirst(position)
        }
        try endCopy(operation)
    }

    /// Runs `COPY … FROM STDIN` with the rows of `slice`.
    func copyIn(_ text: String, _ operation: String, _ slice: RowSlice) throws(JournalError) {
        try beginCopy(text, PGRES_COPY_IN, operation)
        for part in [Self.header, slice.bytes, Self.trailer] {
            let code = part.withUnsafeBytes { bytes in
                PQputCopyData(
                    handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            // The reason follows as the result of the command.
            if code != 1 { break }
        }
        PQputCopyEnd(handle, nil)
        try endCopy(operation)
    }

    private func beginCopy(
        _ text: String, _ status: ExecStatusType, _ operation: String
    ) throws(JournalError) {
        let result = PQexec(handle, text)
        defer { PQclear(result) }
        guard PQresultStatus(result) == status else { throw failure(result, operation) }
    }

    /// Reads the results of the command. "Call PQgetResult … until it returns a null pointer" (libpq-copy).
    private func endCopy(_ operation: String) throws(JournalError) {
        var error: JournalError?
        while let result = PQgetResult(handle) {
            if PQresultStatus(result) != PGRES_COMMAND_OK, error == nil { error = failure(result, operation) }
            PQclear(result)
        }
        if let error { throw error }
        guard isOpen else { throw .failed(StorageFailure(.unreachable, operation: operation)) }
    }
}
