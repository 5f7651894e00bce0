import Foundation

/// A file of this repository that a test reads.
enum RepositoryFile {
    /// - Parameter path: the path from the root of the repository.
    static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
