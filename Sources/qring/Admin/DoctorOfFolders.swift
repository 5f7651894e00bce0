import CommandLine
import FoundationEssentials
import Glibc
import HostCommands
import Journal
import Meetings
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Doctor

/// Checks the data folder: its files, its disk and its content.
extension Invocation {
    func folderDiagnoses(_ seen: Examination, _ path: String) -> [Diagnosis] {
        guard let folder = seen.folder else {
            let parent = nearestFolder(above: path)
            let isWritable = access(parent, W_OK) == 0
            let first =
                isWritable
                ? well("folder", Messages.folderNew, ["path": path])
                : unwell("folder", .fail, Messages.folderNotOurs, Messages.otherFolder, ["path": parent])
            return [first] + disk(parent, seen)
        }
        guard folder.isFolder else {
            return [unwell("folder", .fail, Messages.folderIsFile, Messages.otherFolder, ["path": path])]
        }
        return [folderItself(folder)] + files(seen, folder) + [secret(seen, path)] + disk(path, seen)
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
                "secret", .fail, Messages.secretMissing, Messages.secretMissingAdvice,
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

    private func disk(_ path: String, _ seen: Examination) -> [Diagnosis] {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return [] }
        // The value of ST_RDONLY (statvfs(3)).
        if status.f_flag & 1 != 0 {
            return [unwell("disk", .fail, Messages.diskReadOnly, Messages.diskReadOnlyAdvice, ["path": path])]
        }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        let values = ["free": byteText(free)]
        if free < FreeSpace.least {
            return [unwell("disk", .fail, Messages.diskLow, Messages.diskAdvice, values)]
        }
        if free < seen.bytesForRewrite {
            let values = ["free": byteText(free), "needed": byteText(seen.bytesForRewrite)]
            return [
                unwell("disk", .warn, Messages.diskLowForRewrite, Messages.diskLowForRewriteAdvice, values)
            ]
        }
        if free < Self.littleSpace {
            return [unwell("disk", .warn, Messages.diskLow, Messages.diskAdvice, values)]
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

    // MARK: Content of the data folder

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
            var values = ["reason": reason(failure, in: folder)]
            let remedy: Phrase
            switch failure.reason {
            case .databaseLost: remedy = Messages.restoreBackup
            case .newerSchema(_, let known):
                values["command"] = restoringCopy(ofSchema: known, in: folder)
                remedy = values["command"] == nil ? Messages.startNewer : Messages.startNewerOrRestore
            default: remedy = Messages.verifyFirst
            }
            found.append(unwell("database", .fail, Messages.databaseFails, remedy, values))
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
                remedy: text(
                    loss.inForeignLog == nil ? Messages.commitsAdvice : Messages.foreignLogAdvice))
        }
    }

    /// The first of January 2026 (UTC). A clock before this time is wrong, because no version of QRing
    /// existed yet.
    private static let earliest = Instant(milliseconds: 1_767_225_600_000)

    private func clock(_ newest: Instant?) -> Diagnosis {
        let now = SystemClock().now
        let values = ["time": now.rfc3339, "newest": newest?.rfc3339 ?? ""]
        if now < Self.earliest {
            return unwell("clock", .fail, Messages.clockWrong, Messages.clockAdvice, values)
        }
        // Allow two seconds, because the journal accepts a clock that has moved back by one second.
        if let newest, newest > now + .seconds(2) {
            return unwell("clock", .fail, Messages.clockBehind, Messages.clockAdvice, values)
        }
        return well("clock", Messages.clock, values)
    }

    private func zoneDiagnosis(_ used: [String]) -> Diagnosis {
        let missing = Set(used + ["Asia/Seoul"]).filter { Zone($0) == nil }.sorted()
        if missing.isEmpty { return well("zones", Messages.zones) }
        return unwell(
            "zones", .fail, Messages.zonesMissing, Messages.zonesAdvice,
            ["zones": missing.joined(separator: ", ")])
    }
}

extension CommandPhrases.Doctor {
    static let folder = Phrase("data folder {path}")
    static let folderNew = Phrase("data folder {path}: the first start creates it")
    static let folderOpen = Phrase("other users can read the data folder {path} (mode {mode})")
    static let folderNotOurs = Phrase("this user cannot write to the data folder {path}")
    static let folderIsFile = Phrase("{path} is not a folder")
    static let giveFolder = Phrase("run this check as the server's user, or run: {command}")
    static let otherFolder = Phrase("choose another --data folder")
    static let run = Phrase("run: {command}")
    static let files = Phrase("only their owner can read the data files")
    static let fileOpen = Phrase("other users can read {path} (mode {mode})")
    static let fileOfAnother = Phrase("{path} and its folder have different owners")
    static let secret = Phrase("the server's secret exists")
    static let secretNew = Phrase("the server's secret: the first start creates it")
    static let secretMissing = Phrase("the server's secret {path} is missing, although the data exists")
    static let secretMissingAdvice = Phrase(
        "put the secret back, or restore a backup; the server does not start without it")
    static let secretSize = Phrase("the secret at {path} has {bytes} {bytes|byte|bytes} instead of 32")
    static let restoreBackup = Phrase("restore a backup: qring admin restore FILE --replace")
    static let disk = Phrase("the disk has {free} of free space")
    static let diskLow = Phrase("the disk has only {free} of free space")
    static let diskAdvice = Phrase(
        "free some space, or move the folder; with a full disk the server refuses changes but loses nothing")
    static let diskLowForRewrite = Phrase(
        "the disk has only {free} of free space; the server needs {needed} to rewrite the database file")
    static let diskLowForRewriteAdvice = Phrase(
        "free some space, or move the folder; until then the file can show the order of anonymous "
            + "answers, and remains of erased data")
    static let diskReadOnly = Phrase("the disk of {path} is mounted read-only")
    static let diskReadOnlyAdvice = Phrase("mount it for writing, or choose another --data folder")
    static let running = Phrase("a server is running (process {process})")
    static let notRunning = Phrase("no server is running on this folder")
    static let database = Phrase("database schema {found}")
    static let databaseNew = Phrase("database: the first start creates it")
    static let databaseOlder = Phrase(
        "database schema {found}; the next start copies the database, then migrates it to {known}")
    static let commits = Phrase("no acknowledged change is missing")
    static let commitsAdvice = Phrase(
        "ask the attendees of that time to check in again, or add them; then move the folder lost-… out "
            + "of the data folder")
    static let foreignLogAdvice = Phrase(
        "if you know the right journal.db and journal.db-wal, stop the server and put both back; otherwise "
            + "ask the attendees of that time to check in again. Then move the folder lost-… out of the "
            + "data folder")
    static let databaseFails = Phrase("database: {reason}")
    static let verifyFirst = Phrase("run: qring admin verify")
    static let startNewer = Phrase("start the newer QRing")
    static let startNewerOrRestore = Phrase("start the newer QRing, or run: {command}")
    static let clock = Phrase("the clock says {time}")
    static let clockWrong = Phrase("the clock says {time}, which cannot be right")
    static let clockBehind = Phrase("the clock says {time}, but the newest event is from {newest}")
    static let clockAdvice = Phrase("set the clock, and synchronize it with NTP: timedatectl set-ntp true")
    static let zones = Phrase("the time zones are installed")
    static let zonesMissing = Phrase("this machine has no time zone data for {zones}")
    static let zonesAdvice = Phrase("install tzdata")
}
