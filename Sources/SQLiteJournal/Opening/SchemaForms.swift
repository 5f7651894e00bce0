/// What is said of a question set (`SetWords`).
let schemaForms = Migration("ALTER TABLE question_sets ADD COLUMN about TEXT NOT NULL DEFAULT '{}';")

/// Answers that wait for a group of their own (`TallyRecord.waiting`).
let schemaSmallGroups = Migration("ALTER TABLE tallies ADD COLUMN waiting TEXT NOT NULL DEFAULT '[]';")

/// Forms that anybody may answer (`PublishedForm`), and how many of a set's responses came so.
let schemaPublishedForms = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN published_as TEXT;
    ALTER TABLE question_sets ADD COLUMN without_receipt INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX question_sets_published ON question_sets (published_as) WHERE published_as IS NOT NULL;
    """)

/// Whether a set's results have been final once (`QuestionSet.restIsShown`). Of sets from before: a number of
/// shown responses that is no multiple of three tells it, and so does a shuffle in a window that is over now.
/// Of fewer than three, nothing was seen.
let schemaSecondRounds = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN rest_shown INTEGER NOT NULL DEFAULT 0;
    UPDATE question_sets SET rest_shown = 1
    WHERE anonymous = 1 AND published_responses >= 3 AND (published_responses % 3 <> 0 OR sealed = 1 AND EXISTS (
        SELECT 1 FROM sessions s WHERE s.id = question_sets.session
            AND s.ends_at + s.feedback_closes_hours_after * 3600000 < unixepoch() * 1000));
    """)
