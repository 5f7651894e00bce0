import CSQLite
import Foundation
import Journal
import SQLJournal

/// A change from one version of the schema to the next. A migration's position in `all` is its version. Only
/// append migrations: never change or reorder a migration that was released.
package struct Migration: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static let all = [
        schema1, schema2, schemaForms, schemaCorrections, schemaRoster, schemaKeys, schemaMembers,
        schemaPublishedForms, schemaEdits,
        schemaSmallGroups, schemaSecondRounds, schemaUsedTokens, schemaPromises, schemaOperators,
        schemaCreators, schemaTypedDetails, schemaGrantAge, schemaJobs, schemaJobReports,
        schemaEndedReceipts, schemaAudience, schemaPolls, schemaChangedAnswers, schemaMail,
        schemaAccountStates, schemaRegulars, schemaMatching, schemaAccountCodes, schemaPhones,
        schemaActions, schemaModeratedWords, schemaNamedTokens, schemaAnsweredDevices, schemaMailings,
        schemaMatchAges, schemaRevokedCodes, schemaMailCounts, schemaMailQuotas, schemaVisibleWords,
        schemaDevices, schemaCodeHandles,
    ]
}

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
    /// - Throws: `.isBackup`; `.foreign` for the file of another program; `.newerSchema` if a newer QRing
    ///   wrote it.
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

    /// Runs the missing migrations. Each migration and its version are one transaction. Before the first
    /// migration, an existing database is copied to `backup(version)`.
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

/// Adds a column and an index for rotating codes. The column holds the number of seconds for which the server
/// accepts a code after its first showing. The index finds the sessions with rotating codes.
let schema2 = Migration(
    """
    ALTER TABLE sessions ADD COLUMN code_accepted_seconds INTEGER NOT NULL DEFAULT 30;
    CREATE INDEX sessions_rotating ON sessions (ends_at, id) WHERE code_kind = 1;
    """)

/// Adds the texts of a question set and the name of the following set (`StoredAbout`).
let schemaForms = Migration("ALTER TABLE question_sets ADD COLUMN about TEXT NOT NULL DEFAULT '{}';")

/// Adds the list of responses whose answer to a question is held back (`TallyRecord.waiting`).
let schemaSmallGroups = Migration("ALTER TABLE tallies ADD COLUMN waiting TEXT NOT NULL DEFAULT '[]';")

/// Adds published forms (`PublishedForm`) and the number of responses without a receipt.
let schemaPublishedForms = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN published_as TEXT;
    ALTER TABLE question_sets ADD COLUMN without_receipt INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX question_sets_published ON question_sets (published_as) \
    WHERE published_as IS NOT NULL;
    """)

/// Adds a mark that a set's results were final once (`QuestionSet.restIsShown`). An older set gets the mark
/// if one of two signs is present: a number of shown responses that is not a multiple of three, or a shuffled
/// file after the end of the feedback window. If a set has fewer than three responses, no results were shown.
let schemaSecondRounds = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN rest_shown INTEGER NOT NULL DEFAULT 0;
    UPDATE question_sets SET rest_shown = 1
    WHERE anonymous = 1 AND published_responses >= 3 AND (published_responses % 3 <> 0 OR sealed = 1 \
    AND EXISTS (
        SELECT 1 FROM sessions s WHERE s.id = question_sets.session
            AND s.ends_at + s.feedback_closes_hours_after * 3600000 < unixepoch() * 1000));
    """)

/// Adds versions and notes of attendees, the records of attendees before corrections, and the traces of
/// merged records.
///
/// `corrections.attendee` has no foreign key, because the former record of a removed attendee must exist as
/// long as the removal can be undone. A command deletes the former record together with the person's data.
/// The list by status has its own index, so that reading a page of it costs the same in any session.
let schemaCorrections = Migration(
    """
    ALTER TABLE attendees ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE attendees ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE attendees ADD COLUMN device BLOB;
    ALTER TABLE attendees ADD COLUMN network TEXT;
    CREATE INDEX attendees_by_status ON attendees (session, status, id);

    ALTER TABLE events ADD COLUMN into_attendee BLOB;
    ALTER TABLE events ADD COLUMN undoes INTEGER;

    -- Why, and how it was before (JSON). forget_at is when what is kept of somebody who is gone goes too.
    CREATE TABLE corrections (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        attendee BLOB,
        note TEXT NOT NULL,
        before TEXT,
        version_after INTEGER NOT NULL,
        forget_at INTEGER,
        PRIMARY KEY (session, sequence)
    ) STRICT;
    CREATE INDEX corrections_by_attendee ON corrections (attendee);
    CREATE INDEX corrections_to_forget ON corrections (forget_at) WHERE forget_at IS NOT NULL;

    -- Where the receipts, grants and keys of somebody lead whose record was merged into another.
    CREATE TABLE merged_attendees (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        into_attendee BLOB NOT NULL,
        key TEXT,
        check_in_grant BLOB
    ) STRICT;
    CREATE INDEX merged_attendees_by_into ON merged_attendees (into_attendee);
    CREATE INDEX merged_attendees_by_key ON merged_attendees (session, key);
    CREATE INDEX merged_attendees_by_grant ON merged_attendees (session, check_in_grant);
    """)

/// Adds the people of meetings, and the attendee of each person in each session (`places`). This link is in a
/// separate row and not in the attendee's row, so that a walk-in costs the same as before. `sort_key` is the
/// sort key of `RosterPosition`.
let schemaRoster = Migration(
    """
    CREATE TABLE people (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sort_key TEXT NOT NULL,
        email TEXT NOT NULL,
        email_key TEXT,
        number TEXT NOT NULL,
        number_key TEXT,
        search TEXT NOT NULL,
        archived INTEGER NOT NULL,
        version INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX people_by_name ON people (meeting, archived, sort_key, id);
    CREATE UNIQUE INDEX people_by_email ON people (meeting, email_key) WHERE email_key IS NOT NULL;
    CREATE UNIQUE INDEX people_by_number ON people (meeting, number_key) WHERE number_key IS NOT NULL;

    CREATE TABLE places (
        person BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        session BLOB NOT NULL,
        attendee BLOB NOT NULL UNIQUE REFERENCES attendees (id) ON DELETE CASCADE,
        PRIMARY KEY (person, session)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE rosters (
        meeting BLOB NOT NULL PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX sessions_by_start_and_round ON sessions (meeting, starts_at, round);
    """)

/// Adds the responses that the server stores for retries. Only the writer's clock decides when a response
/// expires, so new entries of the index are always appended at its end.
let schemaKeys = Migration(
    """
    CREATE TABLE kept_answers (
        id BLOB NOT NULL PRIMARY KEY,
        fingerprint BLOB NOT NULL,
        expires_at INTEGER NOT NULL,
        content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_answers_by_expiry ON kept_answers (expires_at);
    """)

/// Adds invitations, images of meetings, and a mark for sessions that still have evidence of check-ins.
let schemaMembers = Migration(
    """
    CREATE TABLE meeting_invitations (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL,
        role INTEGER NOT NULL,
        -- Of the account that had the address when it was invited.
        account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        UNIQUE (meeting, email_key)
    ) STRICT;
    CREATE INDEX meeting_invitations_by_account ON meeting_invitations (account) WHERE account IS NOT NULL;

    CREATE TABLE meeting_images (
        meeting BLOB NOT NULL PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
        format INTEGER NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        tag TEXT NOT NULL,
        bytes BLOB NOT NULL
    ) STRICT;

    ALTER TABLE sessions ADD COLUMN holds_evidence INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX sessions_holding_evidence ON sessions (ends_at, id) WHERE holds_evidence = 1;
    """)

/// Adds the changed values of an edited session (`FieldChange`, as JSON).
let schemaEdits = Migration("ALTER TABLE events ADD COLUMN changes TEXT;")

/// Adds the time at which a client used a refresh token, and a keyed hash of this client (`Token.Use`).
let schemaUsedTokens = Migration(
    """
    ALTER TABLE tokens ADD COLUMN used_at INTEGER;
    ALTER TABLE tokens ADD COLUMN used_by BLOB;
    CREATE INDEX tokens_used ON tokens (sign_in, created_at) WHERE used_at IS NOT NULL;
    """)

/// Adds a mark that a set was opened or shown, which fixes its anonymity (`QuestionSet.anonymityIsFixed`). An
/// older set gets the mark if a host opened or closed the set by hand, or if the set has responses. For other
/// sets, the clock decides.
let schemaPromises = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN anonymity_fixed INTEGER NOT NULL DEFAULT 0;
    UPDATE question_sets SET anonymity_fixed = 1 WHERE responses > 0 OR open_by_hand IS NOT NULL;
    """)

/// Adds a mark that the server has had an operator. The first account always became the operator, so any
/// account proves that there was an operator.
let schemaOperators = Migration(
    """
    CREATE INDEX accounts_operators ON accounts (id) WHERE admin = 1;
    INSERT INTO meta (key, value) SELECT 'operator', '1' WHERE EXISTS (SELECT 1 FROM accounts);
    """)

/// Adds long commands that are in progress (`StoredJob`), with their plans in rows of their own, because the
/// count of finished steps changes often. `erasures` has the ids of the meetings and sessions that are hidden
/// until their rows are erased.
let schemaJobs = Migration(
    """
    CREATE TABLE jobs (
        id BLOB NOT NULL PRIMARY KEY,
        kind INTEGER NOT NULL,
        meeting BLOB NOT NULL,
        is_visible INTEGER NOT NULL,
        done INTEGER NOT NULL,
        total INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE job_plans (
        job BLOB NOT NULL PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
        plan BLOB NOT NULL
    ) STRICT;
    CREATE TABLE erasures (id BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
    """)

/// Adds the creator of presenter links and invitations, because both end when the creator loses the role. The
/// creator of older rows is unknown, so these rows get the meeting's owner. If there are several owners, they
/// get the owner with the oldest account. Adds the link's id to events.
let schemaCreators = Migration(
    """
    CREATE TABLE created_links (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash BLOB NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        created_by BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    INSERT INTO created_links (id, session, hash, created_at, created_by)
    SELECT l.id, l.session, l.hash, l.created_at, m.account FROM presenter_links l \
    JOIN sessions s ON s.id = l.session
    JOIN members m ON m.meeting = s.meeting AND m.role = 0
        AND m.account = (SELECT min(account) FROM members WHERE meeting = s.meeting AND role = 0);
    DROP TABLE presenter_links;
    ALTER TABLE created_links RENAME TO presenter_links;
    CREATE INDEX presenter_links_by_session ON presenter_links (session);
    CREATE INDEX presenter_links_by_creator ON presenter_links (created_by);

    CREATE TABLE created_invitations (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL,
        role INTEGER NOT NULL,
        account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        invited_by BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        UNIQUE (meeting, email_key)
    ) STRICT;
    INSERT INTO created_invitations (id, meeting, email, email_key, role, account, created_at, expires_at, \
    invited_by)
    SELECT i.id, i.meeting, i.email, i.email_key, i.role, i.account, i.created_at, i.expires_at, m.account \
    FROM meeting_invitations i
    JOIN members m ON m.meeting = i.meeting AND m.role = 0
        AND m.account = (SELECT min(account) FROM members WHERE meeting = i.meeting AND role = 0);
    DROP TABLE meeting_invitations;
    ALTER TABLE created_invitations RENAME TO meeting_invitations;
    CREATE INDEX meeting_invitations_by_account ON meeting_invitations (account) WHERE account IS NOT NULL;
    CREATE INDEX meeting_invitations_by_inviter ON meeting_invitations (invited_by);

    ALTER TABLE events ADD COLUMN presenter_link BLOB;
    """)

/// Adds the name and identity that an attendee typed (`TypedDetails`); null if they are the record's own. In
/// older records, both are the record's own.
let schemaTypedDetails = Migration(
    """
    ALTER TABLE attendees ADD COLUMN typed_name TEXT;
    ALTER TABLE attendees ADD COLUMN typed_identity TEXT;
    """)

/// Adds the time between the exchange of a rotating code and the check-in, in seconds, to events.
let schemaGrantAge = Migration("ALTER TABLE events ADD COLUMN grant_age INTEGER;")

/// Adds the reports of jobs that clients started without waiting (`JobReport`). The outcome is JSON without
/// names. A report outlives its job by an hour.
let schemaJobReports = Migration(
    """
    CREATE TABLE job_reports (
        job BLOB NOT NULL PRIMARY KEY,
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        meeting BLOB NOT NULL,
        total INTEGER NOT NULL,
        key_id BLOB,
        key_fingerprint BLOB,
        note TEXT,
        outcome TEXT,
        ended_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX job_reports_by_account ON job_reports (account, ended_at);
    CREATE INDEX job_reports_by_end ON job_reports (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX job_reports_by_key ON job_reports (key_id) WHERE key_id IS NOT NULL AND ended_at IS NULL;
    """)

/// Adds the sequence of the event that ended an attendee's receipts (`Attendee.receiptsEndedAt`).
let schemaEndedReceipts = Migration("ALTER TABLE attendees ADD COLUMN receipts_ended_at INTEGER;")

/// Adds questions from the audience, their votes, the settings of sessions, and the lists of words that hold
/// questions back. `attendee` has no foreign key, because a question exists until the record of a removed
/// attendee is erased. `copied_from` is the merged question from which a vote was copied. `removed_votes`
/// counts the votes that an attendee has removed. Adds the questions of an event, and the moderation of texts
/// in responses: one row for each text about which a host or a held word has decided.
let schemaAudience = Migration(
    """
    CREATE TABLE audience_settings (
        session BLOB NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        open INTEGER NOT NULL,
        promise INTEGER NOT NULL,
        moderation INTEGER NOT NULL,
        asked INTEGER NOT NULL,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE audience_questions (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        attendee BLOB,
        promise INTEGER NOT NULL,
        asked_at INTEGER NOT NULL,
        text TEXT NOT NULL,
        status INTEGER NOT NULL,
        pinned INTEGER NOT NULL,
        answer TEXT NOT NULL,
        votes INTEGER NOT NULL,
        merged_into BLOB,
        version INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX audience_questions_by_rank ON audience_questions (session, merged_into, status, -pinned, \
    -votes, asked_at, id);
    CREATE INDEX audience_questions_by_attendee ON audience_questions (attendee, asked_at, id) \
    WHERE attendee IS NOT NULL;
    CREATE INDEX audience_questions_by_root ON audience_questions (merged_into, asked_at, id) \
    WHERE merged_into IS NOT NULL;

    CREATE TABLE audience_votes (
        question BLOB NOT NULL REFERENCES audience_questions (id) ON DELETE CASCADE,
        attendee BLOB NOT NULL,
        copied_from BLOB,
        PRIMARY KEY (question, attendee)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX audience_votes_by_attendee ON audience_votes (attendee);
    CREATE INDEX audience_votes_copied ON audience_votes (copied_from, question) \
    WHERE copied_from IS NOT NULL;

    CREATE TABLE removed_votes (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        attendee BLOB NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (session, attendee)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE held_words (
        meeting BLOB NOT NULL PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
        words TEXT NOT NULL,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE text_moderation (
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        moderation INTEGER NOT NULL,
        PRIMARY KEY (session, set_name),
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE moderated_texts (
        question BLOB NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
        response BLOB NOT NULL,
        status INTEGER NOT NULL,
        PRIMARY KEY (question, response)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE events ADD COLUMN audience_question BLOB;
    ALTER TABLE events ADD COLUMN into_question BLOB;
    """)

/// Adds the promise that hides names, the choice whether answers can change, the order of sets, and the
/// counts of the words of word clouds. A set whose `anonymous` and `names_hidden` are 0 is named.
let schemaPolls = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN names_hidden INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE question_sets ADD COLUMN changeable INTEGER;
    ALTER TABLE question_sets ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE words (
        question BLOB NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
        word TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (question, word)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX words_by_count ON words (question, count DESC, word);
    """)

/// Adds how often the attendee has changed the answers of a response (`Responses.mostChanges`).
let schemaChangedAnswers = Migration(
    "ALTER TABLE responses ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;")

/// Adds the queue of mails (`OutgoingMail`, `MailDelivery`). `fields` is null if a mail was sent, was dropped
/// or has expired. While a mail is leased, `next_attempt` is the end of the lease. The deletion of an owner,
/// a session or a meeting deletes its mails in slices, so there are no foreign keys.
let schemaMail = Migration(
    """
    CREATE TABLE mails (
        id BLOB NOT NULL PRIMARY KEY,
        kind INTEGER NOT NULL,
        is_code INTEGER NOT NULL,
        recipient TEXT NOT NULL,
        recipient_key TEXT NOT NULL,
        language TEXT NOT NULL,
        fields TEXT,
        not_before INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        owner BLOB,
        meeting BLOB,
        session BLOB,
        queued_at INTEGER NOT NULL,
        state INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt INTEGER NOT NULL,
        lease BLOB,
        ended_at INTEGER,
        reply TEXT NOT NULL
    ) STRICT;
    CREATE INDEX mails_due ON mails (next_attempt, id) WHERE state = 0;
    CREATE INDEX mails_leased ON mails (id) WHERE lease IS NOT NULL;
    CREATE INDEX mails_by_state ON mails (state, id);
    CREATE INDEX mails_by_recipient ON mails (recipient_key, is_code, queued_at);
    CREATE INDEX mails_by_owner ON mails (owner) WHERE owner IS NOT NULL;
    CREATE INDEX mails_by_meeting ON mails (meeting) WHERE meeting IS NOT NULL;
    CREATE INDEX mails_by_session ON mails (session) WHERE session IS NOT NULL;
    CREATE INDEX mails_by_end ON mails (ended_at) WHERE ended_at IS NOT NULL;
    """)

/// Adds the moment at which an operator suspended an account, the address of a sign-in, and the reasons why
/// tokens ended with their account (`Token.End`). An ended token has no account, so that the account can be
/// erased.
let schemaAccountStates = Migration(
    """
    ALTER TABLE accounts ADD COLUMN suspended_at INTEGER;
    DROP INDEX accounts_operators;
    CREATE INDEX accounts_operators ON accounts (id) WHERE admin = 1 AND suspended_at IS NULL;
    ALTER TABLE tokens ADD COLUMN address TEXT NOT NULL DEFAULT '';
    CREATE TABLE ended_tokens (
        hash BLOB NOT NULL PRIMARY KEY,
        reason INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ended_tokens_by_expiry ON ended_tokens (expires_at);
    """)

/// Adds the people whom the next round of a meeting expects (`Regulars`; 1 is `kept`), the marks of
/// newcomers, and the titles of sessions. The index finds the names in a round, if names identify attendees;
/// an attendee with a key is found by the key.
let schemaRegulars = Migration(
    """
    ALTER TABLE meetings ADD COLUMN regulars INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE meetings ADD COLUMN joined_round INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE people ADD COLUMN joined_by_check_in INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE attendees ADD COLUMN first_time INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN title TEXT NOT NULL DEFAULT '';
    CREATE INDEX attendees_without_key ON attendees (session, search) WHERE key IS NULL;
    """)

/// Adds groups of interest: the settings of sessions, the attendees who take part, their requests to meet,
/// whom they have blocked, and reports to the hosts. `used` is 1 while the session has rows of attendees.
/// Attendees have no foreign keys, because these rows belong to receipts and outlive the attendees' records.
let schemaMatching = Migration(
    """
    CREATE TABLE match_settings (
        session BLOB NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        open INTEGER NOT NULL,
        promise INTEGER NOT NULL,
        places TEXT NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_settings_used ON match_settings (session) WHERE used = 1;

    CREATE TABLE match_people (
        attendee BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        profile BLOB UNIQUE,
        nickname TEXT NOT NULL,
        keywords TEXT NOT NULL,
        promise INTEGER NOT NULL,
        joins INTEGER NOT NULL,
        asked INTEGER NOT NULL,
        asked_at TEXT NOT NULL,
        excluded INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_people_by_session ON match_people (session, profile);

    CREATE TABLE match_requests (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        from_attendee BLOB NOT NULL,
        to_attendee BLOB NOT NULL,
        asked_at INTEGER NOT NULL,
        state INTEGER NOT NULL,
        place TEXT NOT NULL,
        from_line TEXT NOT NULL,
        to_line TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_requests_by_state ON match_requests (session, state);
    CREATE INDEX match_requests_from ON match_requests (from_attendee);
    CREATE INDEX match_requests_to ON match_requests (to_attendee);

    CREATE TABLE match_blocks (
        attendee BLOB NOT NULL,
        blocked BLOB NOT NULL,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        PRIMARY KEY (attendee, blocked)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_blocks_by_blocked ON match_blocks (blocked);
    CREATE INDEX match_blocks_by_session ON match_blocks (session);

    CREATE TABLE match_reports (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        attendee BLOB NOT NULL,
        about BLOB NOT NULL,
        profile BLOB NOT NULL,
        nickname TEXT NOT NULL,
        keywords TEXT NOT NULL,
        promise INTEGER NOT NULL,
        text TEXT NOT NULL,
        at INTEGER NOT NULL,
        closed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_reports_by_session ON match_reports (session, closed, at DESC, id);
    CREATE INDEX match_reports_by_attendee ON match_reports (attendee);
    CREATE INDEX match_reports_by_about ON match_reports (about);
    """)

/// Adds the codes of mails (`AccountCode`).
let schemaAccountCodes = Migration(
    """
    CREATE TABLE account_codes (
        subject BLOB NOT NULL PRIMARY KEY,
        account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
        code BLOB NOT NULL,
        link BLOB NOT NULL,
        sent_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        tries INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_codes_by_account ON account_codes (account) WHERE account IS NOT NULL;
    CREATE INDEX account_codes_by_expiry ON account_codes (expires_at);
    """)

/// Adds the phone number of an account without an e-mail address, and codes to phones. Kind 2 is
/// `OutgoingMail.Kind.phoneCode`, which has its own courier.
let schemaPhones = Migration(
    """
    ALTER TABLE accounts ADD COLUMN phone TEXT;
    ALTER TABLE account_codes ADD COLUMN opens_account INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX mails_due_on_phones ON mails (next_attempt, id) WHERE kind = 2 AND state = 0;
    """)

/// Adds the action log (`ActionRecord`), which has no foreign keys, because it outlives what it mentions.
/// The other indexes find the invitations to an address, and the sessions whose retention is over.
let schemaActions = Migration(
    """
    CREATE TABLE actions (
        id BLOB NOT NULL PRIMARY KEY,
        at INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        -- An account's id, 0 for the holder of a receipt, 1 for the server.
        actor ANY NOT NULL,
        meeting BLOB,
        account BLOB,
        role INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX actions_by_meeting ON actions (meeting, id) WHERE meeting IS NOT NULL;
    CREATE INDEX actions_by_time ON actions (at, id);
    CREATE INDEX meeting_invitations_by_email ON meeting_invitations (email_key);
    CREATE INDEX sessions_ended ON sessions (ends_at, id);
    """)

/// Adds the words of word clouds about which a host or a held word has decided.
let schemaModeratedWords = Migration(
    """
    CREATE TABLE moderated_words (
        question BLOB NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
        word TEXT NOT NULL,
        status INTEGER NOT NULL,
        PRIMARY KEY (question, word)
    ) STRICT, WITHOUT ROWID;
    """)

/// Adds the limits of named tokens (`TokenLimits`). A token without a meeting opens all meetings.
let schemaNamedTokens = Migration(
    """
    ALTER TABLE tokens ADD COLUMN reads_only INTEGER;
    ALTER TABLE tokens ADD COLUMN meeting BLOB;
    """)

/// Adds the marks of devices that have answered a published form (`QuestionSet.oncePerDevice`): keyed hashes,
/// without time, order or response.
let schemaAnsweredDevices = Migration(
    """
    CREATE TABLE answered_devices (
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        device BLOB NOT NULL,
        PRIMARY KEY (session, set_name, device),
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    """)

/// Adds mails to the people of rosters: the switch of meetings (`Reminders`), the progress of each mailing,
/// deleted sessions whose mails are not all queued, and the addresses that want no mails. A null meeting in
/// `unsubscriptions` means all meetings. A cancellation has no foreign key, because it outlives its meeting.
let schemaMailings = Migration(
    """
    ALTER TABLE meetings ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX meetings_with_reminders ON meetings (id) WHERE reminders > 0;
    CREATE INDEX people_to_mail ON people (meeting, id) WHERE archived = 0 AND email_key IS NOT NULL;

    CREATE TABLE mailings (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        last BLOB,
        mailed INTEGER NOT NULL,
        is_done INTEGER NOT NULL,
        PRIMARY KEY (session, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mailings_begun ON mailings (kind, session) WHERE is_done = 0;

    CREATE TABLE cancellations (
        session BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL,
        announced TEXT NOT NULL,
        language TEXT NOT NULL,
        last BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX cancellations_by_meeting ON cancellations (meeting);

    CREATE TABLE unsubscriptions (
        id BLOB NOT NULL PRIMARY KEY,
        recipient_key TEXT NOT NULL,
        meeting BLOB REFERENCES meetings (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX unsubscriptions_by_recipient ON unsubscriptions (recipient_key, meeting);
    CREATE INDEX unsubscriptions_by_meeting ON unsubscriptions (meeting);
    """)

/// Adds the ages of attendees in groups of interest (`MatchAges`), as JSON.
let schemaMatchAges = Migration("ALTER TABLE match_people ADD COLUMN ages TEXT;")

/// Adds the moment at which a host revoked the codes of all sessions of a meeting.
let schemaRevokedCodes = Migration(
    """
    ALTER TABLE meetings ADD COLUMN codes_revoked_at INTEGER;
    """)

/// Adds the number of mails that each account has caused in each hour of the last day
/// (`AccountLimits.mostMailsPerDay`). `hour` is its beginning.
let schemaMailCounts = Migration(
    """
    CREATE TABLE mail_counts (
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        hour INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (account, hour)
    ) STRICT, WITHOUT ROWID;
    """)

/// Counts invitations (kind 8) apart from codes and from other mails (`OutgoingMail.Quota`).
let schemaMailQuotas = Migration(
    """
    ALTER TABLE mails RENAME COLUMN is_code TO quota;
    UPDATE mails SET quota = 2 WHERE kind = 8;
    """)

/// Joins words of word clouds that look equal.
let schemaVisibleWords = Migration(WordsMigration.text)

/// Adds devices for push messages, and the progress of the messages that the clock sends (`Alert`). Kind 9 is
/// `OutgoingMail.Kind.push`, which has its own courier. A hundred thousand of them must not slow down the
/// search for mails, so mails have an index of their own.
let schemaDevices = Migration(
    """
    CREATE TABLE devices (
        id BLOB NOT NULL PRIMARY KEY,
        -- An account, or an attendee's id in a receipt. Only the latter has a session.
        owner BLOB NOT NULL,
        session BLOB REFERENCES sessions (id) ON DELETE CASCADE,
        platform INTEGER NOT NULL,
        token TEXT NOT NULL,
        language TEXT NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX devices_by_owner ON devices (owner, id);
    CREATE INDEX devices_by_session ON devices (session, id);
    CREATE INDEX devices_of_accounts ON devices (id) WHERE session IS NULL;
    CREATE INDEX devices_by_token ON devices (token);

    CREATE TABLE alerts (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        moment INTEGER NOT NULL,
        last BLOB,
        is_done INTEGER NOT NULL,
        PRIMARY KEY (session, kind)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX sessions_starting ON sessions (starts_at, id);
    CREATE INDEX sessions_opening ON sessions ((starts_at - check_in_opens_minutes_before * 60000), id);

    DROP INDEX mails_due;
    CREATE INDEX mails_due ON mails (next_attempt, id) WHERE kind <> 2 AND kind <> 9 AND state = 0;
    CREATE INDEX mails_due_on_devices ON mails (next_attempt, id) WHERE kind = 9 AND state = 0;
    """)

/// Gives each code its own record, with a handle and a purpose. The codes of the last ten minutes end with
/// their records, because a request for another one takes a minute.
let schemaCodeHandles = Migration(
    """
    DROP TABLE account_codes;
    CREATE TABLE account_codes (
        handle BLOB NOT NULL PRIMARY KEY,
        subject BLOB NOT NULL,
        purpose INTEGER NOT NULL,
        account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
        opens_account INTEGER NOT NULL,
        code BLOB NOT NULL,
        link BLOB NOT NULL,
        sent_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        guesses INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_codes_by_subject ON account_codes (subject, sent_at);
    CREATE INDEX account_codes_by_account ON account_codes (account) WHERE account IS NOT NULL;
    CREATE INDEX account_codes_by_time ON account_codes (sent_at);
    """)
