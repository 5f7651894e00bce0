/// The texts of a session's review: unusual activity and the journal.
extension Phrase.Host {
    package static let journal: [String: Phrase] = [
        "earlier": Phrase("Earlier", context: "journal"),
        "evidenceOnly": Phrase("These are hints to check, not verdicts. They exclude nobody."),
        "journal": Phrase("Journal"),
        "mergedWith": Phrase("with {name}"),
        "undoLatest": Phrase("Undo the latest change"),
        "lookAgain": Phrase("Check again"),
        "nothingUnusual": Phrase("Nothing unusual was found."),
        "recomputed": .Record.recomputed,
        "unusual": Phrase("Unusual activity"),
    ]
}
