/// Stores whether a set was opened or shown, which fixes its anonymity (`QuestionSet.anonymityIsFixed`). An
/// older set counts as shown if a host opened or closed it by hand, or if it has responses. For other sets
/// the clock decides.
let schemaPromises = Migration(
    """
    ALTER TABLE question_sets ADD COLUMN anonymity_fixed INTEGER NOT NULL DEFAULT 0;
    UPDATE question_sets SET anonymity_fixed = 1 WHERE responses > 0 OR open_by_hand IS NOT NULL;
    """)
