internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum MemberCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Correct

    private static let meeting = CommandDeclaration.Positional("MEETING", Help.meeting)
    private static let member = CommandDeclaration.Positional("EMAIL", Messages.member)
    private static let role = CommandDeclaration.Option.oneOf(
        "role", Role.allCases.map(\.rawValue), Messages.roleOption)

    package static let all = [
        CommandDeclaration(
            "meeting members list", Messages.members,
            examples: [.init("meeting members list \"Study group\"", Messages.members)],
            positionals: [.init("MEETING", Help.meeting, required: false)],
            options: [.json(of: MembersBody.self)], run: list),
        CommandDeclaration(
            "meeting members invite", Messages.invite,
            examples: [.init("meeting members invite @ lee@example.org --role host", Messages.invite)],
            positionals: [meeting, member],
            options: [role, .flag("mail", Messages.inviteByMail), .json(of: MeetingInvitationBody.self)],
            run: invite),
        CommandDeclaration(
            "meeting members role", Messages.role,
            examples: [.init("meeting members role @ lee@example.org --role viewer", Messages.role)],
            positionals: [meeting, member], options: [role, .ifVersion, .json(of: MemberBody.self)],
            needs: [.one(of: "role")],
            run: changeRole),
        CommandDeclaration(
            "meeting members remove", Messages.removeMember,
            examples: [.init("meeting members remove @ lee@example.org", Messages.removeMember)],
            positionals: [meeting, member], run: remove),
        CommandDeclaration(
            "meeting members leave", Messages.leave,
            examples: [.init("meeting members leave \"Study group\"", Messages.leave)],
            positionals: [meeting], run: leave),
        CommandDeclaration(
            "meeting invitations", Messages.received,
            examples: [.init("meeting invitations", Messages.received)],
            options: [.json(of: MeetingInvitationBody.self)], run: received),
        CommandDeclaration(
            "meeting accept", Messages.accept, examples: [.init("meeting accept qmi_…", Messages.accept)],
            positionals: [.init("INVITATION", Messages.invitation)], options: [.json(of: MeetingBody.self)],
            run: accept),
        CommandDeclaration(
            "meeting image set", Messages.imageSet,
            examples: [.init("meeting image set @ poster.png", Messages.imageSet)],
            positionals: [meeting, .init("FILE", Messages.file)], run: setImage),
        CommandDeclaration(
            "meeting image get", Messages.imageGet,
            examples: [.init("meeting image get @ poster.png", Messages.imageGet)],
            positionals: [meeting, .init("FILE", Messages.file)], run: getImage),
        CommandDeclaration(
            "meeting image remove", Messages.imageRemove,
            examples: [.init("meeting image remove @", Messages.imageRemove)], positionals: [meeting],
            options: [.yes], run: removeImage),
    ]

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = try await meeting(call, host)
        let found = try await calling { () async throws(APIError) in try await host.members(of: id) }
        if call.wantsJSON {
            call.json(found)
            return .success
        }
        var table = Table([Messages.headName, Messages.headEmail, Messages.headRole].map { call.text($0) })
        for member in found.items {
            table.add([member.name, member.email, call.text(member.role.phrase)])
        }
        for invitation in found.invitations ?? [] {
            let waits = call.text(Messages.waiting, ["time": invitation.expiresAt.wall(in: .current)])
            table.add(["–", invitation.email, "\(call.text(invitation.role.phrase)) (\(waits))"])
        }
        call.out(table)
        return .success
    }

    private static func invite(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let (id, email) = (try await meeting(call, host), call.arguments.positional("EMAIL") ?? "")
        let role = call.choice("role", of: Role.self) ?? .host
        let sendMail = call.arguments.has("mail")
        let made = try await calling { () async throws(APIError) in
            try await host.invite(email, as: role, to: id, sendMail: sendMail)
        }
        if call.wantsJSON {
            call.json(made)
            return .success
        }
        call.out(
            Messages.invited,
            [
                "email": TerminalEscaping.safe(made.email), "role": call.text(made.role.phrase),
                "invitation": made.invitation ?? made.id.text,
            ])
        if let mailed = made.mailed {
            call.note(mailed ? Messages.invitationMailed : Messages.invitationNotMailed)
        }
        if let name = made.accountName {
            call.out(Messages.hasAccount, ["name": TerminalEscaping.safe(name)])
        }
        return .success
    }

    private static func changeRole(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let role = call.choice("role", of: Role.self) ?? .viewer
        let id = try await meeting(call, host)
        let old = try await found(call, host, id)
        let seen = try call.seen(old.version)
        let changed = try await calling { () async throws(APIError) in
            try await host.changeRole(of: old.accountId, to: role, in: id, seen: seen)
        }
        ChangedFields.show(call, [("role", old.role.rawValue, changed.role.rawValue)])
        if call.wantsJSON {
            call.json(changed)
        } else {
            call.out(
                Messages.isMember,
                [
                    "email": TerminalEscaping.safe(changed.email),
                    "role": call.text(changed.role.phrase),
                ])
        }
        return .success
    }

    private static func remove(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let (id, email) = (try await meeting(call, host), call.arguments.positional("EMAIL") ?? "")
        let found = try await calling { () async throws(APIError) in try await host.members(of: id) }
        if let invitation = found.invitations?.first(where: { IdentityKey($0.email) == IdentityKey(email) }) {
            try await calling { () async throws(APIError) in
                try await host.revokeInvitation(invitation.id, of: id)
            }
        } else {
            let account = try await self.found(call, host, id).accountId
            try await calling { () async throws(APIError) in try await host.removeMember(account, from: id) }
        }
        call.out(Messages.isRemoved, ["email": TerminalEscaping.safe(email)])
        return .success
    }

    private static func leave(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = try await meeting(call, host)
        let me = try await calling { () async throws(APIError) in try await host.me() }
        try await calling { () async throws(APIError) in try await host.removeMember(me.id, from: id) }
        call.out(Messages.hasLeft)
        return .success
    }

    private static func received(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let found = try await calling { () async throws(APIError) in try await host.receivedInvitations() }
        if call.wantsJSON {
            call.json(found)
            return .success
        }
        guard !found.items.isEmpty else {
            call.note(CommandPhrases.Messages.nothing)
            return .success
        }
        var table = Table([Messages.headMeeting, Messages.headRole, Messages.headID].map { call.text($0) })
        for invitation in found.items {
            table.add([
                invitation.meetingName ?? "", call.text(invitation.role.phrase),
                invitation.id.text,
            ])
        }
        call.out(table)
        return .success
    }

    private static func accept(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, written) = (try call.host(), call.arguments.positional("INVITATION") ?? "")
        let joined = try await calling { () async throws(APIError) in try await host.accept(written) }
        if call.wantsJSON {
            call.json(joined)
        } else {
            call.out(
                Messages.joined,
                [
                    "role": call.text(joined.role.phrase),
                    "name": TerminalEscaping.safe(joined.name),
                ])
        }
        return .success
    }

    // MARK: The meeting's image

    private static func setImage(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = try await meeting(call, host)
        let bytes = try await call.contents(of: call.arguments.positional("FILE") ?? "-")
        do throws(APIError) {
            try await host.setImage(bytes, of: id, seen: .nothing)
            call.out(Messages.imageIsSet)
        } catch {
            // The meeting already has an image. Replace it, and inform the user.
            guard error.code == .versionMismatch else { throw .api(error) }
            try await calling { () async throws(APIError) in
                try await host.setImage(bytes, of: id, seen: .anything)
            }
            call.out(Messages.imageIsReplaced)
        }
        return .success
    }

    private static func getImage(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = try await meeting(call, host)
        let bytes = try await calling { () async throws(APIError) in try await host.image(of: id) }
        try call.write(bytes, to: call.arguments.positional("FILE") ?? "-")
        return .success
    }

    private static func removeImage(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = try await meeting(call, host)
        try await Deletion.confirm(call, call.text(Messages.theImage), data: Deletion.ofImage)
        try await calling { () async throws(APIError) in try await host.removeImage(of: id) }
        call.out(Messages.imageIsGone)
        return .success
    }

    // MARK: Reading arguments

    private static func meeting(_ call: Invocation, _ host: APIClient) async throws(CommandFailure)
        -> MeetingID
    {
        try await Reference("MEETING", of: call, host).meeting()
    }

    private static func found(_ call: Invocation, _ host: APIClient, _ id: MeetingID)
        async throws(CommandFailure) -> MemberBody
    {
        let email = call.arguments.positional("EMAIL") ?? ""
        let members = try await calling { () async throws(APIError) in try await host.members(of: id) }.items
        guard let found = members.first(where: { IdentityKey($0.email) == IdentityKey(email) }) else {
            throw .said(
                .notFound, Messages.noMember, ["text": TerminalEscaping.safe(email)],
                next: "qring meeting members list")
        }
        return found
    }
}

extension CommandPhrases.Correct {
    static let members = Phrase("list the members of a meeting")
    static let invite = Phrase("invite a person by e-mail address")
    static let inviteByMail = Phrase("send the invitation by mail")
    static let invitationMailed = Phrase(
        "The person also gets the invitation by mail, if the address accepts mails.")
    static let invitationNotMailed = Phrase(
        "No mail was sent, because your daily limit is reached. Send the command yourself.")
    static let role = Phrase("change a member's role")
    static let roleOption = Phrase("the member's role; a steward only lets people in and out at the door")
    static let removeMember = Phrase("remove a member, or revoke an invitation")
    static let leave = Phrase("leave a meeting")
    static let accept = Phrase("accept an invitation to a meeting")
    static let received = Phrase("invitations that you have received")
    static let invitation = Phrase("the invitation that you received, or its id")
    static let member = Phrase("the member's e-mail address")
    static let imageSet = Phrase("set a meeting's image, JPEG or PNG")
    static let imageGet = Phrase("save the meeting's image to a file")
    static let theImage = Phrase("the meeting's image")
    static let imageRemove = Phrase("remove the meeting's image")
    static let file = Phrase("a file, or - for standard input or output")
    static let noMember = Phrase("no member of the meeting has the address {text}.")
    static let invited = Phrase(
        "{email} is invited as {role}. Copy this command and send it yourself: qring meeting accept "
            + "{invitation}")
    static let hasAccount = Phrase(
        "{name} has an account with this address, and can already see the invitation.")
    static let isMember = Phrase("{email} is now {role}.")
    static let isRemoved = Phrase("{email} is no longer a member.")
    static let hasLeft = Phrase("You have left the meeting.")
    static let joined = Phrase("You are now {role} of {name}.")
    static let imageIsSet = Phrase("The meeting has a new image.")
    static let imageIsReplaced = Phrase("The meeting's image was replaced.")
    static let imageIsGone = Phrase("The meeting's image was removed.")
    static let waiting = Phrase("invited until {time}")
    static let headName = Phrase("NAME")
    static let headEmail = Phrase("E-MAIL")
    static let headRole = Phrase("ROLE")
    static let headMeeting = Phrase("MEETING")
    static let headID = Phrase("ID")
}
