import CPages

/// A file of the folder `Public`, which is compiled into the program.
package struct PublicFile: Sendable {
    /// The path of the file's URL, such as `/page.css`.
    package let path: String
    /// The contents of the file: UTF-8 text without NUL bytes.
    package let bytes: [UInt8]

    /// Returns the file with this path, or nil if there is no such file.
    package init?(at path: String) {
        guard let file = Self.all.first(where: { $0.path == path }) else { return nil }
        self = file
    }

    private init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    /// The contents of all files, each followed by a NUL.
    package static var contents: UnsafeBufferPointer<UInt8> {
        var count = 0
        let start = cpages_bytes(&count)
        return UnsafeBufferPointer(start: start, count: count)
    }

    /// A line `#embed FILE(PATH)` for each file.
    package static var list: String { String(cString: cpages_list()) }

    /// All files, sorted by path.
    package static let all: [PublicFile] = {
        let paths = list.matches(of: /#embed FILE\((.+)\)/).map { "/\($0.1)" }
        let files = contents.split(separator: 0)
        precondition(paths.count == files.count, "a file of Public is empty or contains a NUL byte")
        return zip(paths, files).map { PublicFile(path: $0, bytes: Array($1)) }
    }()
}
