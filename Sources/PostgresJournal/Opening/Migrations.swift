import Journal
import SQLJournal

/// A change from one version of the schema to the next. A migration's position in `all` is its version. Only
/// append migrations: never change or reorder a migration that was released.
struct Migration: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static let all = [schema1, nodes, boundedIndexes, visibleWords, devices, codeHandles]
}

/// Joins words of word clouds that look equal.
private let visibleWords = Migration(WordsMigration.text)

/// An index takes at most 2,704 bytes, but a name may have 6,400 and more. So the indexes hold a long text as
/// its hash. `Query` compares the indexed values first, and then the texts. Other indexed texts are short:
/// addresses, words (`CloudWord.mostBytes`), the first 30 scalars of a name (`RosterPosition`).
private let boundedIndexes = Migration(
    """
    DROP INDEX attendees_by_key, attendees_without_key, merged_attendees_by_key, people_by_number;
    CREATE UNIQUE INDEX attendees_by_key ON attendees (session, (\(bounded("key")))) WHERE key IS NOT NULL;
    CREATE INDEX attendees_without_key ON attendees (session, (\(bounded("search")))) WHERE key IS NULL;
    CREATE INDEX merged_attendees_by_key ON merged_attendees (session, (\(bounded("key"))));
    CREATE UNIQUE INDEX people_by_number ON people (meeting, (\(bounded("number_key"))))
        WHERE number_key IS NOT NULL;
    """)

/// Adds devices for push messages, and the progress of the messages that the clock sends. Kind 9 is
/// `OutgoingMail.Kind.push`, which has its own courier.
private let devices = Migration(
    """
    CREATE TABLE devices (
        id uuid PRIMARY KEY, owner uuid NOT NULL, session uuid REFERENCES sessions ON DELETE CASCADE,
        platform bigint NOT NULL, token text COLLATE "C" NOT NULL, language text COLLATE "C" NOT NULL,
        created_at bigint NOT NULL
    );
    CREATE INDEX devices_by_owner ON devices (owner, id);
    CREATE INDEX devices_by_session ON devices (session, id);
    CREATE INDEX devices_of_accounts ON devices (id) WHERE session IS NULL;
    CREATE INDEX devices_by_token ON devices (token);

    CREATE TABLE alerts (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, kind bigint NOT NULL,
        moment bigint NOT NULL, last uuid, is_done bigint NOT NULL, PRIMARY KEY (session, kind)
    );

    CREATE INDEX sessions_starting ON sessions (starts_at, id);
    CREATE INDEX sessions_opening ON sessions ((starts_at - check_in_opens_minutes_before * 60000), id);

    DROP INDEX mails_due;
    CREATE INDEX mails_due ON mails (next_attempt, id) WHERE kind <> 2 AND kind <> 9 AND state = 0;
    CREATE INDEX mails_due_on_devices ON mails (next_attempt, id) WHERE kind = 9 AND state = 0;
    """)

/// Gives each code its own record, with a handle and a purpose, as the other engine's migration does.
private let codeHandles = Migration(
    """
    DROP TABLE account_codes;
    CREATE TABLE account_codes (
        handle bytea PRIMARY KEY, subject bytea NOT NULL, purpose bigint NOT NULL,
        account uuid REFERENCES accounts ON DELETE CASCADE, opens_account bigint NOT NULL,
        code bytea NOT NULL, link bytea NOT NULL, sent_at bigint NOT NULL, expires_at bigint NOT NULL,
        tries bigint NOT NULL, guesses bigint NOT NULL
    );
    CREATE INDEX account_codes_by_subject ON account_codes (subject, sent_at);
    CREATE INDEX account_codes_by_account ON account_codes (account) WHERE account IS NOT NULL;
    CREATE INDEX account_codes_by_time ON account_codes (sent_at);
    """)

/// Returns the expression that an index holds instead of a text. Short texts stay; of long ones, it is
/// the hash behind a control character, which no text of a person has. All functions are immutable; `decode`
/// gives the bytes of the text. Indexes contain this expression, so a change of it needs a migration.
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
    /// - Throws: `.foreign` if the tables belong to another program; `.newerSchema` if a newer QRing wrote
    ///   them.
    func migrate(
        _ migrations: [Migration], makeSecret: () throws(JournalError) -> Void = {}
    ) throws(JournalError) {
        while try migrateOnce(migrations, makeSecret) {}
    }

    /// Runs the first missing migration. Returns whether there was one.
    private func migrateOnce(
        _ migrations: [Migration], _ makeSecret: () throws(JournalError) -> Void
    ) throws(JournalError) -> Bool {
        try begin()
        do throws(JournalError) {
            guard let version = try runNextMigration(migrations) else {
                rollBack()
                return false
            }
            if version == 1 { try makeSecret() }
            try commit()
            return true
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs the first missing migration in the open transaction. Returns its version; nil if there was none.
    func runNextMigration(_ migrations: [Migration]) throws(JournalError) -> Int? {
        _ = try first(Self.lockMigrations) { _ in true }
        let found = try schemaVersion()
        guard found <= migrations.count else {
            throw .failed(
                StorageFailure(.newerSchema(found: found, known: migrations.count), operation: "open"))
        }
        guard found < migrations.count else { return nil }
        let version = found + 1
        liftTimeLimit()
        // No node commits during a migration.
        _ = try first(Node.lockCommits) { _ in true }
        try execute(migrations[found].text, "migrate to \(version)")
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
