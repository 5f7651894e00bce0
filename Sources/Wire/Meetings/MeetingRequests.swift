package import Meetings
package import Phrases

/// The request that creates a meeting with its first session.
package struct CreateMeetingRequest: Readable, Sendable {
    package let name: String
    package let timeZone: Zone
    package let plannedCount: Int
    package let identifyBy: IdentifyBy
    package let regulars: Regulars
    /// The language for attendees who request no language of the product.
    package let language: Language?
    package let accent: Accent?
    /// The text that attendees must agree to; empty for none.
    package let consentText: String
    package let description: String
    package let place: String
    package let session: SessionRequest?

    package init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        timeZone = fields.zone("timeZone") ?? .utc
        plannedCount = fields.integer("plannedCount", 0...100_000) ?? 0
        identifyBy = fields.choice("identifyBy", of: IdentifyBy.self) ?? .email
        regulars = fields.choice("regulars", of: Regulars.self) ?? .kept
        language = fields.choice("language", of: Language.self)
        accent = fields.choice("accent", of: Accent.self)
        consentText = fields.line("consentText", most: Consent.lengths.upperBound) ?? ""
        description = fields.text("description", 0...2000) ?? ""
        place = fields.line("place", most: 200) ?? ""
        session = fields.object("session", as: SessionRequest.self, required: true)
    }
}

/// The request that edits a meeting or renews its code, or the codes of all its sessions. Absent
/// fields keep their values.
package struct EditMeetingRequest: Readable, Sendable {
    package let name: String?
    package let description: String?
    package let place: String?
    package let timeZone: Zone?
    package let identifyBy: IdentifyBy?
    package let regulars: Regulars?
    package let reminders: Reminders?
    package let language: Replacement<Language>?
    package let accent: Replacement<Accent>?
    /// The new text that attendees must agree to. An empty text ends the consent, as null does.
    package let consentText: Replacement<String>?
    package let absenceRule: AbsenceRuleChange?
    package let renewCode: Bool
    /// Whether to renew the meeting code and the codes of all sessions.
    package let renewAllCodes: Bool
    /// Whether to revoke the presenter links of all sessions.
    package let revokePresenterLinks: Bool

    package init(reading fields: Fields) {
        name = fields.name("name")
        description = fields.text("description", 0...2000)
        place = fields.line("place", most: 200)
        timeZone = fields.zone("timeZone")
        identifyBy = fields.choice("identifyBy", of: IdentifyBy.self)
        regulars = fields.choice("regulars", of: Regulars.self)
        reminders = fields.choice("reminders", of: Reminders.self)
        language = fields.replacement("language", of: Language.self)
        accent = fields.replacement("accent", of: Accent.self)
        let text = fields.line("consentText", most: Consent.lengths.upperBound)
        consentText =
            fields.isNull("consentText") || text?.isEmpty == true ? .removed : text.map { .value($0) }
        let rule = fields.object("absenceRule", as: AbsenceRuleRequest.self)
        absenceRule = fields.isNull("absenceRule") ? .removed : rule?.change
        renewCode = fields.bool("renewCode") ?? false
        renewAllCodes = fields.bool("renewAllCodes") ?? false
        revokePresenterLinks = fields.bool("revokePresenterLinks") ?? false
    }
}
