import CommandLine
import Foundation
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
    static let folder = Phrase("data folder {path}", "데이터 폴더 {path}")
    static let folderNew = Phrase(
        "data folder {path}: the first start creates it",
        "데이터 폴더 {path}: 처음 시작할 때 만듭니다")
    static let folderOpen = Phrase(
        "other users can read the data folder {path} (mode {mode})",
        "다른 사용자가 데이터 폴더 {path}을(를) 읽을 수 있습니다(모드 {mode})")
    static let folderNotOurs = Phrase(
        "this user cannot write to the data folder {path}",
        "이 사용자는 데이터 폴더 {path}에 쓸 수 없습니다")
    static let folderIsFile = Phrase("{path} is not a folder", "{path}은(는) 폴더가 아닙니다")
    static let giveFolder = Phrase(
        "run this check as the server's user, or run: {command}",
        "서버의 사용자로 실행하거나 다음 명령을 쓰세요: {command}")
    static let otherFolder = Phrase("choose another --data folder", "다른 --data 폴더를 지정하세요")
    static let run = Phrase("run: {command}", "다음 명령을 실행하세요: {command}")
    static let files = Phrase(
        "only their owner can read the data files",
        "데이터 파일은 소유자만 읽을 수 있습니다")
    static let fileOpen = Phrase(
        "other users can read {path} (mode {mode})",
        "다른 사용자가 {path}을(를) 읽을 수 있습니다(모드 {mode})")
    static let fileOfAnother = Phrase(
        "{path} and its folder have different owners",
        "{path}의 소유자가 폴더의 소유자와 다릅니다")
    static let secret = Phrase("the server's secret exists", "서버의 비밀 키가 있습니다")
    static let secretNew = Phrase(
        "the server's secret: the first start creates it",
        "서버의 비밀 키: 처음 시작할 때 만듭니다")
    static let secretMissing = Phrase(
        "the server's secret {path} is missing, although the data exists",
        "데이터는 있지만 서버의 비밀 키가 없습니다: {path}")
    static let secretMissingAdvice = Phrase(
        "put the secret back, or restore a backup; the server does not start without it",
        "비밀 키를 되돌려 놓거나 백업을 복원하세요. 비밀 키가 없으면 서버가 시작하지 않습니다")
    static let secretSize = Phrase(
        "the secret at {path} has {bytes} {bytes|byte|bytes} instead of 32",
        "{path}의 비밀 키가 32바이트가 아니라 {bytes}바이트입니다")
    static let restoreBackup = Phrase(
        "restore a backup: qring admin restore FILE --replace",
        "백업을 복원하세요: qring admin restore FILE --replace")
    static let disk = Phrase("the disk has {free} of free space", "디스크 여유 공간 {free}")
    static let diskLow = Phrase(
        "the disk has only {free} of free space",
        "디스크 여유 공간이 {free}뿐입니다")
    static let diskAdvice = Phrase(
        "free some space, or move the folder; with a full disk the server refuses changes but loses nothing",
        "공간을 비우거나 폴더를 옮기세요. 디스크가 가득 차면 변경을 거부하지만 데이터를 잃지는 않습니다")
    static let diskLowForRewrite = Phrase(
        "the disk has only {free} of free space; the server needs {needed} to rewrite the database file",
        "디스크 여유 공간이 {free}뿐입니다. 서버가 데이터베이스 파일을 다시 쓰려면 {needed}가 필요합니다")
    static let diskLowForRewriteAdvice = Phrase(
        "free some space, or move the folder; until then the file can show the order of anonymous "
            + "answers, and remains of erased data",
        "공간을 비우거나 폴더를 옮기세요. 그때까지는 파일에 익명 답변의 순서와 삭제한 데이터의 흔적이 남을 수 있습니다")
    static let diskReadOnly = Phrase(
        "the disk of {path} is mounted read-only",
        "{path}의 디스크가 읽기 전용으로 마운트되어 있습니다")
    static let diskReadOnlyAdvice = Phrase(
        "mount it for writing, or choose another --data folder",
        "쓸 수 있게 마운트하거나 다른 --data 폴더를 지정하세요")
    static let running = Phrase("a server is running (process {process})", "서버가 실행 중입니다(프로세스 {process})")
    static let notRunning = Phrase("no server is running on this folder", "이 폴더를 쓰는 서버가 없습니다")
    static let database = Phrase("database schema {found}", "데이터베이스 스키마 {found}")
    static let databaseNew = Phrase("database: the first start creates it", "데이터베이스: 처음 시작할 때 만듭니다")
    static let databaseOlder = Phrase(
        "database schema {found}; the next start copies the database, then migrates it to {known}",
        "데이터베이스 스키마 {found}. 다음에 시작할 때 사본을 남기고 {known}(으)로 올립니다")
    static let commits = Phrase("no acknowledged change is missing", "저장했다고 응답한 변경이 모두 있습니다")
    static let commitsAdvice = Phrase(
        "ask the attendees of that time to check in again, or add them; then move the folder lost-… out "
            + "of the data folder",
        "그 시간의 참석자에게 다시 체크인을 부탁하거나 직접 추가한 뒤, lost-… 폴더를 데이터 폴더 밖으로 옮기세요")
    static let foreignLogAdvice = Phrase(
        "if you know the right journal.db and journal.db-wal, stop the server and put both back; otherwise "
            + "ask the attendees of that time to check in again. Then move the folder lost-… out of the "
            + "data folder",
        "알맞은 journal.db와 journal.db-wal을 알고 있으면 서버를 멈추고 둘 다 되돌려 놓으세요. 없으면 그 시간의 참석자에게 다시 체크인을 부탁하세요. 그런 다음 "
            + "lost-… 폴더를 데이터 폴더 밖으로 옮기세요")
    static let databaseFails = Phrase("database: {reason}", "데이터베이스: {reason}")
    static let verifyFirst = Phrase("run: qring admin verify", "다음 명령을 실행하세요: qring admin verify")
    static let clock = Phrase("the clock says {time}", "시계가 {time}입니다")
    static let clockWrong = Phrase(
        "the clock says {time}, which cannot be right",
        "시계가 {time}입니다. 올바른 시각일 수 없습니다")
    static let clockBehind = Phrase(
        "the clock says {time}, but the newest event is from {newest}",
        "시계는 {time}인데 최신 이벤트의 시각은 {newest}입니다")
    static let clockAdvice = Phrase(
        "set the clock, and synchronize it with NTP: timedatectl set-ntp true",
        "시계를 맞추고 NTP로 동기화하세요: timedatectl set-ntp true")
    static let zones = Phrase("the time zones are installed", "시간대 정보가 설치되어 있습니다")
    static let zonesMissing = Phrase(
        "this machine has no time zone data for {zones}", "이 컴퓨터에 {zones} 시간대 정보가 없습니다")
    static let zonesAdvice = Phrase("install tzdata", "tzdata를 설치하세요")
}
