/// One entry of the action log: somebody used a right over accounts, members, links or personal data. The log
/// has ids only, so that it outlives the erasure of the people whom it mentions.
package struct ActionRecord: Hashable, Sendable {
    /// The kinds of actions. The order of the cases is part of the file format.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        /// A person's data was exported, or erased.
        case exported, erased
        case memberInvited, invitationRevoked, invitationAccepted, roleChanged, memberRemoved
        case presenterLinkCreated, presenterLinkRevoked
        case accountCreated, accountInvited, accountSuspended, accountResumed, passwordReset, operatorMade
        case accountDeleted
        /// The retention period of a session was over, so the server deleted the session.
        case sessionExpired
        /// The codes of all sessions of a meeting were renewed.
        case codesRenewed
        /// Mails about a meeting wait, because its owner has reached the limit of a day.
        case mailsLimited
        /// An address outside the server gets events of a meeting, another secret, or no more events.
        case webhookAdded, webhookRotated, webhookDeleted
        /// The retention period of the names of a session was over, so the server deleted them.
        case namesDeleted
        /// People of a roster have got passes, or lost one, or another key signs the passes.
        case passesCreated, passRevoked, passRenewed, passKeyReplaced
        /// Each pass of a meeting was replaced.
        case passesRenewed
        /// People have got certificates, or mails with them, or lost one, or another key signs certificates.
        case certificatesIssued, certificatesMailed, certificateRevoked, certificateKeyReplaced
        /// A session has got an offline door, or a laptop has joined as one, or it was revoked, or a host has
        /// decided about its late entries.
        case satelliteAdded, satelliteJoined, satelliteRevoked, heldEntriesAccepted, heldEntriesRejected

        /// The word for programs, for example `roleChanged`.
        package var word: String { String(describing: self) }
    }

    /// The person or program that acts.
    package typealias Actor = Event.Actor

    package let id: ActionID
    package let at: Instant
    package let kind: Kind
    /// `attendee` for the holder of a receipt. `server` for the operator at the data folder, and for the
    /// server itself.
    package let actor: Actor
    /// The meeting to which the action belongs; nil if it belongs to the server.
    package let meeting: MeetingID?
    /// The account that the action changes; nil if there is none.
    package let account: AccountID?
    /// The role that the action gives; nil if it gives none.
    package let role: Role?

    package init(
        id: ActionID, at: Instant, kind: Kind, actor: Actor, meeting: MeetingID? = nil,
        account: AccountID? = nil, role: Role? = nil
    ) {
        self.id = id
        self.at = at
        self.kind = kind
        self.actor = actor
        self.meeting = meeting
        self.account = account
        self.role = role
    }
}

package typealias ActionID = ID<ActionRecord>
