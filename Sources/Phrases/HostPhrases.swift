extension Phrase {
    /// The texts of the host's page, by the name that its scripts use: `t("save")`. Each view has its own
    /// catalogue.
    package enum Host {
        /// Every text of the host's page. Traps if two catalogues have the same name.
        package static let all: [String: Phrase] = Dictionary(
            uniqueKeysWithValues: catalogues.joined().map {
                ($0.key, $0.value)
            })

        private static let catalogues = [
            frame, account, meeting, session, questions, audience, groups, replies, journal,
            operators, Record.named("action", Record.actions),
            Record.named("phase", Record.phases),
            Record.named("count", Record.statuses), Record.named("leaving", Record.checkOuts),
            Record.named("role", Record.roles),
            Record.named("event", Record.events), Record.named("field", Record.fields),
        ]
    }
}
