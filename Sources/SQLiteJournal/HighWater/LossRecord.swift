import FoundationEssentials
import Glibc
import Journal
import Meetings
import SQLJournal

/// The record of lost commits: a folder `lost-TIME` beside the database. It holds copies of the files in
/// which a start found that commits were missing, and `lost.txt` with the numbers. The server reports the
/// loss until the operator removes or moves the folder.
struct LossRecord {
    static let prefix = "lost-"
    private static let partial = ".partial"
    private static let note = "lost.txt"
    /// The largest number of copies. If a disk loses commits repeatedly, the operator must act before the
    /// next start.
    static let mostCopies = 3

    /// Returns the losses that are recorded in `folder`, oldest first.
    static func all(in folder: String) -> [LostCommits] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) && !$0.hasSuffix(partial) }.sorted().compactMap {
            read("\(folder)/\($0)")
        }
    }

    /// Removes an interrupted copy. The original files still exist.
    static func removePartial(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(partial) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// Copies the database, its log and its mark, because the next commits overwrite them, and removes a
    /// foreign log. If a copy fails, the function removes all copies. Otherwise all copies are synced.
    /// - Throws: `.full` if there is no room for the copy, `.tooManyLosses`, or the system's error.
    static func store(_ loss: LostCommits, of data: DataFolder) throws(JournalError) {
        guard all(in: data.path).count < mostCopies else {
            throw .failed(
                StorageFailure(.tooManyLosses, operation: "copy", detail: "\(data.path)/\(prefix)…"))
        }
        let stamp = loss.until.rfc3339.replacing(":", with: "").replacing(".", with: "")
        let name = PrivateFile.freeName("\(data.path)/\(prefix)\(stamp)")
        let draft = name + partial
        do throws(JournalError) {
            try? FileManager.default.removeItem(atPath: draft)
            try DataFolder(path: draft).makeFolder()
            for path in [data.databasePath, data.logPath, data.markPath] where PrivateFile.exists(path) {
                try PrivateFile.copy(path, to: draft + path.dropFirst(data.path.count))
            }
            try PrivateFile.make("\(draft)/\(note)", Array(text(of: loss).utf8))
            try PrivateFile.sync(draft)
            try PrivateFile.move(draft, to: name)
            try PrivateFile.sync(data.path)
            guard loss.inForeignLog != nil else { return }
            for path in [data.logPath, data.indexPath] { unlink(path) }
            try PrivateFile.sync(data.path)
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw error
        }
    }

    private static func text(of loss: LostCommits) -> String {
        let foreign = loss.inForeignLog.map { "foreign \($0)\n" } ?? ""
        return "commits \(loss.commits)\nsince \(loss.since?.rfc3339 ?? "unknown")\n"
            + "until \(loss.until.rfc3339)\n\(foreign)"
    }

    /// Reads the record in `folder`. Returns nil if the folder has no readable note.
    private static func read(_ folder: String) -> LostCommits? {
        let path = "\(folder)/\(note)"
        guard let size = PrivateFile.size(path), size < 1000, let bytes = PrivateFile.read(path, count: size)
        else { return nil }
        var values: [Substring: Substring] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard let commits = values["commits"].flatMap({ Int64($0) }),
            let until = values["until"].flatMap({ Instant(rfc3339: $0) })
        else {
            return nil
        }
        return LostCommits(
            commits: commits, since: values["since"].flatMap { Instant(rfc3339: $0) }, until: until,
            copy: folder, inForeignLog: values["foreign"].flatMap { Int64($0) })
    }
}

extension DataFolder {
    /// Returns all known losses of commits: the losses that earlier starts recorded, and the loss that the
    /// next start will detect.
    ///
    /// - Parameter mark: the mark **before** `connection` began its transaction. A server writes the mark
    ///   after each commit, so an older mark is never ahead of the database of a running server.
    /// - Throws: `.databaseLost` if the database has lost its content.
    func losses(_ connection: Connection, mark: HighWaterMark?) throws(JournalError) -> [LostCommits] {
        let recorded = LossRecord.all(in: path)
        if Connection.hasLog(databasePath), holder == nil, let log = foreignLog() {
            return recorded + [log.loss(epoch: try connection.epoch(), mark)]
        }
        guard let mark else { return recorded }
        let count = try checkContent(connection, mark)
        guard try connection.epoch() == mark.epoch else { return recorded }
        return recorded + (count.loss(by: mark).map { [$0] } ?? [])
    }
}
