import CommandLine
import FoundationEssentials
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
enum CopiedDatabase: Hashable {
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

enum CopyOutcome {
    case copied(DatabaseCopy, epoch: String)
    /// The recount found faults in SQLite's database at `place`, so nothing was copied.
    case faulty([Fault], CopyPlace)
}

/// - Parameter prepare: runs when the copy is proven, before it is published.
func copy(
    _ from: CopiedDatabase, _ to: CopiedDatabase, _ progress: ProgressBar, _ interruption: Interruptible,
    beforePublishing prepare: () throws(CopyError) -> Void = {}
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
    try prepare()
    return .copied(copy, epoch: try target.publish())
}

extension DatabaseCopy.Phase {
    var phrase: Phrase {
        switch self {
        case .checking: CommandPhrases.Progress.checking
        case .copying: CommandPhrases.Progress.copying
        case .comparing: Messages.comparing
        }
    }
}

extension Invocation {
    func text(_ place: CopyPlace) -> String {
        switch place {
        case .folder(let path): path
        case .server(let name): "PostgreSQL \(name)"
        }
    }

    func failure(_ error: CopyError) -> CommandFailure {
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
        static let summary = Phrase("copy all data between SQLite and PostgreSQL")
        static let toPostgres = Phrase("from SQLite to PostgreSQL")
        static let toSQLite = Phrase("from PostgreSQL to SQLite")
        static let from = Phrase(
            "a data folder with an SQLite database, or a PostgreSQL database: a URL, or settings of libpq")
        static let to = Phrase(
            "a data folder with the server's secret and no database, or an empty PostgreSQL database")
        static let notes = Phrase(
            "Stop the server first. The source does not change. The copy appears in the target as a whole, "
                + "or not at all. The secret and all other files stay in the server's data folder, which a "
                + "server on PostgreSQL needs too. Give the password of PostgreSQL in PGPASSWORD or in the "
                + "file ~/.pgpass.")
        static let recounting = Phrase("recounting")
        static let comparing = Phrase("comparing")
        static let copied = Phrase(
            "Copied {rows} {rows|row|rows} of {tables} {tables|table|tables} to {place}. Both sides were "
                + "compared, and are equal.")
        static let startOnPostgres = Phrase(
            "The server on PostgreSQL still needs {folder}, which holds its secret. First move journal.* "
                + "out of it, so that no server starts on the old data. Then start the server with --data "
                + "{folder} and --database. Clients load everything again.")
        static let startOnSQLite = Phrase(
            "Start the server with --data {folder}, and without --database and QRING_DATABASE. Clients load "
                + "everything again. Do not start a server on the source again.")
        static let startOnOther = Phrase(
            "Start the server with the same data folder and the new --database. Clients load everything "
                + "again. Do not start a server on the source again.")
        static let same = Phrase("The source and the target are the same database. Name another target.")
        static let noData = Phrase("{place} contains no data. Check the source, --from.")
        static let folderHasData = Phrase(
            "{folder} already has a database. Nothing was copied. Move the files journal.* out of the "
                + "folder, and copy again.")
        static let databaseHasData = Phrase(
            "The PostgreSQL database {name} already has data. Nothing was copied. Create an empty one, and "
                + "name it with --to: createdb --encoding UTF8 --template template0 NAME")
        static let olderSchema = Phrase(
            "An older QRing wrote {place} (schema {found}; this version uses {known}). Nothing was copied. "
                + "Start this version's server on it once, which updates it, stop the server, and copy "
                + "again.")
        static let noSecret = Phrase(
            "There is no file {path}. The copied data is of no use without the server's secret. Copy the "
                + "file secret, and secret.previous and secret.lasting if they exist, from the server's "
                + "data folder into this folder, and copy again.")
        static let otherSecret = Phrase(
            "The file {path} is not the secret of the servers that used the source. Nothing was copied. "
                + "Copy the file secret, and secret.previous and secret.lasting if they exist, from a "
                + "server's data folder into this folder, and copy again.")
        static let commitsLost = Phrase(
            "{count} acknowledged {count|commit is|commits are} missing in {place}. Nothing was copied. Run "
                + "qring admin verify, resolve the loss, and copy again.")
        static let faulty = Phrase(
            "The recount of {place} found {count} {count|fault|faults}, listed above. Nothing was copied. "
                + "Restore a backup without faults, or report them.")
        static let layoutsDiffer = Phrase(
            "The two databases have different columns in {table}. Nothing was copied. Both must have been "
                + "written by this version; if they were, report this error.")
        static let unfitText = Phrase(
            "A text in the table {table}, column {column}, contains a character that PostgreSQL cannot "
                + "store. Nothing was copied. Change this row, and copy again: {key}")
        static let unfitID = Phrase(
            "An id in the table {table}, column {column}, is malformed. Nothing was copied. Report this "
                + "row: {key}")
        static let tooLong = Phrase(
            "A text in the table {table} is too long for an index of PostgreSQL (about 2,600 bytes). "
                + "Nothing was copied. Shorten the text in this row, and copy again: {key}")
        static let differs = Phrase(
            "After the copy, the table {table} differs: {rows} {rows|row|rows} in the source, {copied} in "
                + "the target. The target was not changed. Copy again; if it happens again, report it.")
    }
}
