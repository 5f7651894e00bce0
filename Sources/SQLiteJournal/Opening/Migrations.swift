import CSQLite
import Glibc
import Journal
import SQLJournal

extension Migrations {
    static let sqlite = Migrations(
        first: 41,
        [
            firstSchema, meetingLanguages, meetingAccents, questionsByTime, webhooks, consentsAndNames,
            passes, webhookPauses, doors, stays, absenceRules, certificates,
            revocationsByHosts, kioskLinks, replies, satellites, newsOfReplies,
        ])
}

/// The default language of a meeting's attendees; NULL if it has none.
private let meetingLanguages = Migration("ALTER TABLE meetings ADD COLUMN language TEXT")

/// The colour of a meeting; NULL for the product's own.
private let meetingAccents = Migration("ALTER TABLE meetings ADD COLUMN accent TEXT")

/// The order of the audience's questions by time.
private let questionsByTime = Migration(
    """
    CREATE INDEX audience_questions_by_time ON audience_questions (session, merged_into, status, asked_at, id)
    """)

/// Web hooks, and their deliveries in the queue of mails (kind 10). These have indexes of their own, so that
/// a million of them slow down no search for mails.
private let webhooks = Migration(
    """
    CREATE TABLE webhooks (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        created_by BLOB NOT NULL,
        url TEXT NOT NULL,
        events INTEGER NOT NULL,
        -- The secrets are sealed. The previous one signs until previous_until.
        secret BLOB NOT NULL,
        previous_secret BLOB,
        previous_until INTEGER,
        created_at INTEGER NOT NULL,
        ended INTEGER
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE meetings ADD COLUMN hooked INTEGER NOT NULL DEFAULT 0;
    \(Migration.indexesOfWebhooks)
    """)

/// Consents, and the retention of names.
private let consentsAndNames = Migration(
    """
    CREATE TABLE consents (
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (meeting, number)
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE meetings ADD COLUMN consent TEXT;
    ALTER TABLE meetings ADD COLUMN consent_number INTEGER;
    ALTER TABLE attendees ADD COLUMN consent_number INTEGER;
    ALTER TABLE sessions ADD COLUMN names_deleted_at INTEGER;
    ALTER TABLE sessions ADD COLUMN names INTEGER NOT NULL DEFAULT 0;
    \(Migration.indexesOfNames)
    """)

/// Personal passes, and the keys of meetings that sign them.
private let passes = Migration(
    """
    CREATE TABLE passes (
        id BLOB NOT NULL PRIMARY KEY,
        person BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        session BLOB REFERENCES sessions (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        revoked_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pass_keys (
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        public_key BLOB NOT NULL,
        -- The secret key is sealed.
        secret BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (meeting, number)
    ) STRICT, WITHOUT ROWID;
    \(Migration.indexesOfPasses)
    """)

/// The moment until which the receiver of a web hook has asked for no requests; NULL if it never did.
private let webhookPauses = Migration("ALTER TABLE webhooks ADD COLUMN paused_until INTEGER")

/// The door that let an attendee in; NULL if no door did.
private let doors = Migration(
    """
    ALTER TABLE attendees ADD COLUMN door INTEGER;
    \(Migration.indexOfDoors)
    """)

/// The moments at which attendees left and returned; NULL for an attendee who never left.
private let stays = Migration(
    """
    ALTER TABLE attendees ADD COLUMN stays BLOB;
    ALTER TABLE sessions ADD COLUMN check_out INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN minimum_minutes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN minimum_percent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN left_count INTEGER NOT NULL DEFAULT 0
    """)

/// The absence rules of meetings. The day is counted from 1970-01-01.
private let absenceRules = Migration(
    """
    ALTER TABLE meetings ADD COLUMN absent_in_a_row INTEGER;
    ALTER TABLE meetings ADD COLUMN absent_in_all INTEGER;
    ALTER TABLE meetings ADD COLUMN absent_since INTEGER;
    ALTER TABLE meetings ADD COLUMN absence_mail INTEGER NOT NULL DEFAULT 0;
    \(Migration.indexesOfAbsences)
    """)

/// Certificates of attendance, their revocations, and the keys of the server that sign them.
private let certificates = Migration(
    """
    CREATE TABLE certificates (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        -- A certificate is about a session of an attendee, or about a person's share of a series.
        attendee BLOB REFERENCES attendees (id) ON DELETE CASCADE,
        person BLOB REFERENCES people (id) ON DELETE CASCADE,
        first_at INTEGER,
        last_at INTEGER,
        attended INTEGER,
        held INTEGER,
        issued_at INTEGER NOT NULL,
        revoked_at INTEGER,
        mailed_at INTEGER
    ) STRICT, WITHOUT ROWID;
    -- A revocation outlives the certificate's record.
    CREATE TABLE revoked_certificates (
        id BLOB NOT NULL PRIMARY KEY,
        revoked_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE certificate_keys (
        number INTEGER NOT NULL PRIMARY KEY,
        public_key BLOB NOT NULL,
        -- The secret key is sealed.
        secret BLOB NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT;
    \(Migration.indexesOfCertificates)
    """)

/// Whether a host has revoked a certificate.
private let revocationsByHosts = Migration(
    "ALTER TABLE certificates ADD COLUMN revoked_by_host INTEGER NOT NULL DEFAULT 0")

/// The purpose of a presenter link: 0 for the hall's screen, 1 for a kiosk.
private let kioskLinks = Migration(
    "ALTER TABLE presenter_links ADD COLUMN purpose INTEGER NOT NULL DEFAULT 0")

/// The seats of sessions, and the replies of people who come or do not come.
private let replies = Migration(
    """
    CREATE TABLE reply_settings (
        session BLOB NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        mode INTEGER NOT NULL,
        -- NULL for no limit.
        capacity INTEGER,
        most_guests INTEGER NOT NULL,
        code TEXT NOT NULL,
        version INTEGER NOT NULL,
        next_place INTEGER NOT NULL,
        invited INTEGER NOT NULL,
        no INTEGER NOT NULL,
        maybe INTEGER NOT NULL,
        accepted INTEGER NOT NULL,
        waiting INTEGER NOT NULL,
        requested INTEGER NOT NULL,
        declined INTEGER NOT NULL,
        seats INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE replies (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        identity TEXT NOT NULL,
        -- NULL if names identify people.
        key TEXT,
        status INTEGER NOT NULL,
        guests INTEGER NOT NULL,
        place INTEGER NOT NULL,
        attendee BLOB REFERENCES attendees (id) ON DELETE SET NULL,
        made_attendee INTEGER NOT NULL,
        proved INTEGER NOT NULL,
        changes INTEGER NOT NULL,
        language TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        changed_at INTEGER NOT NULL,
        invited_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX replies_by_key ON replies (session, key) WHERE key IS NOT NULL;
    CREATE INDEX replies_of_key ON replies (key) WHERE key IS NOT NULL;
    \(Migration.indexesOfReplies)
    """)

/// Offline doors, their entries, and what the server itself knows of the people in them.
private let satellites = Migration(
    """
    CREATE TABLE satellites (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        door INTEGER NOT NULL,
        has_names INTEGER NOT NULL,
        has_numbers INTEGER NOT NULL,
        -- The public key for which names and numbers are encrypted.
        sealing_key BLOB,
        created_at INTEGER NOT NULL,
        created_by BLOB NOT NULL,
        code_hash BLOB,
        token_hash BLOB,
        public_key BLOB,
        joined_at INTEGER,
        seen_at INTEGER,
        clock_ahead INTEGER,
        revoked_at INTEGER,
        received INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE door_entries (
        satellite BLOB NOT NULL REFERENCES satellites (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        -- An entry outlives its attendee, as an event does.
        attendee BLOB,
        -- The signed bytes.
        content BLOB NOT NULL,
        received_at INTEGER NOT NULL,
        state INTEGER NOT NULL,
        PRIMARY KEY (satellite, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE door_records (
        attendee BLOB NOT NULL PRIMARY KEY REFERENCES attendees (id) ON DELETE CASCADE,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        moves BLOB NOT NULL,
        method INTEGER,
        door INTEGER,
        settled BLOB NOT NULL,
        doubles INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    \(Migration.indexesOfSatellites)
    """)

/// The news of replies that a mail has not told yet.
private let newsOfReplies = Migration(
    """
    ALTER TABLE replies ADD COLUMN news INTEGER;
    ALTER TABLE replies ADD COLUMN news_from INTEGER;
    CREATE INDEX replies_with_news ON replies (news_from, id) WHERE news IS NOT NULL;
    """)

/// The application id in the header of a QRing database: `QRng`.
let applicationID = 0x5152_6E67
/// The application id in the header of a backup: `QRnb`. A backup holds the server's secret, so no server may
/// serve it.
let backupID = 0x5152_6E62

extension Connection {
    private static let version = Query("read the schema's version", "PRAGMA user_version")
    private static let application = Query("read the file's kind", "PRAGMA application_id")
    private static let tables = Query("count tables", "SELECT count(*) FROM sqlite_schema")
    private static let copy = Query("copy before migrating", "VACUUM INTO ?")

    var schemaVersion: Int {
        get throws(JournalError) { try first(Self.version) { $0.int(0) } ?? 0 }
    }

    /// Checks that the file is a database of this program, and changes nothing. Returns whether the database
    /// is empty, so that the caller can still set its page size.
    /// - Throws: `.isBackup`; `.foreign` for the file of another program; as `Migrations.check`.
    func checkKind(_ migrations: Migrations = .sqlite) throws(JournalError) -> Bool {
        let found = try schemaVersion
        let kind = try first(Self.application) { $0.int(0) }
        let tables = try first(Self.tables) { $0.int(0) }
        if found == 0 && tables == 0 { return true }
        guard kind == applicationID else {
            if kind == backupID {
                throw .failed(StorageFailure(.isBackup, operation: "open", code: SQLITE_NOTADB))
            }
            throw .failed(
                StorageFailure(
                    .foreign, operation: "open", code: SQLITE_NOTADB,
                    detail: "the file belongs to another program"))
        }
        try migrations.check(found, "open")
        return false
    }

    /// Runs the missing migrations. Each migration and its version are one transaction. Before the first
    /// migration, an existing database is copied to `backup(version)`.
    func migrate(_ migrations: Migrations, backup: (Int) -> BackupFile) throws(JournalError) {
        let found = try schemaVersion
        let missing = migrations.after(found)
        guard !missing.isEmpty else { return }
        if found > 0 {
            let file = backup(found)
            try file.prepare()
            try run(Self.copy, file.partialPath)
            try file.finish()
        }
        for (version, migration) in missing {
            try begin()
            do {
                try execute(migration.text, "migrate to \(version)")
                try execute(
                    "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)",
                    "migrate to \(version)")
            } catch {
                rollBack()
                throw error
            }
            try commit()
        }
    }
}

/// The file for a copy of a database. The file gets its name only after the copy is complete and on the disk.
struct BackupFile {
    let path: String
    var partialPath: String { path + ".partial" }

    /// Creates the empty partial file with mode 0600, because VACUUM INTO needs an empty file. Removes an
    /// earlier interrupted copy first.
    func prepare() throws(JournalError) {
        unlink(partialPath)
        let file = Glibc.open(partialPath, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("make the backup") }
        Glibc.close(file)
    }

    /// Syncs the copy and renames the partial file to its final name.
    func finish() throws(JournalError) {
        let file = Glibc.open(partialPath, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw failure("open the backup") }
        defer { Glibc.close(file) }
        guard fsync(file) == 0, rename(partialPath, path) == 0 else { throw failure("name the backup") }
    }

    private func failure(_ operation: String) -> JournalError {
        .failed(StorageFailure(errno: errno, operation: operation))
    }
}
