extension Phrase.Page {
    /// The texts of the examples with which hosts ask a question at once. The host's page sends them in all
    /// languages, so that each phone shows its own.
    package static let examples: [String: Phrase] = [
        "clear": Phrase("Is everything clear so far?"),
        "clearNo": Phrase("Not yet"),
        "clearPartly": Phrase("Partly"),
        "clearYes": Phrase("Yes, all of it"),
        "open": Phrase("What would you like to ask?"),
        "pace": Phrase("How is the pace?"),
        "paceFast": Phrase("Too fast"),
        "paceRight": Phrase("Just right"),
        "paceSlow": Phrase("Too slow"),
        "rating": Phrase("How do you like it so far?"),
        "scale": Phrase("How sure do you feel about this?"),
        "scaleHigh": Phrase("Very sure"),
        "scaleLow": Phrase("Not at all"),
        "words": Phrase("Which word comes to your mind first?"),
        "yesNo": Phrase("Do you agree?"),
    ]
}
