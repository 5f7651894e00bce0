/// When a host decides about the texts that attendees write as answers to a set.
package enum TextModeration: String, Hashable, Sendable, Codable, CaseIterable {
    /// Texts are shown as soon as their responses are published. A host can hide a text afterwards.
    case none
    /// A text is pending until a host shows it.
    case before
    /// As `none`, but a text with a word of the meeting's list is pending until a host shows it.
    case after

    /// The status of a text about which neither a host nor a held word has decided.
    package var initialStatus: TextStatus { self == .before ? .pending : .visible }
}

/// Whether shared results contain a text.
package enum TextStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Held back until a host shows it. Only members see it.
    case pending
    case visible
    /// Hidden by a host. Only members see it.
    case hidden
}
