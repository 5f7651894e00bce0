internal import COnDemand

/// A C library that the program opens when it first needs it. The dynamic linker would load these libraries,
/// and about forty more that they need, at each start. docs/decisions/0084-light-program.md
package enum OnDemandLibrary: CaseIterable, Sendable {
    case curl, jq, postgres, pango

    /// Opens the library unless it is open. A wrapper calls this before its first call of the library.
    /// - Throws: the reason if the library is not installed.
    package func open() throws(MissingLibrary) {
        if let reason = qring_open(number) { throw MissingLibrary(reason: String(cString: reason)) }
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

/// The error that a library is not installed.
package struct MissingLibrary: Error, Hashable, Sendable {
    /// The message of the dynamic linker, with the name of Debian's package.
    package let reason: String
}
