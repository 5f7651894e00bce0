extension Account {
    /// The voluntary personal data of an account. A field is nil if the person did not give it.
    package struct Profile: Hashable, Sendable, Codable {
        /// The birth date, for example `2001-05-20`.
        package var birthDate: String?
        /// A phone number in the form of E.164 (`PhoneNumber`). Older accounts may have another text.
        package var phone: String?
        /// The person's interests: at most `mostInterests` texts.
        package var interests: [String]?
        package var locale: String?
        /// The gender as the person wrote it; pages and commands offer `Gender`.
        package var gender: String?
        /// The moment when the person accepted the operator's terms; nil if no terms were shown.
        package var termsAcceptedAt: Instant?
        /// The name under which the person meets strangers in groups of interest.
        package var nickname: String?
        /// Whether the form of groups of interest may begin with the nickname, the interests and the ages.
        /// Nil means no.
        package var searchable: Bool?
        /// The ages of the people who may find this person in groups of interest; nil for all ages.
        package var ageRange: AgeRange?
        /// Whether the person wants the mails of meetings: reminders, open feedback, changes. Nil means yes.
        package var notifications: Bool?

        /// The most interests, and the most characters of an interest.
        package static let mostInterests = (count: 20, characters: 50)
        package static let mostGenderCharacters = 30

        package init(
            birthDate: String? = nil, phone: String? = nil, interests: [String]? = nil, locale: String? = nil,
            gender: String? = nil, nickname: String? = nil, searchable: Bool? = nil,
            ageRange: AgeRange? = nil, notifications: Bool? = nil
        ) {
            self.birthDate = birthDate
            self.phone = phone
            self.interests = interests
            self.locale = locale
            self.gender = gender
            self.nickname = nickname
            self.searchable = searchable
            self.ageRange = ageRange
            self.notifications = notifications
        }

        /// Returns a copy of this profile in which every field that `newer` gives replaces the old value, and
        /// the fields of `cleared` are empty.
        package func updated(with newer: Profile, clearing cleared: Set<Field> = []) -> Profile {
            var updated = self
            updated.birthDate = newer.birthDate ?? birthDate
            updated.phone = newer.phone ?? phone
            updated.interests = newer.interests ?? interests
            updated.locale = newer.locale ?? locale
            updated.gender = newer.gender ?? gender
            updated.termsAcceptedAt = newer.termsAcceptedAt ?? termsAcceptedAt
            updated.nickname = newer.nickname ?? nickname
            updated.searchable = newer.searchable ?? searchable
            updated.ageRange = newer.ageRange ?? ageRange
            updated.notifications = newer.notifications ?? notifications
            for field in cleared {
                switch field {
                case .birthDate: updated.birthDate = nil
                case .phone: updated.phone = nil
                case .gender: updated.gender = nil
                case .nickname: updated.nickname = nil
                case .ageRange: updated.ageRange = nil
                }
            }
            return updated
        }

        /// Returns the person's age in whole years; nil without a birth date, or if it is in the future.
        package func age(on day: CivilDate) -> Int? {
            guard let birth = birthDate.flatMap({ CivilDate($0) }) else { return nil }
            let hadBirthday = (day.month, day.day) >= (birth.month, birth.day)
            let age = day.year - birth.year - (hadBirthday ? 0 : 1)
            return age < 0 ? nil : age
        }
    }
}

extension Account.Profile {
    /// The fields that an edit can empty, by their names in the API.
    package enum Field: String, Sendable, CaseIterable { case birthDate, phone, gender, nickname, ageRange }

    /// The genders that pages and commands offer. The API accepts any short text.
    package enum Gender: String, Sendable, CaseIterable { case female, male, other }
}

/// A range of ages in years. Both ends are included.
package struct AgeRange: Hashable, Sendable, Codable {
    package let min: Int
    package let max: Int

    /// The ages that a range may contain.
    package static let allowed = 1...120
    package static let all = AgeRange(min: allowed.lowerBound, max: allowed.upperBound)

    package init(min: Int, max: Int) {
        self.min = min
        self.max = max
    }
}
