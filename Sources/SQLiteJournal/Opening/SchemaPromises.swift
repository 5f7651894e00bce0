/// Whether a set was opened or shown, so that attendees rely on what it says of names (`QuestionSet.anonymityIsFixed`). Of sets from before: a
/// set that a host opened or closed by hand, or that has responses, counts as shown. The clock tells of the others.
let schemaPromises = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN anonymity_fixed INTEGER NOT NULL DEFAULT 0;
    UPDATE question_sets SET anonymity_fixed = 1 WHERE responses > 0 OR open_by_hand IS NOT NULL;
    """)
