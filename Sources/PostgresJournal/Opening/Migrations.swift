import Journal
import SQLJournal

extension Migrations {
    static let postgres = Migrations(
        first: 6,
        [
            firstSchema, meetingLanguages, meetingAccents, questionsByTime, webhooks, consentsAndNames,
            passes, webhookPauses, doors, stays, absenceRules, certificates,
            revocationsByHosts, kioskLinks, replies, satellites, newsOfReplies,
        ])
}

/// The default language of a meeting's attendees; NULL if it has none.
private let meetingLanguages = Migration(
    #"ALTER TABLE meetings ADD COLUMN language text COLLATE "C""#)

/// The colour of a meeting; NULL for the product's own.
private let meetingAccents = Migration(
    #"ALTER TABLE meetings ADD COLUMN accent text COLLATE "C""#)

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
        id uuid PRIMARY KEY, meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE,
        created_by uuid NOT NULL, url text COLLATE "C" NOT NULL, events bigint NOT NULL,
        secret bytea NOT NULL, previous_secret bytea, previous_until bigint, created_at bigint NOT NULL,
        ended bigint
    );
    ALTER TABLE meetings ADD COLUMN hooked bigint NOT NULL DEFAULT 0;
    \(Migration.indexesOfWebhooks)
    """)

/// Consents, and the retention of names.
private let consentsAndNames = Migration(
    """
    CREATE TABLE consents (
        meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE, number bigint NOT NULL,
        text text COLLATE "C" NOT NULL, since bigint NOT NULL, PRIMARY KEY (meeting, number)
    );
    ALTER TABLE meetings ADD COLUMN consent text COLLATE "C";
    ALTER TABLE meetings ADD COLUMN consent_number bigint;
    ALTER TABLE attendees ADD COLUMN consent_number bigint;
    ALTER TABLE sessions ADD COLUMN names_deleted_at bigint;
    ALTER TABLE sessions ADD COLUMN names bigint NOT NULL DEFAULT 0;
    \(Migration.indexesOfNames)
    """)

/// Personal passes, and the keys of meetings that sign them.
private let passes = Migration(
    """
    CREATE TABLE passes (
        id uuid PRIMARY KEY, person uuid NOT NULL REFERENCES people ON DELETE CASCADE,
        session uuid REFERENCES sessions ON DELETE CASCADE, created_at bigint NOT NULL, revoked_at bigint
    );
    CREATE TABLE pass_keys (
        meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE, number bigint NOT NULL,
        public_key bytea NOT NULL, secret bytea NOT NULL, created_at bigint NOT NULL,
        PRIMARY KEY (meeting, number)
    );
    \(Migration.indexesOfPasses)
    """)

/// The moment until which the receiver of a web hook has asked for no requests; NULL if it never did.
private let webhookPauses = Migration("ALTER TABLE webhooks ADD COLUMN paused_until bigint")

/// The door that let an attendee in; NULL if no door did.
private let doors = Migration(
    """
    ALTER TABLE attendees ADD COLUMN door bigint;
    \(Migration.indexOfDoors)
    """)

/// The moments at which attendees left and returned; NULL for an attendee who never left.
private let stays = Migration(
    """
    ALTER TABLE attendees ADD COLUMN stays bytea;
    ALTER TABLE sessions ADD COLUMN check_out bigint NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN minimum_minutes bigint NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN minimum_percent bigint NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN left_count bigint NOT NULL DEFAULT 0
    """)

/// The absence rules of meetings. The day is counted from 1970-01-01.
private let absenceRules = Migration(
    """
    ALTER TABLE meetings ADD COLUMN absent_in_a_row bigint;
    ALTER TABLE meetings ADD COLUMN absent_in_all bigint;
    ALTER TABLE meetings ADD COLUMN absent_since bigint;
    ALTER TABLE meetings ADD COLUMN absence_mail bigint NOT NULL DEFAULT 0;
    \(Migration.indexesOfAbsences)
    """)

/// Certificates of attendance, their revocations, and the keys of the server that sign them.
private let certificates = Migration(
    """
    CREATE TABLE certificates (
        id uuid PRIMARY KEY, meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE,
        attendee uuid REFERENCES attendees (id) ON DELETE CASCADE,
        person uuid REFERENCES people ON DELETE CASCADE, first_at bigint, last_at bigint,
        attended bigint, held bigint, issued_at bigint NOT NULL, revoked_at bigint, mailed_at bigint
    );
    CREATE TABLE revoked_certificates (id uuid PRIMARY KEY, revoked_at bigint NOT NULL);
    CREATE TABLE certificate_keys (
        number bigint PRIMARY KEY, public_key bytea NOT NULL, secret bytea NOT NULL,
        created_at bigint NOT NULL
    );
    \(Migration.indexesOfCertificates)
    """)

/// Whether a host has revoked a certificate.
private let revocationsByHosts = Migration(
    "ALTER TABLE certificates ADD COLUMN revoked_by_host bigint NOT NULL DEFAULT 0")

/// The purpose of a presenter link: 0 for the hall's screen, 1 for a kiosk.
private let kioskLinks = Migration(
    "ALTER TABLE presenter_links ADD COLUMN purpose bigint NOT NULL DEFAULT 0")

/// The seats of sessions, and the replies of people who come or do not come.
private let replies = Migration(
    """
    CREATE TABLE reply_settings (
        session uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, mode bigint NOT NULL,
        capacity bigint, most_guests bigint NOT NULL, code text COLLATE "C" NOT NULL,
        version bigint NOT NULL, next_place bigint NOT NULL, invited bigint NOT NULL, no bigint NOT NULL,
        maybe bigint NOT NULL, accepted bigint NOT NULL, waiting bigint NOT NULL, requested bigint NOT NULL,
        declined bigint NOT NULL, seats bigint NOT NULL
    );
    CREATE TABLE replies (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, identity text COLLATE "C" NOT NULL, key text COLLATE "C",
        status bigint NOT NULL, guests bigint NOT NULL, place bigint NOT NULL,
        attendee uuid REFERENCES attendees (id) ON DELETE SET NULL, made_attendee bigint NOT NULL,
        proved bigint NOT NULL, changes bigint NOT NULL, language text COLLATE "C" NOT NULL,
        created_at bigint NOT NULL, changed_at bigint NOT NULL, invited_at bigint
    );
    CREATE UNIQUE INDEX replies_by_key ON replies (session, (\(bounded("key")))) WHERE key IS NOT NULL;
    CREATE INDEX replies_of_key ON replies ((\(bounded("key")))) WHERE key IS NOT NULL;
    \(Migration.indexesOfReplies)
    """)

/// Offline doors, their entries, and what the server itself knows of the people in them.
private let satellites = Migration(
    """
    CREATE TABLE satellites (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, door bigint NOT NULL, has_names bigint NOT NULL,
        has_numbers bigint NOT NULL, sealing_key bytea, created_at bigint NOT NULL, created_by uuid NOT NULL,
        code_hash bytea, token_hash bytea, public_key bytea, joined_at bigint, seen_at bigint,
        clock_ahead bigint, revoked_at bigint, received bigint NOT NULL
    );
    CREATE TABLE door_entries (
        satellite uuid NOT NULL REFERENCES satellites ON DELETE CASCADE, number bigint NOT NULL,
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, attendee uuid, content bytea NOT NULL,
        received_at bigint NOT NULL, state bigint NOT NULL, PRIMARY KEY (satellite, number)
    );
    CREATE TABLE door_records (
        attendee uuid PRIMARY KEY REFERENCES attendees (id) ON DELETE CASCADE,
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, moves bytea NOT NULL, method bigint,
        door bigint, settled bytea NOT NULL, doubles bigint NOT NULL
    );
    \(Migration.indexesOfSatellites)
    """)

/// The news of replies that a mail has not told yet.
private let newsOfReplies = Migration(
    """
    ALTER TABLE replies ADD COLUMN news bigint;
    ALTER TABLE replies ADD COLUMN news_from bigint;
    CREATE INDEX replies_with_news ON replies (news_from, id) WHERE news IS NOT NULL;
    """)

/// Returns the expression that an index holds instead of a text. Short texts stay; of long ones, it is
/// the hash behind a control character, which no text of a person has. All functions are immutable; `decode`
/// gives the bytes of the text. Indexes contain this expression, so a change of it needs a migration.
///
/// An index takes at most 2,704 bytes, but a name may have 6,400 and more. `Query` compares the indexed
/// values first, and then the texts. Other indexed texts are short: addresses, words (`CloudWord.mostBytes`),
/// the first 30 scalars of a name (`RosterPosition`).
func bounded(_ text: String) -> String {
    #"CASE WHEN octet_length(\#(text)) <= 1000 THEN \#(text) ELSE chr(1) || "#
        + #"encode(sha256(decode(replace(\#(text), '\', '\\'), 'escape')), 'hex') END"#
}

extension Connection {
    private static let tables = Query(
        "count tables", "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
    private static let hasMeta = Query("look for the schema", "SELECT to_regclass('meta') IS NOT NULL")
    private static let version = Query(
        "read the schema's version",
        "SELECT CAST(value AS bigint) FROM meta WHERE key = 'qring schema'")
    private static let epoch = Query("read epoch", "SELECT value FROM meta WHERE key = 'epoch'")

    /// Migrations of several servers run one after the other, in one schema of the database. The lock ends
    /// with the transaction.
    private static let lockMigrations = Query(
        "lock the schema", "SELECT pg_advisory_xact_lock(\(Node.key("'migrate'")))")

    func epoch() throws(JournalError) -> String {
        guard let epoch = try first(Self.epoch, read: { $0.text(0) }) else {
            throw .failed(StorageFailure(.damaged, operation: "read epoch"))
        }
        return epoch
    }

    private static let insertFingerprint = Query(
        "insert fingerprint of secret", "INSERT INTO meta VALUES ('secret', ?) ON CONFLICT DO NOTHING")
    private static let fingerprint = Query(
        "find fingerprint of secret", "SELECT value FROM meta WHERE key = 'secret'")
    private static let deleteFingerprint = Query(
        "delete fingerprint of secret", "DELETE FROM meta WHERE key = 'secret'")

    /// Stores the fingerprint of the servers' secret, if the database has none yet; nil deletes it.
    /// - Throws: `.otherSecret` if the database has another fingerprint.
    func compareSecret(_ fingerprint: String?) throws(JournalError) {
        guard let fingerprint else {
            try run(Self.deleteFingerprint)
            return
        }
        try run(Self.insertFingerprint, fingerprint)
        guard try secretFingerprint() == fingerprint else {
            throw .failed(StorageFailure(.otherSecret, operation: "open"))
        }
    }

    /// Returns the fingerprint of the servers' secret; nil if the database has none.
    func secretFingerprint() throws(JournalError) -> String? { try first(Self.fingerprint) { $0.text(0) } }

    /// Runs the missing migrations. Each one and its version are one transaction. Nodes of an older version
    /// can read meanwhile; afterwards they no longer write (`Node.pass`).
    /// - Parameter makeSecret: runs before the first migration is committed, so that no database exists
    ///   without the server's secret.
    /// - Throws: `.foreign` if the tables belong to another program; as `Migrations.check`.
    func migrate(
        _ migrations: Migrations, makeSecret: () throws(JournalError) -> Void = {}
    ) throws(JournalError) {
        while try migrateOnce(migrations, makeSecret) {}
    }

    /// Runs the first missing migration. Returns whether there was one.
    private func migrateOnce(
        _ migrations: Migrations, _ makeSecret: () throws(JournalError) -> Void
    ) throws(JournalError) -> Bool {
        try begin()
        do throws(JournalError) {
            guard let version = try runNextMigration(migrations) else {
                rollBack()
                return false
            }
            if version == migrations.first { try makeSecret() }
            try commit()
            return true
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs the first missing migration in the open transaction. Returns its version; nil if there was none.
    func runNextMigration(_ migrations: Migrations) throws(JournalError) -> Int? {
        _ = try first(Self.lockMigrations) { _ in true }
        let found = try schemaVersion()
        try migrations.check(found, "open")
        guard let (version, migration) = migrations.after(found).first else { return nil }
        liftTimeLimit()
        // No node commits during a migration.
        _ = try first(Node.lockCommits) { _ in true }
        try execute(migration.text, "migrate to \(version)")
        try execute(
            """
            INSERT INTO meta VALUES ('qring schema', '\(version)')
            ON CONFLICT (key) DO UPDATE SET value = excluded.value
            """, "migrate to \(version)")
        return version
    }

    /// Returns the version of the schema; 0 if there are no tables.
    /// - Throws: `.foreign` if the tables belong to another program.
    func schemaVersion() throws(JournalError) -> Int {
        if try first(Self.tables, read: { $0.int(0) }) == 0 { return 0 }
        let hasMeta = try first(Self.hasMeta) { $0.bool(0) } ?? false
        guard hasMeta, let version = try? first(Self.version, read: { $0.int(0) }) else {
            throw .failed(
                StorageFailure(
                    .foreign, operation: "open", detail: "the tables belong to another program"))
        }
        return version
    }
}
