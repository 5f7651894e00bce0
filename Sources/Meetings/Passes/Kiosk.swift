import UnicodeForms

/// The rules of a kiosk: a screen at which guests check themselves in. Nobody stands beside it, so it shows
/// no list, and of a name no more than a guest has typed.
package enum Kiosk {
    /// The fewest characters that find a longer name. A shorter name is found by all of it, because many
    /// Korean names have two characters.
    package static let fewestCharacters = 3
    /// The number of characters of a number or address that tell people of the same name apart.
    package static let endingLength = 2

    /// Returns the people whom a typed name finds.
    /// - Parameters:
    ///   - ending: what the guest has typed to tell people of the same name apart; nil if nothing.
    ///   - areAll: whether `attendees` holds everybody whose name can match.
    package static func find(
        _ name: KioskName, ending: String?, among attendees: [Attendee], areAll: Bool
    ) -> Found {
        let whole = attendees.filter { name.match($0.name) == .whole }
        guard whole.isEmpty else {
            guard areAll else { return .more }
            let matching = whole.filter { one in ending.map { isEnding($0, of: one.identity) } ?? true }
            if matching.count == 1 { return .one(matching[0], .whole) }
            if matching.isEmpty { return .nobody }
            let canBeToldApart = ending == nil && whole.contains { !$0.identity.isEmpty }
            return canBeToldApart ? .severalOfName : .askStaff
        }
        if ending != nil { return .nobody }
        guard name.count >= fewestCharacters else { return .tooShort }
        let found = attendees.filter { name.match($0.name) == .beginning }
        guard found.count < 2, areAll else { return .more }
        return found.first.map { .one($0, .beginning) } ?? .nobody
    }

    package enum Found: Hashable, Sendable {
        case nobody
        /// Nobody has this short name, and it is too short to look for longer ones.
        case tooShort
        case one(Attendee, KioskName.Match)
        /// Several names match, and they differ in what the guest has not typed yet.
        case more
        case severalOfName
        case askStaff
    }

    /// Whether a guest who has this number or address has typed this: the last characters of a number, or the
    /// first ones of an address, whose last ones are the same for many.
    package static func isEnding(_ typed: String, of identity: String) -> Bool {
        guard !identity.isEmpty else { return false }
        let part = identity.contains("@") ? identity.prefix(endingLength) : identity.suffix(endingLength)
        return IdentityKey(typed) == IdentityKey(String(part))
    }
}

/// A name, or its beginning, as a guest has typed it at a kiosk.
package struct KioskName: Hashable, Sendable {
    /// The text with single spaces between its words.
    package let typed: String
    private let folded: String

    /// How much of a name was typed.
    package enum Match: Sendable { case whole, beginning }

    package init(_ typed: String) {
        self.typed = Self.spaced(typed)
        folded = Self.spaced(typed.caseFolded)
    }

    /// What a search looks for. The spaces in a stored name can be others than in the typed one.
    package var longestWord: String {
        let words: [Substring] = typed.split(separator: " ")
        return words.max { $0.count < $1.count }.map { String($0) } ?? typed
    }

    /// The number of typed characters.
    package var count: Int { folded.count }

    /// Returns how much of the name was typed; nil if neither the name nor a word in it begins with the text.
    package func match(_ name: String) -> Match? {
        guard !folded.isEmpty, name != Attendee.deletedName else { return nil }
        let name = Self.spaced(name.caseFolded)
        if name == folded { return .whole }
        guard count >= Kiosk.fewestCharacters else { return nil }
        var isInWord = false
        for index in name.indices {
            if !isInWord, name[index...].hasPrefix(folded) { return .beginning }
            isInWord = name[index].isLetter || name[index].isNumber
        }
        return nil
    }

    /// Returns what a kiosk shows of the name.
    package func shown(of name: String, _ match: Match) -> String { match == .whole ? name : "\(typed)…" }

    private static func spaced(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// What a kiosk says to a guest.
package enum KioskState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The guest is checked in now.
    case welcome
    /// The guest was checked in before, and is inside if the session records leaving.
    case alreadyIn
    /// The guest had left, and is inside again.
    case returned
    /// One person has this name. The guest must say whether this is the own one.
    case confirm
    /// The guest must type more of the name.
    case more
    /// Several people have this name. The guest must type a part of the own number or address.
    case ending
    /// Nobody of this session has this name or number.
    case nobody
    /// The scanned text is no pass.
    case noPass
    /// It is not the time for check-in.
    case notNow
    /// Only the staff can help, for example with a revoked pass.
    case askStaff
}
