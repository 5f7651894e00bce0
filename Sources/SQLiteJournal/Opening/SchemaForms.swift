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
