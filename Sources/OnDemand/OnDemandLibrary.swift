internal import COnDemand

/// A C library that the program opens when it first needs it. The dynamic linker would load these libraries,
/// and about forty more that they need, at each start. docs/decisions/0084-light-program.md
package enum OnDemandLibrary: CaseIterable, Sendable {
    case curl, jq, postgres, pango

    /// Opens the library unless it is open. A wrapper calls this before its first call of the library.
    /// - Throws: the reason if the library cannot be opened. The next call tries again.
    package func open() throws(MissingLibrary) {
        let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { reason -> String? in
            guard let start = reason.baseAddress, !qring_open(number, start, reason.count) else { return nil }
            return String(cString: start)
        }
        if let reason { throw MissingLibrary(reason: reason) }
    }

    /// Returns the address of a function in one of the libraries, which it opens; nil if none has it.
    package static func address(of function: String) -> UnsafeMutableRawPointer? {
        for library in allCases {
            if let address = qring_find(library.number, function) { return address }
        }
        return nil
    }

    private var number: qring_library {
        switch self {
        case .curl: QRING_CURL
        case .jq: QRING_JQ
        case .postgres: QRING_PQ
        case .pango: QRING_PANGO
        }
    }
}

/// The error that a library could not be opened.
package struct MissingLibrary: Error, Hashable, Sendable {
    /// The name of Debian's package, and the message of the dynamic linker.
    package let reason: String
}
