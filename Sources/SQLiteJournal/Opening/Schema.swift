import SQLJournal

/// The schema of 0.1.0. Ids are blobs of 16 bytes that sort by age, moments are milliseconds since 1970, and
/// cases of enumerations are numbers (`Coded`).
///
/// Tables with short rows that are read by their key are WITHOUT ROWID. A read of such a table needs one
/// search instead of two, and the rows of a session are side by side. In addition, `responses` and `answered`
/// then have no hidden column that would count up with time. Tables with wide rows have a rowid
/// (withoutrowid.html §4: rows should be "less than about 1/20th the size of a database page"). If a foreign
/// key or a list searches by a column, an index begins with this column.
let firstSchema = Migration(
    """
    CREATE TABLE meta (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO meta VALUES ('epoch', lower(hex(randomblob(16))));

    CREATE TABLE accounts (
        id BLOB NOT NULL PRIMARY KEY,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        password_hash TEXT NOT NULL,
        profile TEXT NOT NULL,
        verified INTEGER NOT NULL,
        admin INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        version INTEGER NOT NULL,
        suspended_at INTEGER,
        phone TEXT
    ) STRICT;
    CREATE INDEX accounts_operators ON accounts (id) WHERE admin = 1 AND suspended_at IS NULL;

    CREATE TABLE tokens (
        hash BLOB NOT NULL PRIMARY KEY,
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        sign_in BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        client TEXT NOT NULL,
        used_at INTEGER,
        used_by BLOB,
        address TEXT NOT NULL DEFAULT '',
        reads_only INTEGER,
        meeting BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_by_account ON tokens (account, kind, created_at);
    CREATE INDEX tokens_by_sign_in ON tokens (sign_in);
    CREATE INDEX tokens_by_expiry ON tokens (expires_at);
    CREATE INDEX tokens_used ON tokens (sign_in, created_at) WHERE used_at IS NOT NULL;

    CREATE TABLE meetings (
        id BLOB NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        place TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        identify_by INTEGER NOT NULL,
        code_version INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        version INTEGER NOT NULL,
        regulars INTEGER NOT NULL DEFAULT 1,
        joined_round INTEGER NOT NULL DEFAULT 0,
        reminders INTEGER NOT NULL DEFAULT 0,
        codes_revoked_at INTEGER
    ) STRICT;
    CREATE INDEX meetings_with_reminders ON meetings (id) WHERE reminders > 0;

    -- latest, starts_at and ends_at repeat the meeting's latest session, so that an account's list has an
    -- index to read.
    CREATE TABLE members (
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        role INTEGER NOT NULL,
        latest BLOB,
        starts_at INTEGER,
        ends_at INTEGER,
        PRIMARY KEY (account, meeting)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_by_meeting ON members (meeting, role, account);
    CREATE INDEX members_by_start ON members (account, starts_at, meeting);
    CREATE INDEX members_by_end ON members (account, ends_at);

    CREATE TABLE sessions (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        round INTEGER NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        late_after_minutes INTEGER NOT NULL,
        check_in_opens_minutes_before INTEGER NOT NULL,
        feedback_closes_hours_after INTEGER NOT NULL,
        planned_count INTEGER NOT NULL,
        code_kind INTEGER NOT NULL,
        code_version INTEGER NOT NULL,
        join_code TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        sequence INTEGER NOT NULL DEFAULT 0,
        pending INTEGER NOT NULL DEFAULT 0,
        present INTEGER NOT NULL DEFAULT 0,
        late INTEGER NOT NULL DEFAULT 0,
        absent INTEGER NOT NULL DEFAULT 0,
        excused INTEGER NOT NULL DEFAULT 0,
        walk_ins INTEGER NOT NULL DEFAULT 0,
        code_accepted_seconds INTEGER NOT NULL DEFAULT 30,
        holds_evidence INTEGER NOT NULL DEFAULT 1,
        title TEXT NOT NULL DEFAULT '',
        UNIQUE (meeting, round)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_start ON sessions (meeting, starts_at);
    CREATE INDEX sessions_by_end ON sessions (meeting, ends_at);
    CREATE INDEX sessions_by_opening ON sessions (meeting,
        starts_at - check_in_opens_minutes_before * 60000);
    CREATE INDEX sessions_rotating ON sessions (ends_at, id) WHERE code_kind = 1;
    CREATE INDEX sessions_by_start_and_round ON sessions (meeting, starts_at, round);
    CREATE INDEX sessions_holding_evidence ON sessions (ends_at, id) WHERE holds_evidence = 1;
    CREATE INDEX sessions_ended ON sessions (ends_at, id);
    CREATE INDEX sessions_starting ON sessions (starts_at, id);
    CREATE INDEX sessions_opening ON sessions ((starts_at - check_in_opens_minutes_before * 60000), id);

    -- search is name and identity, folded. key is the identity that tells people apart. check_in_grant is
    -- what they came in with. typed_name and typed_identity are null if they are the record's own
    -- (TypedDetails).
    CREATE TABLE attendees (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        id BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL,
        identity TEXT NOT NULL,
        search TEXT NOT NULL,
        key TEXT,
        check_in_grant BLOB,
        status INTEGER NOT NULL,
        status_is_by_host INTEGER NOT NULL,
        walk_in INTEGER NOT NULL,
        checked_in_at INTEGER,
        method INTEGER,
        arrival_sequence INTEGER NOT NULL,
        version INTEGER NOT NULL DEFAULT 1,
        note TEXT NOT NULL DEFAULT '',
        device BLOB,
        network TEXT,
        typed_name TEXT,
        typed_identity TEXT,
        receipts_ended_at INTEGER,
        first_time INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX attendees_by_key ON attendees (session, key) WHERE key IS NOT NULL;
    CREATE UNIQUE INDEX attendees_by_grant ON attendees (session, check_in_grant)
        WHERE check_in_grant IS NOT NULL;
    CREATE INDEX attendees_by_arrival ON attendees (session, arrival_sequence) WHERE arrival_sequence > 0;
    CREATE INDEX attendees_by_status ON attendees (session, status, id);
    CREATE INDEX attendees_without_key ON attendees (session, search) WHERE key IS NULL;

    -- An attendee is named by id alone and without a foreign key: what happened outlives the person's
    -- record.
    CREATE TABLE events (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        at INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        attendee BLOB,
        -- An account's id, 0 for the attendee, 1 for the server.
        actor ANY NOT NULL,
        status INTEGER,
        status_before INTEGER,
        method INTEGER,
        walk_in INTEGER,
        code_age INTEGER,
        set_name TEXT,
        -- Names of fields, a line each.
        fields TEXT,
        recomputed INTEGER,
        into_attendee BLOB,
        undoes INTEGER,
        changes TEXT,
        presenter_link BLOB,
        grant_age INTEGER,
        audience_question BLOB,
        into_question BLOB,
        PRIMARY KEY (session, sequence)
    ) STRICT, WITHOUT ROWID;

    -- about has the texts of a set and the name of the following one (StoredAbout). rest_shown,
    -- anonymity_fixed: QuestionSet.restIsShown and anonymityIsFixed.
    CREATE TABLE question_sets (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        open_by_hand INTEGER,
        shared INTEGER NOT NULL,
        anonymous INTEGER NOT NULL,
        responses INTEGER NOT NULL,
        published_responses INTEGER NOT NULL,
        version INTEGER NOT NULL,
        sealed INTEGER NOT NULL DEFAULT 0,
        about TEXT NOT NULL DEFAULT '{}',
        published_as TEXT,
        without_receipt INTEGER NOT NULL DEFAULT 0,
        rest_shown INTEGER NOT NULL DEFAULT 0,
        anonymity_fixed INTEGER NOT NULL DEFAULT 0,
        names_hidden INTEGER NOT NULL DEFAULT 0,
        changeable INTEGER,
        position INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX question_sets_to_seal ON question_sets (session, name)
        WHERE anonymous = 1 AND responses > 0 AND sealed = 0;
    CREATE UNIQUE INDEX question_sets_published ON question_sets (published_as)
        WHERE published_as IS NOT NULL;

    CREATE TABLE questions (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        position INTEGER NOT NULL,
        body TEXT NOT NULL,
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX questions_by_place ON questions (session, set_name, position);

    -- waiting: the responses whose answer to the question is held back (TallyRecord.waiting).
    CREATE TABLE tallies (
        question BLOB NOT NULL PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
        published TEXT NOT NULL,
        pending TEXT NOT NULL,
        waiting TEXT NOT NULL DEFAULT '[]'
    ) STRICT, WITHOUT ROWID;

    -- Who has answered, without what, when, or in which order.
    CREATE TABLE answered (
        attendee BLOB NOT NULL REFERENCES attendees (id) ON DELETE CASCADE,
        set_name TEXT NOT NULL,
        PRIMARY KEY (attendee, set_name)
    ) STRICT, WITHOUT ROWID;

    -- What was answered: under random ids, to the hour, and without who where the set is anonymous.
    CREATE TABLE responses (
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        at INTEGER NOT NULL,
        id BLOB NOT NULL,
        attendee BLOB REFERENCES attendees (id) ON DELETE CASCADE,
        answers TEXT NOT NULL,
        published INTEGER NOT NULL,
        changes INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, set_name, at, id),
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX responses_by_attendee ON responses (attendee, set_name)
        WHERE attendee IS NOT NULL;
    CREATE INDEX responses_unpublished ON responses (session, set_name) WHERE published = 0;

    -- Why, and how it was before (JSON). forget_at is when what is kept of somebody who is gone goes too.
    -- There is no foreign key to an attendee, because the former record of a removed attendee must exist
    -- as long as the removal can be undone.
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

    -- The people of rosters. sort_key is that of RosterPosition.
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
        version INTEGER NOT NULL,
        joined_by_check_in INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX people_by_name ON people (meeting, archived, sort_key, id);
    CREATE UNIQUE INDEX people_by_email ON people (meeting, email_key) WHERE email_key IS NOT NULL;
    CREATE UNIQUE INDEX people_by_number ON people (meeting, number_key) WHERE number_key IS NOT NULL;
    CREATE INDEX people_to_mail ON people (meeting, id) WHERE archived = 0 AND email_key IS NOT NULL;

    -- The attendee of each person in each session. This link has a row of its own, so that a walk-in costs
    -- no more.
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

    -- The responses that the server stores for retries. Only the writer's clock decides when one expires,
    -- so new entries of the index are always appended at its end.
    CREATE TABLE kept_answers (
        id BLOB NOT NULL PRIMARY KEY,
        fingerprint BLOB NOT NULL,
        expires_at INTEGER NOT NULL,
        content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_answers_by_expiry ON kept_answers (expires_at);

    CREATE TABLE meeting_images (
        meeting BLOB NOT NULL PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
        format INTEGER NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        tag TEXT NOT NULL,
        bytes BLOB NOT NULL
    ) STRICT;

    -- A link ends when its creator loses the role.
    CREATE TABLE presenter_links (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash BLOB NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        created_by BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX presenter_links_by_session ON presenter_links (session);
    CREATE INDEX presenter_links_by_creator ON presenter_links (created_by);

    -- account: the account that had the address when it was invited. An invitation ends when its creator
    -- loses the role.
    CREATE TABLE meeting_invitations (
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
    CREATE INDEX meeting_invitations_by_account ON meeting_invitations (account)
        WHERE account IS NOT NULL;
    CREATE INDEX meeting_invitations_by_inviter ON meeting_invitations (invited_by);
    CREATE INDEX meeting_invitations_by_email ON meeting_invitations (email_key);

    -- Long commands in progress (StoredJob). Their plans have rows of their own, because done changes
    -- often.
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

    -- The meetings and sessions that are hidden until their rows are erased.
    CREATE TABLE erasures (id BLOB NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

    -- Jobs that clients started without waiting (JobReport). The outcome is JSON without names. A report
    -- outlives its job by an hour.
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

    CREATE TABLE audience_settings (
        session BLOB NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        open INTEGER NOT NULL,
        promise INTEGER NOT NULL,
        moderation INTEGER NOT NULL,
        asked INTEGER NOT NULL,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- attendee has no foreign key, because a question exists until the record of a removed attendee is
    -- erased.
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
    CREATE INDEX audience_questions_by_rank ON audience_questions (session, merged_into, status,
        -pinned, -votes, asked_at, id);
    CREATE INDEX audience_questions_by_attendee ON audience_questions (attendee, asked_at, id)
        WHERE attendee IS NOT NULL;
    CREATE INDEX audience_questions_by_root ON audience_questions (merged_into, asked_at, id)
        WHERE merged_into IS NOT NULL;

    -- copied_from is the merged question from which a vote was copied.
    CREATE TABLE audience_votes (
        question BLOB NOT NULL REFERENCES audience_questions (id) ON DELETE CASCADE,
        attendee BLOB NOT NULL,
        copied_from BLOB,
        PRIMARY KEY (question, attendee)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX audience_votes_by_attendee ON audience_votes (attendee);
    CREATE INDEX audience_votes_copied ON audience_votes (copied_from, question)
        WHERE copied_from IS NOT NULL;

    -- The votes that an attendee has removed.
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

    -- A row for each text of a response about which a host or a held word has decided.
    CREATE TABLE moderated_texts (
        question BLOB NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
        response BLOB NOT NULL,
        status INTEGER NOT NULL,
        PRIMARY KEY (question, response)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE words (
        question BLOB NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
        word TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (question, word)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX words_by_count ON words (question, count DESC, word);

    -- The queue of mails (OutgoingMail, MailDelivery). fields is null if a mail was sent, was dropped or
    -- has expired. While a mail is leased, next_attempt is the end of the lease. The deletion of an owner,
    -- a session or a meeting deletes its mails in slices, so there are no foreign keys. Kind 2 is a code
    -- to a phone, and kind 9 a push message. Both have couriers of their own, and must not slow down the
    -- search for mails.
    CREATE TABLE mails (
        id BLOB NOT NULL PRIMARY KEY,
        kind INTEGER NOT NULL,
        quota INTEGER NOT NULL,
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
    CREATE INDEX mails_leased ON mails (id) WHERE lease IS NOT NULL;
    CREATE INDEX mails_by_state ON mails (state, id);
    CREATE INDEX mails_by_recipient ON mails (recipient_key, quota, queued_at);
    CREATE INDEX mails_by_owner ON mails (owner) WHERE owner IS NOT NULL;
    CREATE INDEX mails_by_meeting ON mails (meeting) WHERE meeting IS NOT NULL;
    CREATE INDEX mails_by_session ON mails (session) WHERE session IS NOT NULL;
    CREATE INDEX mails_by_end ON mails (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX mails_due_on_phones ON mails (next_attempt, id) WHERE kind = 2 AND state = 0;
    CREATE INDEX mails_due ON mails (next_attempt, id) WHERE kind <> 2 AND kind <> 9 AND state = 0;
    CREATE INDEX mails_due_on_devices ON mails (next_attempt, id) WHERE kind = 9 AND state = 0;

    -- Why tokens ended with their account (Token.End). An ended token has no account, so that the account
    -- can be erased.
    CREATE TABLE ended_tokens (
        hash BLOB NOT NULL PRIMARY KEY,
        reason INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ended_tokens_by_expiry ON ended_tokens (expires_at);

    -- used is 1 while the session has rows of attendees.
    CREATE TABLE match_settings (
        session BLOB NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        open INTEGER NOT NULL,
        promise INTEGER NOT NULL,
        places TEXT NOT NULL,
        used INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX match_settings_used ON match_settings (session) WHERE used = 1;

    -- Attendees have no foreign keys in this table and the following ones, because these rows belong to
    -- receipts and outlive the attendees' records.
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
        excluded INTEGER NOT NULL,
        ages TEXT
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

    -- The action log (ActionRecord) has no foreign keys, because it outlives what it mentions.
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

    -- The words of word clouds about which a host or a held word has decided.
    CREATE TABLE moderated_words (
        question BLOB NOT NULL REFERENCES questions (id) ON DELETE CASCADE,
        word TEXT NOT NULL,
        status INTEGER NOT NULL,
        PRIMARY KEY (question, word)
    ) STRICT, WITHOUT ROWID;

    -- Devices that have answered a published form (QuestionSet.oncePerDevice): keyed hashes, without time,
    -- order or response.
    CREATE TABLE answered_devices (
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        device BLOB NOT NULL,
        PRIMARY KEY (session, set_name, device),
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    -- The progress of each mailing to the people of a roster.
    CREATE TABLE mailings (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        last BLOB,
        mailed INTEGER NOT NULL,
        is_done INTEGER NOT NULL,
        PRIMARY KEY (session, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mailings_begun ON mailings (kind, session) WHERE is_done = 0;

    -- Deleted sessions whose mails are not all queued. There is no foreign key, because a cancellation
    -- outlives its meeting.
    CREATE TABLE cancellations (
        session BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL,
        announced TEXT NOT NULL,
        language TEXT NOT NULL,
        last BLOB
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX cancellations_by_meeting ON cancellations (meeting);

    -- Addresses that want no mails. A null meeting means all meetings.
    CREATE TABLE unsubscriptions (
        id BLOB NOT NULL PRIMARY KEY,
        recipient_key TEXT NOT NULL,
        meeting BLOB REFERENCES meetings (id) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX unsubscriptions_by_recipient ON unsubscriptions (recipient_key, meeting);
    CREATE INDEX unsubscriptions_by_meeting ON unsubscriptions (meeting);

    -- The mails that each account has caused in each hour of the last day (AccountLimits.mostMailsPerDay).
    -- hour is its beginning.
    CREATE TABLE mail_counts (
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        hour INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (account, hour)
    ) STRICT, WITHOUT ROWID;

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

    -- The progress of the push messages that the clock sends (Alert).
    CREATE TABLE alerts (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        moment INTEGER NOT NULL,
        last BLOB,
        is_done INTEGER NOT NULL,
        PRIMARY KEY (session, kind)
    ) STRICT, WITHOUT ROWID;

    -- Codes by mail or to a phone (AccountCode), each with its handle.
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
