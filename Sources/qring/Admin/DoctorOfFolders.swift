import CommandLine
import Foundation
import HostCommands
import Journal
import Meetings
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Doctor

/// The data folder, its files, its disk, and what is in it.
extension Invocation {
    func folderDiagnoses(_ seen: Examination, _ path: String) -> [Diagnosis] {
        guard let folder = seen.folder else {
            let parent = nearestFolder(above: path)
            let isWritable = access(parent, W_OK) == 0
            let first =
                isWritable
                ? well("folder", Messages.folderNew, ["path": path])
                : unwell("folder", .fail, Messages.folderNotOurs, Messages.otherFolder, ["path": parent])
            return [first] + disk(parent)
        }
        guard folder.isFolder else {
            return [unwell("folder", .fail, Messages.folderIsFile, Messages.otherFolder, ["path": path])]
        }
        return [folderItself(folder)] + files(seen, folder) + [secret(seen, path)] + disk(path)
    }

    private func folderItself(_ folder: Examination.Entry) -> Diagnosis {
        if access(folder.path, R_OK | W_OK | X_OK) != 0 {
            let command = "chown -R $USER \(folder.path)"
            return unwell(
                "folder", .fail, Messages.folderNotOurs, Messages.giveFolder,
                ["path": folder.path, "command": command])
        }
        guard folder.mode & 0o077 == 0 else {
            return open("folder", .warn, folder, Messages.folderOpen, mode: "700")
        }
        return well("folder", Messages.folder, ["path": folder.path])
    }

    private func open(
        _ check: String, _ state: Diagnosis.State, _ entry: Examination.Entry, _ phrase: Phrase, mode: String
    ) -> Diagnosis {
        unwell(
            check, state, phrase, Messages.run,
            [
                "path": entry.path, "mode": String(entry.mode, radix: 8),
                "command": "chmod \(mode) \(entry.path)",
            ])
    }

    private func files(_ seen: Examination, _ folder: Examination.Entry) -> [Diagnosis] {
        var found: [Diagnosis] = []
        for file in seen.files where file.mode & 0o077 != 0 {
            found.append(open("files", .warn, file, Messages.fileOpen, mode: "600"))
        }
        for file in seen.files + [seen.secret].compactMap(\.self) where file.owner != folder.owner {
            let command = "chown --reference=\(folder.path) \(file.path)"
            found.append(
                unwell(
                    "owner", .fail, Messages.fileOfAnother, Messages.run,
                    ["path": file.path, "command": command]))
        }
        return found.isEmpty && !seen.files.isEmpty ? [well("files", Messages.files)] : found
    }

    private func secret(_ seen: Examination, _ path: String) -> Diagnosis {
        guard let secret = seen.secret else {
            if case .none = seen.database { return well("secret", Messages.secretNew) }
            return unwell(
                "secret", .fail, Messages.secretMissing, Messages.secretMissingMend,
                ["path": "\(path)/secret"])
        }
        if secret.mode & 0o077 != 0 { return open("secret", .fail, secret, Messages.fileOpen, mode: "600") }
        guard secret.bytes == Examination.secretLength, !secret.isFolder else {
            return unwell(
                "secret", .fail, Messages.secretSize, Messages.restoreBackup,
                ["path": secret.path, "bytes": "\(secret.bytes)"])
        }
        return well("secret", Messages.secret)
    }

    private static let littleSpace = 1_000_000_000

    private func disk(_ path: String) -> [Diagnosis] {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return [] }
        // ST_RDONLY (statvfs(3)).
        if status.f_flag & 1 != 0 {
            return [unwell("disk", .fail, Messages.diskReadOnly, Messages.diskReadOnlyMend, ["path": path])]
        }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let values = ["free": byteText(free)]
        if free < FreeSpace.least {
            return [unwell("disk", .fail, Messages.diskLow, Messages.diskMend, values)]
        }
        if free < Self.littleSpace {
            return [unwell("disk", .warn, Messages.diskLow, Messages.diskMend, values)]
        }
        return [well("disk", Messages.disk, values)]
    }

    private func nearestFolder(above path: String) -> String {
        var url = URL(fileURLWithPath: path).deletingLastPathComponent()
        while url.path != "/", !FileManager.default.fileExists(atPath: url.path) {
            url.deleteLastPathComponent()
        }
        return url.path
    }

    // MARK: What is in it

    func databaseDiagnoses(_ seen: Examination, _ folder: String) -> [Diagnosis] {
        var found = [
            seen.holder.map { well("server", Messages.running, ["process": $0.isEmpty ? "?" : $0]) }
                ?? well("server", Messages.notRunning)
        ]
        if seen.restoreIsUnfinished {
            let reason = reason(StorageFailure(.restoreUnfinished, operation: "open"), in: folder)
            found.append(
                unwell("restore", .fail, Messages.databaseFails, Messages.restoreBackup, ["reason": reason]))
        }
        found += commits(seen)
        switch seen.database {
        case .none: found.append(well("database", Messages.databaseNew))
        case .failed(let failure):
            let remedy = failure.reason == .databaseLost ? Messages.restoreBackup : Messages.verifyFirst
            found.append(
                unwell(
                    "database", .fail, Messages.databaseFails, remedy, ["reason": reason(failure, in: folder)]
                ))
        case .readable(let schema, let known, let zones, let newest):
            let values = ["found": "\(schema)", "known": "\(known)"]
            found.append(
                well("database", schema < known ? Messages.databaseOlder : Messages.database, values))
            found.append(clock(newest))
            found.append(zoneDiagnosis(zones))
            return found
        }
        return found + [clock(nil), zoneDiagnosis([])]
    }

    private func commits(_ seen: Examination) -> [Diagnosis] {
        if seen.losses.isEmpty {
            if case .readable = seen.database { return [well("commits", Messages.commits)] }
            return []
        }
        return seen.losses.map { loss in
            let fault = Fault(loss)
            return Diagnosis(
                check: "commits", state: .fail, what: text(fault.phrase, fault.shown),
                remedy: text(Messages.commitsMend))
        }
    }

    /// Before this, nothing of QRing can have been started.
    private static let earliest = Instant(milliseconds: 1_767_225_600_000)

    private func clock(_ newest: Instant?) -> Diagnosis {
        let now = SystemClock().now
        let values = ["time": now.rfc3339, "newest": newest?.rfc3339 ?? ""]
        if now < Self.earliest {
            return unwell("clock", .fail, Messages.clockWrong, Messages.clockMend, values)
        }
        // The journal lets a clock go back by a second.
        if let newest, newest > now + .seconds(2) {
            return unwell("clock", .fail, Messages.clockBehind, Messages.clockMend, values)
        }
        return well("clock", Messages.clock, values)
    }

    private func zoneDiagnosis(_ used: [String]) -> Diagnosis {
        let missing = Set(used + ["Asia/Seoul"]).filter { Zone($0) == nil }.sorted()
        if missing.isEmpty { return well("zones", Messages.zones) }
        return unwell(
            "zones", .fail, Messages.zonesMissing, Messages.zonesMend,
            ["zones": missing.joined(separator: ", ")])
    }
}
