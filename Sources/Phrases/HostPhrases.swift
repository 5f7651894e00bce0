extension Phrase {
    /// The texts of the host's page by name, as its scripts ask for them: `t("save")`. Each view has a
    /// catalogue.
    package enum Host {
        /// Every text of the host's page. Traps if two catalogues have the same name.
        package static let all: [String: Phrase] = Dictionary(
            uniqueKeysWithValues: [frame, account, meeting, session, questions, journal].joined().map {
                ($0.key, $0.value)
            })
    }
}
