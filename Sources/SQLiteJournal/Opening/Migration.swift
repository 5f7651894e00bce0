import CSQLite
import Journal

/// One step from a schema to the next. Steps are numbered by their place, and only ever added at the end.
package struct Migration: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static let all = [
        schema1, schema2, schemaForms, schemaCorrections, schemaRoster, schemaKeys, schemaMembers,
        schemaPublishedForms, schemaEdits,
        schemaSmallGroups, schemaSecondRounds, schemaUsedTokens, schemaPromises, schemaOperators,
        schemaCreators,
    ]
}

/// `QRng`, in the file's header: what `file` and we know it by.
let applicationID = 0x5152_6E67
/// `QRnb`: a backup holds the server's secret, and is no database to serve from.
let backupID = 0x5152_6E62

extension Connection {
    private static let version = Query("read the schema's version", "PRAGMA user_version")
    private static let application = Query("read the file's kind", "PRAGMA application_id")
    private static let tables = Query("count tables", "SELECT count(*) FROM sqlite_schema")
    private static let copy = Query("copy before migrating", "VACUUM INTO ?")

    var schemaVersion: Int {
        get throws(JournalError) { try first(Self.version) { $0.int(0) } ?? 0 }
    }

    /// Throws where the file is somebody else's, or a newer QRing's; it has not been touched then.
    /// Returns whether it is empty, and so may still be given its page size.
    func checkKind(known: Int) throws(JournalError) -> Bool {
        let found = try schemaVersion
        let kind = try first(Self.application) { $0.int(0) }
        let tables = try first(Self.tables) { $0.int(0) }
        let isEmpty = found == 0 && tables == 0
        guard isEmpty || kind == applicationID else {
            if kind == backupID {
                throw .failed(StorageFailure(.isBackup, operation: "open", code: SQLITE_NOTADB))
            }
            throw .failed(
                StorageFailure(
                    .foreign, operation: "open", code: SQLITE_NOTADB,
                    detail: "the file belongs to another program"))
        }
        guard found <= known else {
            throw .failed(StorageFailure(.newerSchema(found: found, known: known), operation: "open"))
        }
        return isEmpty
    }

    /// Each step in one transaction with its number. An existing database is copied first, to
    /// `backup(version)`.
    func migrate(_ migrations: [Migration], backup: (Int) -> BackupFile) throws(JournalError) {
        let found = try schemaVersion
        guard found < migrations.count else { return }
        if found > 0 {
            let file = backup(found)
            try file.prepare()
            try run(Self.copy, file.partialPath)
            try file.finish()
        }
        for (index, migration) in migrations.enumerated() where index >= found {
            try begin()
            do {
                try execute(migration.text, "migrate to \(index + 1)")
                try execute(
                    "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(index + 1)",
                    "migrate to \(index + 1)")
            } catch {
                rollBack()
                throw error
            }
            try commit()
        }
    }
}
