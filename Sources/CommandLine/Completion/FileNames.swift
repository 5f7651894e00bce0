internal import Glibc

extension Completer {
    /// The most entries of a folder that are read, so that a huge folder does not delay the next key.
    private static let mostEntries = 10_000

    /// Returns the files and folders whose path begins with the typed text, as a shell completes them: hidden
    /// ones only after a dot, and folders with a slash. The shells' scripts use their own completion.
    package static func files(_ typed: String, areFolders: Bool = false) -> [Candidate] {
        let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
        let beginning = typed.dropFirst(folder.count)
        guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(stream) }
        var found: [Candidate] = []
        for _ in 0..<mostEntries {
            guard let entry = readdir(stream) else { break }
            let bytes = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
                    Array(UnsafeBufferPointer(start: start, count: 256).prefix { $0 != 0 })
                }
            }
            // A name that nobody can type or see is not offered.
            guard let name = String(validating: bytes, as: UTF8.self), name != ".", name != "..",
                name.hasPrefix(beginning), beginning.hasPrefix(".") || !name.hasPrefix("."),
                !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { continue }
            var status = stat()
            let isFolder = stat(folder + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            if isFolder || !areFolders {
                found.append(Candidate(word: folder + name + (isFolder ? "/" : "")))
            }
        }
        return found.sorted { $0.word < $1.word }
    }
}
