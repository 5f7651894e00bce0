import Foundation

/// Reads the files (fileformat2.html) as a person with a copy of them could, without SQLite.
struct FileForensics {
    private let bytes: [UInt8]
    private let pageSize: Int

    init(database path: String) throws {
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65536 : size
    }

    private func number(_ at: Int, bytes count: Int) -> Int {
        bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the pages of a b-tree, in the order of the file.
    func pages(ofTreeAt root: Int) -> [Int] {
        var found: [Int] = []
        var waiting = [root]
        while let page = waiting.popLast() {
            found.append(page)
            let start = (page - 1) * pageSize
            // The page types 2 and 5 are the interior pages of an index and of a table. Each cell begins with
            // its left child.
            guard bytes[start] == 2 || bytes[start] == 5 else { continue }
            for cell in 0..<number(start + 3, bytes: 2) {
                waiting.append(number(start + number(start + 12 + 2 * cell, bytes: 2), bytes: 4))
            }
            waiting.append(number(start + 8, bytes: 4))
        }
        return found.sorted()
    }

    /// Returns the indexes of the `ids` that are in the tree, in the order in which a page fills: from its
    /// end to its beginning.
    func order(of ids: [[UInt8]], inTreeAt root: Int) -> [Int] {
        var places: [(place: Int, index: Int)] = []
        for page in pages(ofTreeAt: root) {
            let all = Data(bytes[(page - 1) * pageSize..<page * pageSize])
            for (index, id) in ids.enumerated() {
                if let range = all.range(of: Data(id)) {
                    places.append((page * pageSize - range.lowerBound, index))
                }
            }
        }
        return places.sorted { $0.place < $1.place }.map(\.index)
    }

    func count(of id: [UInt8]) -> Int {
        let all = Data(bytes)
        var count = 0
        var from = all.startIndex
        while let range = all.range(of: Data(id), in: from..<all.endIndex) {
            count += 1
            from = range.upperBound
        }
        return count
    }

    /// Returns for each commit in the log the indexes of the `ids` that this commit contains for the first
    /// time.
    static func firstSeen(_ ids: [[UInt8]], inLog path: String) throws -> [[Int]] {
        let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        guard log.count > 32 else { return [] }
        let size = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
        var seen: Set<Int> = []
        var commits: [[Int]] = [[]]
        for frame in stride(from: 32, through: log.count - size - 24, by: size + 24) {
            let page = Data(log[frame + 24..<frame + 24 + size])
            for (index, id) in ids.enumerated() where !seen.contains(index) && page.range(of: Data(id)) != nil
            {
                seen.insert(index)
                commits[commits.count - 1].append(index)
            }
            // "For commit records, the size of the database file in pages after the commit. For all other
            // records, zero."
            if log[frame + 4..<frame + 8].contains(where: { $0 != 0 }) { commits.append([]) }
        }
        return commits
    }
}
