package import Journal

/// A change from one version of the schema to the next.
package struct Migration: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The indexes of passes, on both engines.
    package static let indexesOfPasses = """
        CREATE INDEX passes_by_person ON passes (person, created_at, id);
        CREATE INDEX passes_by_session ON passes (session) WHERE session IS NOT NULL;
        """

    package static let indexOfDoors =
        "CREATE INDEX attendees_by_door ON attendees (session, door, status) WHERE door IS NOT NULL"

    /// The indexes of the meetings whose hosts get mails about absences, and of these mails (kind 12), on
    /// both engines.
    package static let indexesOfAbsences = """
        CREATE INDEX meetings_with_absence_mails ON meetings (id) WHERE absence_mail = 1;
        CREATE INDEX mails_about_absences ON mails (meeting) WHERE kind = 12;
        """

    /// The indexes of certificates, on both engines.
    package static let indexesOfCertificates = """
        CREATE UNIQUE INDEX certificates_by_attendee ON certificates (attendee) WHERE attendee IS NOT NULL;
        CREATE INDEX certificates_by_person ON certificates (person, issued_at, id) WHERE person IS NOT NULL;
        CREATE INDEX certificates_by_meeting ON certificates (meeting, issued_at, id);
        """

    /// The indexes of replies, on both engines.
    package static let indexesOfReplies = """
        CREATE UNIQUE INDEX reply_settings_by_code ON reply_settings (code);
        CREATE INDEX reply_settings_with_waiting ON reply_settings (session) WHERE waiting > 0;
        CREATE INDEX replies_by_status ON replies (session, status, place, id);
        CREATE INDEX replies_by_attendee ON replies (attendee) WHERE attendee IS NOT NULL;
        """

    /// The indexes of offline doors and their entries, on both engines.
    package static let indexesOfSatellites = """
        CREATE INDEX satellites_by_session ON satellites (session, id);
        CREATE UNIQUE INDEX satellites_by_code ON satellites (code_hash) WHERE code_hash IS NOT NULL;
        CREATE UNIQUE INDEX satellites_by_token ON satellites (token_hash) WHERE token_hash IS NOT NULL;
        CREATE INDEX door_entries_by_attendee ON door_entries (attendee, satellite, number)
            WHERE attendee IS NOT NULL;
        CREATE INDEX door_entries_held ON door_entries (satellite, number) WHERE state = 2;
        CREATE INDEX door_entries_overruled ON door_entries (session, satellite, number)
            WHERE state IN (1, 3);
        CREATE INDEX door_entries_by_session ON door_entries (session);
        CREATE INDEX door_records_by_session ON door_records (session, attendee);
        CREATE INDEX door_records_with_doubles ON door_records (session, attendee, doubles)
            WHERE doubles > 0;
        """

    /// The indexes of web hooks and of the queue that holds their deliveries, on both engines. The indexes by
    /// which mails are found, listed and counted leave deliveries out.
    package static let indexesOfWebhooks = """
        CREATE INDEX webhooks_by_meeting ON webhooks (meeting, id);
        CREATE INDEX webhooks_by_creator ON webhooks (created_by);
        DROP INDEX mails_by_state;
        DROP INDEX mails_by_recipient;
        DROP INDEX mails_due;
        CREATE INDEX mails_by_state ON mails (state, id) WHERE kind <> 10;
        CREATE INDEX mails_by_recipient ON mails (recipient_key, quota, queued_at) WHERE kind <> 10;
        CREATE INDEX mails_due ON mails (next_attempt, id)
            WHERE kind <> 2 AND kind <> 9 AND kind <> 10 AND state = 0;
        CREATE INDEX mails_due_on_hooks ON mails (next_attempt, id) WHERE kind = 10 AND state = 0;
        CREATE INDEX mails_due_on_hook ON mails (owner, next_attempt, id) WHERE kind = 10 AND state = 0;
        CREATE INDEX mails_waiting_on_hooks ON mails (expires_at) WHERE kind = 10 AND state = 0;
        CREATE INDEX mails_of_hook ON mails (owner, id) WHERE kind = 10;
        CREATE INDEX mails_of_hooks_by_end ON mails (ended_at) WHERE kind = 10 AND ended_at IS NOT NULL;
        """
}

extension Migration {
    /// The indexes of the sessions with names, on both engines. `names` has the values of `StoredNames`.
    package static let indexesOfNames = """
        CREATE INDEX sessions_with_names ON sessions (ends_at, id) WHERE names = 0;
        CREATE INDEX sessions_losing_names ON sessions (id) WHERE names = 1;
        """
}

/// The migrations of an engine. The first one creates the schema of 0.1.0. Only append migrations: never
/// change or reorder one that was released.
package struct Migrations: Sendable {
    /// The version of the first schema. Versions of QRing before 0.1.0 wrote lower ones.
    package let first: Int
    package let all: [Migration]

    package init(first: Int, _ all: [Migration]) { (self.first, self.all) = (first, all) }

    /// The version of the schema after all migrations.
    package var newest: Int { first + all.count - 1 }

    /// Returns the migrations that a schema lacks, with the versions to which they lead.
    package func after(_ version: Int) -> [(version: Int, migration: Migration)] {
        zip(first..., all).filter { $0.0 > version }
    }

    /// Checks that this program can read a schema. An empty database has the version 0.
    /// - Throws: `.newerSchema` if a newer QRing wrote it; `.developmentSchema` if one before 0.1.0 did.
    package func check(_ version: Int, _ operation: String) throws(JournalError) {
        guard version <= newest else {
            throw .failed(
                StorageFailure(.newerSchema(found: version, known: newest), operation: operation))
        }
        guard version == 0 || version >= first else {
            throw .failed(StorageFailure(.developmentSchema, operation: operation))
        }
    }
}
