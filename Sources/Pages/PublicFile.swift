import CPages

/// A file of the folder `Public`, compiled in.
package struct PublicFile: Sendable {
    /// As it is asked for: `/page.css`.
    package let path: String
    package let bytes: [UInt8]

    /// Nil for a file that is not compiled in.
    package init?(at path: String) {
        guard let file = Self.all.first(where: { $0.path == path }) else { return nil }
        self = file
    }

    private init(_ page: CPage) {
        path = String(cString: page.path)
        bytes = Array(UnsafeBufferPointer(start: page.bytes, count: page.count))
    }

    package static let all: [PublicFile] = {
        var files: [PublicFile] = []
        while let page = cpages_at(files.count) { files.append(PublicFile(page.pointee)) }
        return files
    }()
}
