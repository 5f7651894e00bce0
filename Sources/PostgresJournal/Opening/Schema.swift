import SQLJournal

/// The schema of 0.1.0. Its tables, columns and indexes are those of `SQLiteJournal`, except those of several
/// nodes; a test compares the two.
///
/// Ids are `uuid`, which sort by age like SQLite's blobs of 16 bytes. Moments are milliseconds since 1970.
/// Cases of enumerations and truth values are numbers, as in SQLite. Texts sort by their bytes (`COLLATE
/// "C"`), whatever the collation of the database is. The actor of an event or action is an account's id; the
/// ids 0 and 1 are the attendee and the server.
let firstSchema = Migration(
    """
    CREATE TABLE meta (
        key text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL
    );

    CREATE TABLE accounts (
        id uuid PRIMARY KEY, email text COLLATE "C" NOT NULL, email_key text COLLATE "C" NOT NULL UNIQUE,
        name text COLLATE "C" NOT NULL, password_hash text COLLATE "C" NOT NULL,
        profile text COLLATE "C" NOT NULL, verified bigint NOT NULL, admin bigint NOT NULL,
        created_at bigint NOT NULL, version bigint NOT NULL, suspended_at bigint, phone text COLLATE "C"
    );
    CREATE INDEX accounts_operators ON accounts (id) WHERE admin = 1 AND suspended_at IS NULL;

    CREATE TABLE tokens (
        hash bytea PRIMARY KEY, account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind bigint NOT NULL, sign_in uuid NOT NULL, created_at bigint NOT NULL,
        expires_at bigint NOT NULL, client text COLLATE "C" NOT NULL, used_at bigint, used_by bytea,
        address text COLLATE "C" NOT NULL DEFAULT '', reads_only bigint, meeting uuid
    );
    CREATE INDEX tokens_by_account ON tokens (account, kind, created_at);
    CREATE INDEX tokens_by_sign_in ON tokens (sign_in);
    CREATE INDEX tokens_by_expiry ON tokens (expires_at);
    CREATE INDEX tokens_used ON tokens (sign_in, created_at) WHERE used_at IS NOT NULL;

    CREATE TABLE meetings (
        id uuid PRIMARY KEY, name text COLLATE "C" NOT NULL, description text COLLATE "C" NOT NULL,
        place text COLLATE "C" NOT NULL, time_zone text COLLATE "C" NOT NULL, identify_by bigint NOT NULL,
        code_version bigint NOT NULL, created_at bigint NOT NULL, version bigint NOT NULL,
        regulars bigint NOT NULL DEFAULT 1, joined_round bigint NOT NULL DEFAULT 0,
        reminders bigint NOT NULL DEFAULT 0, codes_revoked_at bigint
    );
    CREATE INDEX meetings_with_reminders ON meetings (id) WHERE reminders > 0;

    CREATE TABLE members (
        account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE, role bigint NOT NULL, latest uuid,
        starts_at bigint, ends_at bigint, PRIMARY KEY (account, meeting)
    );
    CREATE INDEX members_by_meeting ON members (meeting, role, account);
    CREATE INDEX members_by_start ON members (account, starts_at, meeting);
    CREATE INDEX members_by_end ON members (account, ends_at);

    CREATE TABLE sessions (
        id uuid PRIMARY KEY, meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE,
        round bigint NOT NULL, starts_at bigint NOT NULL, ends_at bigint NOT NULL,
        late_after_minutes bigint NOT NULL, check_in_opens_minutes_before bigint NOT NULL,
        feedback_closes_hours_after bigint NOT NULL, planned_count bigint NOT NULL,
        code_kind bigint NOT NULL, code_version bigint NOT NULL,
        join_code text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL,
        sequence bigint NOT NULL DEFAULT 0, pending bigint NOT NULL DEFAULT 0,
        present bigint NOT NULL DEFAULT 0, late bigint NOT NULL DEFAULT 0,
        absent bigint NOT NULL DEFAULT 0, excused bigint NOT NULL DEFAULT 0,
        walk_ins bigint NOT NULL DEFAULT 0, code_accepted_seconds bigint NOT NULL DEFAULT 30,
        holds_evidence bigint NOT NULL DEFAULT 1, title text COLLATE "C" NOT NULL DEFAULT '',
        UNIQUE (meeting, round)
    );
    CREATE INDEX sessions_by_start ON sessions (meeting, starts_at);
    CREATE INDEX sessions_by_end ON sessions (meeting, ends_at);
    CREATE INDEX sessions_by_opening ON sessions (meeting, (starts_at - check_in_opens_minutes_before *
        60000));
    CREATE INDEX sessions_rotating ON sessions (ends_at, id) WHERE code_kind = 1;
    CREATE INDEX sessions_by_start_and_round ON sessions (meeting, starts_at, round);
    CREATE INDEX sessions_holding_evidence ON sessions (ends_at, id) WHERE holds_evidence = 1;
    CREATE INDEX sessions_ended ON sessions (ends_at, id);
    CREATE INDEX sessions_starting ON sessions (starts_at, id);
    CREATE INDEX sessions_opening ON sessions ((starts_at - check_in_opens_minutes_before * 60000), id);

    CREATE TABLE attendees (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, id uuid NOT NULL UNIQUE,
        name text COLLATE "C" NOT NULL, identity text COLLATE "C" NOT NULL,
        search text COLLATE "C" NOT NULL, key text COLLATE "C", check_in_grant bytea,
        status bigint NOT NULL, status_is_by_host bigint NOT NULL, walk_in bigint NOT NULL,
        checked_in_at bigint, method bigint, arrival_sequence bigint NOT NULL,
        version bigint NOT NULL DEFAULT 1, note text COLLATE "C" NOT NULL DEFAULT '', device bytea,
        network text COLLATE "C", typed_name text COLLATE "C", typed_identity text COLLATE "C",
        receipts_ended_at bigint, first_time bigint NOT NULL DEFAULT 0, PRIMARY KEY (session, id)
    );
    CREATE UNIQUE INDEX attendees_by_key ON attendees (session, (\(bounded("key")))) WHERE key IS NOT NULL;
    CREATE UNIQUE INDEX attendees_by_grant ON attendees (session, check_in_grant) WHERE check_in_grant IS
        NOT NULL;
    CREATE INDEX attendees_by_arrival ON attendees (session, arrival_sequence) WHERE arrival_sequence > 0;
    CREATE INDEX attendees_by_status ON attendees (session, status, id);
    CREATE INDEX attendees_without_key ON attendees (session, (\(bounded("search")))) WHERE key IS NULL;

    CREATE TABLE events (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, sequence bigint NOT NULL,
        at bigint NOT NULL, kind bigint NOT NULL, attendee uuid, actor uuid NOT NULL, status bigint,
        status_before bigint, method bigint, walk_in bigint, code_age bigint, set_name text COLLATE "C",
        fields text COLLATE "C", recomputed bigint, into_attendee uuid, undoes bigint,
        changes text COLLATE "C", presenter_link uuid, grant_age bigint, audience_question uuid,
        into_question uuid, PRIMARY KEY (session, sequence)
    );

    CREATE TABLE question_sets (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, name text COLLATE "C" NOT NULL,
        open_by_hand bigint, shared bigint NOT NULL, anonymous bigint NOT NULL, responses bigint NOT NULL,
        published_responses bigint NOT NULL, version bigint NOT NULL, sealed bigint NOT NULL DEFAULT 0,
        about text COLLATE "C" NOT NULL DEFAULT '{}', published_as text COLLATE "C",
        without_receipt bigint NOT NULL DEFAULT 0, rest_shown bigint NOT NULL DEFAULT 0,
        anonymity_fixed bigint NOT NULL DEFAULT 0, names_hidden bigint NOT NULL DEFAULT 0,
        changeable bigint, position bigint NOT NULL DEFAULT 0, PRIMARY KEY (session, name)
    );
    CREATE INDEX question_sets_to_seal ON question_sets (session, name) WHERE anonymous = 1 AND responses >
        0 AND sealed = 0;
    CREATE UNIQUE INDEX question_sets_published ON question_sets (published_as) WHERE published_as IS NOT
        NULL;

    CREATE TABLE questions (
        id uuid PRIMARY KEY, session uuid NOT NULL, set_name text COLLATE "C" NOT NULL,
        position bigint NOT NULL, body text COLLATE "C" NOT NULL,
        FOREIGN KEY (session, set_name) REFERENCES question_sets ON DELETE CASCADE
    );
    CREATE INDEX questions_by_place ON questions (session, set_name, position);

    CREATE TABLE tallies (
        question uuid PRIMARY KEY REFERENCES questions ON DELETE CASCADE,
        published text COLLATE "C" NOT NULL, pending text COLLATE "C" NOT NULL,
        waiting text COLLATE "C" NOT NULL DEFAULT '[]'
    );

    CREATE TABLE answered (
        attendee uuid NOT NULL REFERENCES attendees (id) ON DELETE CASCADE,
        set_name text COLLATE "C" NOT NULL, PRIMARY KEY (attendee, set_name)
    );

    CREATE TABLE responses (
        session uuid NOT NULL, set_name text COLLATE "C" NOT NULL, at bigint NOT NULL, id uuid NOT NULL,
        attendee uuid REFERENCES attendees (id) ON DELETE CASCADE, answers text COLLATE "C" NOT NULL,
        published bigint NOT NULL, changes bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (session, set_name, at, id),
        FOREIGN KEY (session, set_name) REFERENCES question_sets ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX responses_by_attendee ON responses (attendee, set_name) WHERE attendee IS NOT NULL;
    CREATE INDEX responses_unpublished ON responses (session, set_name) WHERE published = 0;

    CREATE TABLE corrections (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, sequence bigint NOT NULL,
        attendee uuid, note text COLLATE "C" NOT NULL, before text COLLATE "C",
        version_after bigint NOT NULL, forget_at bigint, PRIMARY KEY (session, sequence)
    );
    CREATE INDEX corrections_by_attendee ON corrections (attendee);
    CREATE INDEX corrections_to_forget ON corrections (forget_at) WHERE forget_at IS NOT NULL;

    CREATE TABLE merged_attendees (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        into_attendee uuid NOT NULL, key text COLLATE "C", check_in_grant bytea
    );
    CREATE INDEX merged_attendees_by_into ON merged_attendees (into_attendee);
    CREATE INDEX merged_attendees_by_key ON merged_attendees (session, (\(bounded("key"))));
    CREATE INDEX merged_attendees_by_grant ON merged_attendees (session, check_in_grant);

    CREATE TABLE people (
        id uuid PRIMARY KEY, meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE,
        name text COLLATE "C" NOT NULL, sort_key text COLLATE "C" NOT NULL,
        email text COLLATE "C" NOT NULL, email_key text COLLATE "C", number text COLLATE "C" NOT NULL,
        number_key text COLLATE "C", search text COLLATE "C" NOT NULL, archived bigint NOT NULL,
        version bigint NOT NULL, joined_by_check_in bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX people_by_name ON people (meeting, archived, sort_key, id);
    CREATE UNIQUE INDEX people_by_email ON people (meeting, email_key) WHERE email_key IS NOT NULL;
    CREATE UNIQUE INDEX people_by_number ON people (meeting, (\(bounded("number_key"))))
        WHERE number_key IS NOT NULL;
    CREATE INDEX people_to_mail ON people (meeting, id) WHERE archived = 0 AND email_key IS NOT NULL;

    CREATE TABLE places (
        person uuid NOT NULL REFERENCES people ON DELETE CASCADE, session uuid NOT NULL,
        attendee uuid NOT NULL UNIQUE REFERENCES attendees (id) ON DELETE CASCADE,
        PRIMARY KEY (person, session)
    );

    CREATE TABLE rosters (
        meeting uuid PRIMARY KEY REFERENCES meetings ON DELETE CASCADE, version bigint NOT NULL
    );

    CREATE TABLE kept_answers (
        id bytea PRIMARY KEY, fingerprint bytea NOT NULL, expires_at bigint NOT NULL,
        content bytea NOT NULL
    );
    CREATE INDEX kept_answers_by_expiry ON kept_answers (expires_at);

    CREATE TABLE meeting_images (
        meeting uuid PRIMARY KEY REFERENCES meetings ON DELETE CASCADE, format bigint NOT NULL,
        width bigint NOT NULL, height bigint NOT NULL, tag text COLLATE "C" NOT NULL, bytes bytea NOT NULL
    );

    CREATE TABLE presenter_links (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        hash bytea NOT NULL UNIQUE, created_at bigint NOT NULL,
        created_by uuid NOT NULL REFERENCES accounts ON DELETE CASCADE
    );
    CREATE INDEX presenter_links_by_session ON presenter_links (session);
    CREATE INDEX presenter_links_by_creator ON presenter_links (created_by);

    CREATE TABLE meeting_invitations (
        id uuid PRIMARY KEY, meeting uuid NOT NULL REFERENCES meetings ON DELETE CASCADE,
        email text COLLATE "C" NOT NULL, email_key text COLLATE "C" NOT NULL, role bigint NOT NULL,
        account uuid REFERENCES accounts ON DELETE CASCADE, created_at bigint NOT NULL,
        expires_at bigint NOT NULL, invited_by uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        UNIQUE (meeting, email_key)
    );
    CREATE INDEX meeting_invitations_by_account ON meeting_invitations (account) WHERE account IS NOT NULL;
    CREATE INDEX meeting_invitations_by_inviter ON meeting_invitations (invited_by);
    CREATE INDEX meeting_invitations_by_email ON meeting_invitations (email_key);

    CREATE TABLE jobs (
        id uuid PRIMARY KEY, kind bigint NOT NULL, meeting uuid NOT NULL, is_visible bigint NOT NULL,
        done bigint NOT NULL, total bigint NOT NULL,
        -- The node that runs the job. The writer's connection has its number in the setting qring.node.
        node bigint DEFAULT CAST(nullif(current_setting('qring.node', true), '') AS bigint)
    );

    CREATE TABLE job_plans (
        job uuid PRIMARY KEY REFERENCES jobs ON DELETE CASCADE, plan bytea NOT NULL
    );

    CREATE TABLE erasures (
        id uuid PRIMARY KEY
    );

    CREATE TABLE job_reports (
        job uuid PRIMARY KEY, account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
        kind bigint NOT NULL, meeting uuid NOT NULL, total bigint NOT NULL, key_id bytea,
        key_fingerprint bytea, note text COLLATE "C", outcome text COLLATE "C", ended_at bigint
    );
    CREATE INDEX job_reports_by_account ON job_reports (account, ended_at);
    CREATE INDEX job_reports_by_end ON job_reports (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX job_reports_by_key ON job_reports (key_id) WHERE key_id IS NOT NULL AND ended_at IS NULL;

    CREATE TABLE audience_settings (
        session uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, open bigint NOT NULL,
        promise bigint NOT NULL, moderation bigint NOT NULL, asked bigint NOT NULL, version bigint NOT NULL
    );

    CREATE TABLE audience_questions (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, attendee uuid,
        promise bigint NOT NULL, asked_at bigint NOT NULL, text text COLLATE "C" NOT NULL,
        status bigint NOT NULL, pinned bigint NOT NULL, answer text COLLATE "C" NOT NULL,
        votes bigint NOT NULL, merged_into uuid, version bigint NOT NULL
    );
    CREATE INDEX audience_questions_by_rank ON audience_questions (session, merged_into, status, (-pinned),
        (-votes), asked_at, id);
    CREATE INDEX audience_questions_by_attendee ON audience_questions (attendee, asked_at, id) WHERE
        attendee IS NOT NULL;
    CREATE INDEX audience_questions_by_root ON audience_questions (merged_into, asked_at, id) WHERE
        merged_into IS NOT NULL;

    CREATE TABLE audience_votes (
        question uuid NOT NULL REFERENCES audience_questions ON DELETE CASCADE, attendee uuid NOT NULL,
        copied_from uuid, PRIMARY KEY (question, attendee)
    );
    CREATE INDEX audience_votes_by_attendee ON audience_votes (attendee);
    CREATE INDEX audience_votes_copied ON audience_votes (copied_from, question) WHERE copied_from IS NOT
        NULL;

    CREATE TABLE removed_votes (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, attendee uuid NOT NULL,
        count bigint NOT NULL, PRIMARY KEY (session, attendee)
    );

    CREATE TABLE held_words (
        meeting uuid PRIMARY KEY REFERENCES meetings ON DELETE CASCADE, words text COLLATE "C" NOT NULL,
        version bigint NOT NULL
    );

    CREATE TABLE text_moderation (
        session uuid NOT NULL, set_name text COLLATE "C" NOT NULL, moderation bigint NOT NULL,
        PRIMARY KEY (session, set_name),
        FOREIGN KEY (session, set_name) REFERENCES question_sets ON DELETE CASCADE
    );

    CREATE TABLE moderated_texts (
        question uuid NOT NULL REFERENCES questions ON DELETE CASCADE, response uuid NOT NULL,
        status bigint NOT NULL, PRIMARY KEY (question, response)
    );

    CREATE TABLE words (
        question uuid NOT NULL REFERENCES questions ON DELETE CASCADE, word text COLLATE "C" NOT NULL,
        count bigint NOT NULL, PRIMARY KEY (question, word)
    );
    CREATE INDEX words_by_count ON words (question, count DESC, word);

    CREATE TABLE mails (
        id uuid PRIMARY KEY, kind bigint NOT NULL, quota bigint NOT NULL,
        recipient text COLLATE "C" NOT NULL, recipient_key text COLLATE "C" NOT NULL,
        language text COLLATE "C" NOT NULL, fields text COLLATE "C", not_before bigint NOT NULL,
        expires_at bigint NOT NULL, owner uuid, meeting uuid, session uuid, queued_at bigint NOT NULL,
        state bigint NOT NULL, attempts bigint NOT NULL, next_attempt bigint NOT NULL, lease uuid,
        ended_at bigint, reply text COLLATE "C" NOT NULL
    );
    CREATE INDEX mails_due ON mails (next_attempt, id) WHERE kind <> 2 AND kind <> 9 AND state = 0;
    CREATE INDEX mails_leased ON mails (id) WHERE lease IS NOT NULL;
    CREATE INDEX mails_by_state ON mails (state, id);
    CREATE INDEX mails_by_recipient ON mails (recipient_key, quota, queued_at);
    CREATE INDEX mails_by_owner ON mails (owner) WHERE owner IS NOT NULL;
    CREATE INDEX mails_by_meeting ON mails (meeting) WHERE meeting IS NOT NULL;
    CREATE INDEX mails_by_session ON mails (session) WHERE session IS NOT NULL;
    CREATE INDEX mails_by_end ON mails (ended_at) WHERE ended_at IS NOT NULL;
    CREATE INDEX mails_due_on_phones ON mails (next_attempt, id) WHERE kind = 2 AND state = 0;
    CREATE INDEX mails_due_on_devices ON mails (next_attempt, id) WHERE kind = 9 AND state = 0;

    CREATE TABLE ended_tokens (
        hash bytea PRIMARY KEY, reason bigint NOT NULL, expires_at bigint NOT NULL
    );
    CREATE INDEX ended_tokens_by_expiry ON ended_tokens (expires_at);

    CREATE TABLE match_settings (
        session uuid PRIMARY KEY REFERENCES sessions ON DELETE CASCADE, open bigint NOT NULL,
        promise bigint NOT NULL, places text COLLATE "C" NOT NULL, used bigint NOT NULL DEFAULT 0,
        version bigint NOT NULL
    );
    CREATE INDEX match_settings_used ON match_settings (session) WHERE used = 1;

    CREATE TABLE match_people (
        attendee uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        profile uuid UNIQUE, nickname text COLLATE "C" NOT NULL, keywords text COLLATE "C" NOT NULL,
        promise bigint NOT NULL, joins bigint NOT NULL, asked bigint NOT NULL,
        asked_at text COLLATE "C" NOT NULL, excluded bigint NOT NULL, ages text COLLATE "C"
    );
    CREATE INDEX match_people_by_session ON match_people (session, profile);

    CREATE TABLE match_requests (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        from_attendee uuid NOT NULL, to_attendee uuid NOT NULL, asked_at bigint NOT NULL,
        state bigint NOT NULL, place text COLLATE "C" NOT NULL, from_line text COLLATE "C" NOT NULL,
        to_line text COLLATE "C" NOT NULL
    );
    CREATE INDEX match_requests_by_state ON match_requests (session, state);
    CREATE INDEX match_requests_from ON match_requests (from_attendee);
    CREATE INDEX match_requests_to ON match_requests (to_attendee);

    CREATE TABLE match_blocks (
        attendee uuid NOT NULL, blocked uuid NOT NULL,
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, PRIMARY KEY (attendee, blocked)
    );
    CREATE INDEX match_blocks_by_blocked ON match_blocks (blocked);
    CREATE INDEX match_blocks_by_session ON match_blocks (session);

    CREATE TABLE match_reports (
        id uuid PRIMARY KEY, session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
        attendee uuid NOT NULL, about uuid NOT NULL, profile uuid NOT NULL,
        nickname text COLLATE "C" NOT NULL, keywords text COLLATE "C" NOT NULL, promise bigint NOT NULL,
        text text COLLATE "C" NOT NULL, at bigint NOT NULL, closed bigint NOT NULL
    );
    CREATE INDEX match_reports_by_session ON match_reports (session, closed, at DESC, id);
    CREATE INDEX match_reports_by_attendee ON match_reports (attendee);
    CREATE INDEX match_reports_by_about ON match_reports (about);

    CREATE TABLE account_codes (
        handle bytea PRIMARY KEY, subject bytea NOT NULL, purpose bigint NOT NULL,
        account uuid REFERENCES accounts ON DELETE CASCADE, opens_account bigint NOT NULL,
        code bytea NOT NULL, link bytea NOT NULL, sent_at bigint NOT NULL, expires_at bigint NOT NULL,
        tries bigint NOT NULL, guesses bigint NOT NULL
    );
    CREATE INDEX account_codes_by_subject ON account_codes (subject, sent_at);
    CREATE INDEX account_codes_by_account ON account_codes (account) WHERE account IS NOT NULL;
    CREATE INDEX account_codes_by_time ON account_codes (sent_at);

    CREATE TABLE actions (
        id uuid PRIMARY KEY, at bigint NOT NULL, kind bigint NOT NULL, actor uuid NOT NULL, meeting uuid,
        account uuid, role bigint
    );
    CREATE INDEX actions_by_meeting ON actions (meeting, id) WHERE meeting IS NOT NULL;
    CREATE INDEX actions_by_time ON actions (at, id);

    CREATE TABLE moderated_words (
        question uuid NOT NULL REFERENCES questions ON DELETE CASCADE, word text COLLATE "C" NOT NULL,
        status bigint NOT NULL, PRIMARY KEY (question, word)
    );

    CREATE TABLE answered_devices (
        session uuid NOT NULL, set_name text COLLATE "C" NOT NULL, device bytea NOT NULL,
        PRIMARY KEY (session, set_name, device),
        FOREIGN KEY (session, set_name) REFERENCES question_sets ON DELETE CASCADE
    );

    CREATE TABLE mailings (
        session uuid NOT NULL REFERENCES sessions ON DELETE CASCADE, kind bigint NOT NULL, last uuid,
        mailed bigint NOT NULL, is_done bigint NOT NULL, PRIMARY KEY (session, kind)
    );
    CREATE INDEX mailings_begun ON mailings (kind, session) WHERE is_done = 0;

    CREATE TABLE cancellations (
        session uuid PRIMARY KEY, meeting uuid NOT NULL, announced text COLLATE "C" NOT NULL,
        language text COLLATE "C" NOT NULL, last uuid
    );
    CREATE INDEX cancellations_by_meeting ON cancellations (meeting);

    CREATE TABLE unsubscriptions (
        id uuid PRIMARY KEY, recipient_key text COLLATE "C" NOT NULL,
        meeting uuid REFERENCES meetings ON DELETE CASCADE
    );
    CREATE INDEX unsubscriptions_by_recipient ON unsubscriptions (recipient_key, meeting);
    CREATE INDEX unsubscriptions_by_meeting ON unsubscriptions (meeting);

    CREATE TABLE mail_counts (
        account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE, hour bigint NOT NULL,
        count bigint NOT NULL, PRIMARY KEY (account, hour)
    );

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

    -- The tables of several nodes, which SQLite does not have. commits has a row for each batch of each node,
    -- for some minutes.
    CREATE TABLE nodes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL,
        started_at bigint NOT NULL DEFAULT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint),
        backend bigint NOT NULL, signs bigint NOT NULL DEFAULT 0
    );
    CREATE TABLE commits (
        number bigint PRIMARY KEY, node bigint NOT NULL,
        at bigint NOT NULL DEFAULT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint),
        note text COLLATE "C" NOT NULL, mark bigint NOT NULL
    );

    INSERT INTO meta VALUES ('epoch', replace(gen_random_uuid()::text, '-', ''));
    """)
