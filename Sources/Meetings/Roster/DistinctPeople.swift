/// Finds people who are given twice: two entries with one e-mail address or number. Names may repeat:
/// people's do.
package struct DistinctPeople {
    private var emails: [IdentityKey: String] = [:]
    private var numbers: [IdentityKey: String] = [:]

    package init() {}

    /// What this entry repeats of an earlier one, by the pointer of that one.
    package mutating func repeats(of draft: PersonDraft, at pointer: String) -> [FieldError] {
        var errors: [FieldError] = []
        if let key = draft.emailKey {
            if let first = emails[key] { errors.append(FieldError("\(pointer)/email", .sameAs(first))) }
            emails[key] = emails[key] ?? pointer
        }
        if let key = draft.numberKey {
            if let first = numbers[key] { errors.append(FieldError("\(pointer)/number", .sameAs(first))) }
            numbers[key] = numbers[key] ?? pointer
        }
        return errors
    }
}
