import CommandLine
import Foundation
import HostCommands
import Journal
import Phrases
import PostgresJournal
import SQLiteJournal

private typealias Messages = CommandPhrases.Copy

/// The command `qring admin copy`, which copies all data between SQLite and PostgreSQL.
let copyCommand = CommandDeclaration(
    "admin copy", Messages.summary,
    examples: [
        .init("admin copy --from /var/lib/qring --to postgres://qring@db/qring", Messages.toPostgres),
        .init("admin copy --from postgres://qring@db/qring --to /var/lib/qring", Messages.toSQLite),
    ],
    options: [
        .value("from", "DATABASE", Messages.from), .value("to", "DATABASE", Messages.to),
        .json(fields: ["tables", "rows", "epoch"]),
    ],
    needs: [.one(of: "from"), .one(of: "to")], notes: Messages.notes, hasServer: false
) { call throws(CommandFailure) in
    struct Answer: Encodable {
        let tables: Int
        let rows: Int
        let epoch: String
    }
    let from = CopiedDatabase(call.arguments.value("from") ?? "")
    let to = CopiedDatabase(call.arguments.value("to") ?? "")
    guard from != to else { throw .failed(Messages.same) }
    let progress = ProgressBar(call)
    defer { progress.end() }
    let result = await call.onThread { interruption throws(CopyError) in
        try copy(from, to, progress, interruption)
    }
    progress.end()
    let outcome: CopyOutcome
    switch result {
    case .success(let found): outcome = found
    case .failure(let error): throw call.failure(error)
    }
    switch outcome {
    case .faulty(let faults, let place):
        for line in call.lines(of: faults) { call.console.err(line + "\n") }
        throw .failed(Messages.faulty, ["place": call.text(place), "count": "\(faults.count)"])
    case .copied(let copy, let epoch):
        if call.wantsJSON {
            call.json(Answer(tables: copy.tables, rows: copy.rows, epoch: epoch))
        } else {
            call.out(
                Messages.copied,
                ["rows": "\(copy.rows)", "tables": "\(copy.tables)", "place": call.text(to.place)])
        }
        switch (from, to) {
        case (_, .folder(let folder)): call.note(Messages.startOnSQLite, ["folder": folder])
        case (.folder(let folder), .postgres): call.note(Messages.startOnPostgres, ["folder": folder])
        case (.postgres, .postgres): call.note(Messages.startOnOther)
        }
        return .success
    }
}

/// A database as the operator names it.
private enum CopiedDatabase: Hashable {
    /// The data folder with SQLite's database, as an absolute path.
    case folder(String)
    /// The settings of a PostgreSQL database.
    case postgres(String)

    init(_ text: String) {
        if DatabaseSettings.areSettings(text), !text.hasPrefix("/"), !text.hasPrefix(".") {
            self = .postgres(text)
        } else {
            self = .folder(URL(filePath: text).standardizedFileURL.resolvingSymlinksInPath().path)
        }
    }

    var place: CopyPlace {
        switch self {
        case .folder(let path): .folder(path)
        case .postgres(let settings): .server(DatabaseSettings.name(of: settings))
        }
    }

    /// Opens the source. Returns it with the fingerprint of the servers' secret, or nil if that is unknown.
    func openSource() throws(CopyError) -> (source: any CopySource, secretFingerprint: String?) {
        switch self {
        case .folder(let path):
            let source = try SQLiteCopySource(folder: path)
            return (source, try secretFingerprint(in: path))
        case .postgres(let settings):
            let source = try PostgresCopySource(settings: settings)
            return (source, try source.secretFingerprint())
        }
    }

    /// - Throws: `.otherSecret` if the folder has another secret than that with this fingerprint.
    func openTarget(secretFingerprint: String?) throws(CopyError) -> any CopyTarget {
        switch self {
        case .folder(let path):
            let target = try SQLiteCopyTarget(folder: path)
            let own = try self.secretFingerprint(in: path)
            guard secretFingerprint == nil || own == secretFingerprint else {
                target.close()
                throw .otherSecret(path: "\(path)/secret")
            }
            return target
        case .postgres(let settings):
            return try PostgresCopyTarget(settings: settings, secretFingerprint: secretFingerprint)
        }
    }

    private func secretFingerprint(in folder: String) throws(CopyError) -> String {
        try copying(at: .folder(folder)) { () throws(JournalError) in
            try ServerDatabase.secretFingerprint(in: folder)
        }
    }
}

private enum CopyOutcome {
    case copied(DatabaseCopy, epoch: String)
    /// The recount found faults in SQLite's database at `place`, so nothing was copied.
    case faulty([Fault], CopyPlace)
}

private func copy(
    _ from: CopiedDatabase, _ to: CopiedDatabase, _ progress: ProgressBar, _ interruption: Interruptible
) throws(CopyError) -> CopyOutcome {
    let (source, secretFingerprint) = try from.openSource()
    defer { source.close() }
    let target = try to.openTarget(secretFingerprint: secretFingerprint)
    defer { target.close() }
    /// Only SQLite's database can be recounted. The other side is proven equal to it.
    func faults(of side: any CopySource) -> CopyOutcome? {
        guard let side = side as? SQLiteCopySource else { return nil }
        progress.wait(Messages.recounting, [:])
        let faults = side.recount()
        return faults.isEmpty ? nil : .faulty(faults, side.place)
    }
    if let faulty = faults(of: source) { return faulty }
    var phaseBefore: DatabaseCopy.Phase?
    let copy = try DatabaseCopy.run(from: source, to: target) { phase, done, all in
        if phase != phaseBefore { progress.end() }
        phaseBefore = phase
        progress.show(phase.phrase, done, of: all)
        return interruption.goesOn
    }
    if let faulty = faults(of: target) { return faulty }
    guard interruption.goesOn else { throw .cancelled }
    return .copied(copy, epoch: try target.publish())
}

extension DatabaseCopy.Phase {
    fileprivate var phrase: Phrase {
        switch self {
        case .checking: CommandPhrases.Progress.checking
        case .copying: CommandPhrases.Progress.copying
        case .comparing: Messages.comparing
        }
    }
}

extension Invocation {
    fileprivate func text(_ place: CopyPlace) -> String {
        switch place {
        case .folder(let path): path
        case .server(let name): "PostgreSQL \(name)"
        }
    }

    fileprivate func failure(_ error: CopyError) -> CommandFailure {
        switch error {
        case .storage(let failure, .folder(let folder)):
            self.failure(failure.reason == .busy ? .inUse(folder: folder) : .storage(failure), in: folder)
        case .storage(let failure, .server):
            .failed(
                CommandPhrases.Admin.notDone,
                ["reason": databaseReason(failure) ?? String(describing: failure)])
        case .noData(let place): .said(.notFound, Messages.noData, ["place": text(place)], next: nil)
        case .hasData(.folder(let folder)):
            .said(.conflict, Messages.folderHasData, ["folder": folder], next: nil)
        case .hasData(.server(let name)):
            .said(.conflict, Messages.databaseHasData, ["name": name], next: nil)
        case .olderSchema(let place, let found, let known):
            .failed(
                Messages.olderSchema, ["place": text(place), "found": "\(found)", "known": "\(known)"])
        case .noSecret(let path): .failed(Messages.noSecret, ["path": path])
        case .otherSecret(let path): .failed(Messages.otherSecret, ["path": path])
        case .commitsLost(let place, let count):
            .failed(Messages.commitsLost, ["place": text(place), "count": "\(count)"])
        case .layoutsDiffer(let table): .failed(Messages.layoutsDiffer, ["table": table])
        case .unfit(let table, let key, .text(let column)):
            .failed(Messages.unfitText, ["table": table, "key": key, "column": column])
        case .unfit(let table, let key, .id(let column)):
            .failed(Messages.unfitID, ["table": table, "key": key, "column": column])
        case .unfit(let table, let key, .index): .failed(Messages.tooLong, ["table": table, "key": key])
        case .differs(let table, let rows, let copied):
            .failed(
                Messages.differs, ["table": table, "rows": "\(rows)", "copied": "\(copied)"])
        case .cancelled: .ended(.interrupted)
        }
    }
}

extension CommandPhrases {
    enum Copy {
        static let summary = Phrase(
            "copy all data between SQLite and PostgreSQL", "SQLite와 PostgreSQL 사이에서 모든 데이터 복사하기")
        static let toPostgres = Phrase("from SQLite to PostgreSQL", "SQLite에서 PostgreSQL로")
        static let toSQLite = Phrase("from PostgreSQL to SQLite", "PostgreSQL에서 SQLite로")
        static let from = Phrase(
            "a data folder with an SQLite database, or a PostgreSQL database: a URL, or settings of libpq",
            "SQLite 데이터 폴더, 또는 PostgreSQL 데이터베이스: URL 또는 libpq 설정")
        static let to = Phrase(
            "a data folder with the server's secret and no database, or an empty PostgreSQL database",
            "서버의 비밀 키만 있고 데이터베이스가 없는 데이터 폴더, 또는 빈 PostgreSQL 데이터베이스")
        static let notes = Phrase(
            "Stop the server first. The source does not change. The copy appears in the target as a whole, "
                + "or not at all. The secret and all other files stay in the server's data folder, which a "
                + "server on PostgreSQL needs too. Give the password of PostgreSQL in PGPASSWORD or in the "
                + "file ~/.pgpass.",
            "먼저 서버를 멈추세요. 원본은 바뀌지 않습니다. 데이터는 대상에 모두 복사되거나 전혀 복사되지 않습니다. 비밀 키와 다른 파일은 서버의 데이터 폴더에 그대로 남습니다. "
                + "PostgreSQL을 쓰는 서버에도 이 폴더가 필요합니다. PostgreSQL 비밀번호는 PGPASSWORD나 ~/.pgpass 파일로 지정하세요.")
        static let recounting = Phrase("recounting", "다시 세는 중")
        static let comparing = Phrase("comparing", "비교 중")
        static let copied = Phrase(
            "Copied {rows} {rows|row|rows} of {tables} {tables|table|tables} to {place}. Both sides were "
                + "compared, and are equal.",
            "{place}에 테이블 {tables}개의 행 {rows}개를 복사했습니다. 양쪽을 비교했으며 내용이 같습니다.")
        static let startOnPostgres = Phrase(
            "The server on PostgreSQL still needs {folder}, which holds its secret. First move journal.* "
                + "out of it, so that no server starts on the old data. Then start the server with --data "
                + "{folder} and --database. Clients load everything again.",
            "PostgreSQL을 쓰는 서버에도 {folder}이(가) 필요합니다. 서버의 비밀 키가 그 폴더에 있기 때문입니다. 이전 데이터로 서버를 시작하는 일이 없도록 먼저 "
                + "journal.* 파일을 이 폴더 밖으로 옮기세요. 그런 다음 --data {folder}와(과) --database를 지정해 서버를 시작하세요. 클라이언트는 "
                + "모든 데이터를 다시 불러옵니다.")
        static let startOnSQLite = Phrase(
            "Start the server with --data {folder}, and without --database and QRING_DATABASE. Clients load "
                + "everything again. Do not start a server on the source again.",
            "--database와 QRING_DATABASE 없이 --data {folder}을(를) 지정해 서버를 시작하세요. 클라이언트는 모든 데이터를 다시 불러옵니다. 원본으로는 "
                + "서버를 다시 시작하지 마세요.")
        static let startOnOther = Phrase(
            "Start the server with the same data folder and the new --database. Clients load everything "
                + "again. Do not start a server on the source again.",
            "같은 데이터 폴더와 새 --database를 지정해 서버를 시작하세요. 클라이언트는 모든 데이터를 다시 불러옵니다. 원본으로는 서버를 다시 시작하지 마세요.")
        static let same = Phrase(
            "The source and the target are the same database. Name another target.",
            "원본과 대상이 같은 데이터베이스입니다. 다른 대상을 지정하세요.")
        static let noData = Phrase(
            "{place} contains no data. Check the source, --from.", "{place}에 데이터가 없습니다. 원본(--from)을 확인하세요.")
        static let folderHasData = Phrase(
            "{folder} already has a database. Nothing was copied. Move the files journal.* out of the "
                + "folder, and copy again.",
            "{folder}에 이미 데이터베이스가 있습니다. 아무것도 복사하지 않았습니다. journal.* 파일을 폴더 밖으로 옮긴 뒤 다시 복사하세요.")
        static let databaseHasData = Phrase(
            "The PostgreSQL database {name} already has data. Nothing was copied. Create an empty one, and "
                + "name it with --to: createdb --encoding UTF8 --template template0 NAME",
            "PostgreSQL 데이터베이스 {name}에 이미 데이터가 있습니다. 아무것도 복사하지 않았습니다. 빈 데이터베이스를 만들어 --to로 지정하세요: createdb "
                + "--encoding UTF8 --template template0 이름")
        static let olderSchema = Phrase(
            "An older QRing wrote {place} (schema {found}; this version uses {known}). Nothing was copied. "
                + "Start this version's server on it once, which updates it, stop the server, and copy "
                + "again.",
            "{place}은(는) 이전 버전의 QRing이 저장한 데이터입니다(스키마 {found}, 이 버전은 {known}). 아무것도 복사하지 않았습니다. 이 버전의 서버를 한 "
                + "번 시작해 데이터를 갱신하고, 서버를 멈춘 뒤 다시 복사하세요.")
        static let noSecret = Phrase(
            "There is no file {path}. The copied data is of no use without the server's secret. Copy the "
                + "file secret, and secret.previous and secret.lasting if they exist, from the server's "
                + "data folder into this folder, and copy again.",
            "{path} 파일이 없습니다. 서버의 비밀 키가 없으면 복사한 데이터를 쓸 수 없습니다. 서버의 데이터 폴더에 있는 secret 파일과, 있는 경우 "
                + "secret.previous, secret.lasting 파일을 이 폴더에 넣은 뒤 다시 복사하세요.")
        static let otherSecret = Phrase(
            "The file {path} is not the secret of the servers that used the source. Nothing was copied. "
                + "Copy the file secret, and secret.previous and secret.lasting if they exist, from a "
                + "server's data folder into this folder, and copy again.",
            "{path}은(는) 원본을 쓰던 서버의 비밀 키가 아닙니다. 아무것도 복사하지 않았습니다. 서버의 데이터 폴더에 있는 secret 파일과, 있는 경우 "
                + "secret.previous, secret.lasting 파일을 이 폴더에 넣은 뒤 다시 복사하세요.")
        static let commitsLost = Phrase(
            "{count} acknowledged {count|commit is|commits are} missing in {place}. Nothing was copied. Run "
                + "qring admin verify, resolve the loss, and copy again.",
            "{place}에서 저장했다고 응답한 커밋 {count}개가 사라졌습니다. 아무것도 복사하지 않았습니다. qring admin verify로 확인하고 문제를 해결한 뒤 "
                + "다시 복사하세요.")
        static let faulty = Phrase(
            "The recount of {place} found {count} {count|fault|faults}, listed above. Nothing was copied. "
                + "Restore a backup without faults, or report them.",
            "{place}을(를) 다시 세어 위의 문제 {count}개를 찾았습니다. 아무것도 복사하지 않았습니다. 문제가 없는 백업을 복원하거나 문제를 알려 주세요.")
        static let layoutsDiffer = Phrase(
            "The two databases have different columns in {table}. Nothing was copied. Both must have been "
                + "written by this version; if they were, report this error.",
            "두 데이터베이스에서 {table} 테이블의 열이 서로 다릅니다. 아무것도 복사하지 않았습니다. 둘 다 이 버전이 저장한 데이터여야 합니다. 그런데도 이 오류가 나면 "
                + "개발자에게 알려 주세요.")
        static let unfitText = Phrase(
            "A text in the table {table}, column {column}, contains a character that PostgreSQL cannot "
                + "store. Nothing was copied. Change this row, and copy again: {key}",
            "테이블 {table}의 열 {column}에 PostgreSQL이 저장할 수 없는 문자가 있습니다. 아무것도 복사하지 않았습니다. 이 행을 고친 뒤 다시 복사하세요: "
                + "{key}")
        static let unfitID = Phrase(
            "An id in the table {table}, column {column}, is malformed. Nothing was copied. Report this "
                + "row: {key}",
            "테이블 {table}의 열 {column}에 잘못된 ID가 있습니다. 아무것도 복사하지 않았습니다. 이 행을 알려 주세요: {key}")
        static let tooLong = Phrase(
            "A text in the table {table} is too long for an index of PostgreSQL (about 2,600 bytes). "
                + "Nothing was copied. Shorten the text in this row, and copy again: {key}",
            "테이블 {table}에 PostgreSQL 색인에 넣기에 너무 긴 텍스트(약 2,600바이트 초과)가 있습니다. 아무것도 복사하지 않았습니다. 이 행의 텍스트를 줄인 뒤 "
                + "다시 복사하세요: {key}")
        static let differs = Phrase(
            "After the copy, the table {table} differs: {rows} {rows|row|rows} in the source, {copied} in "
                + "the target. The target was not changed. Copy again; if it happens again, report it.",
            "복사한 뒤 테이블 {table}의 내용이 다릅니다(원본 {rows}행, 대상 {copied}행). 대상은 바뀌지 않았습니다. 다시 복사하고, 같은 문제가 생기면 알려 "
                + "주세요.")
    }
}
