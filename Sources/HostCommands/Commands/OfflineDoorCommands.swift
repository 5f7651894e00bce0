internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for offline doors: laptops that let people in without a network.
package enum OfflineDoorCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.OfflineDoors

    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let door = CommandDeclaration.Positional("OFFLINE-DOOR", Messages.door)

    package static let all = [
        CommandDeclaration(
            "offline-door add", Messages.add,
            examples: [
                .init("offline-door add @ --door 2 --name \"Gate 1\"", Messages.addExample),
                .init("offline-door add @ --door 2 --name \"Gate 1\" --names", Messages.namesExample),
            ], positionals: [session], changesSession: true,
            options: [
                .value("door", "NUMBER", Messages.number), .value("name", "NAME", Messages.name),
                .flag("names", Messages.names), .flag("numbers", Messages.numbers),
                .json(of: SatelliteCreatedBody.self),
            ], notes: Messages.notes, run: add),
        CommandDeclaration(
            "offline-door list", Messages.list, examples: [.init("offline-door list @", Messages.list)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.json(of: SatellitesBody.self)], run: list),
        CommandDeclaration(
            "offline-door revoke", Messages.revoke,
            examples: [.init("offline-door revoke @ \"Gate 1\"", Messages.revokeExample)],
            positionals: [session, door], changesSession: true, run: revoke),
        CommandDeclaration(
            "offline-door doubles", Messages.doubles,
            examples: [.init("offline-door doubles @", Messages.doubles)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.json(of: Page<DoorDoubleBody>.self)], usesPager: true, run: doubles),
        CommandDeclaration(
            "offline-door accept", Messages.accept,
            examples: [.init("offline-door accept @ \"Gate 1\"", Messages.accept)],
            positionals: [session, door], changesSession: true,
            options: [.json(of: HeldEntriesBody.self)],
            run: { (call: Invocation) async throws(CommandFailure) in
                try await decide(call, accept: true)
            }),
        CommandDeclaration(
            "offline-door reject", Messages.reject,
            examples: [.init("offline-door reject @ \"Gate 1\"", Messages.reject)],
            positionals: [session, door], changesSession: true,
            options: [.json(of: HeldEntriesBody.self)],
            run: { (call: Invocation) async throws(CommandFailure) in
                try await decide(call, accept: false)
            }),
    ]

    private static func add(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let number = try call.integer("door", Door.numbers) ?? 1
        let session = try await Reference("SESSION", of: call, host).session()
        let new = NewSatellite(
            name: call.arguments.value("name") ?? call.text(Messages.defaultName, ["door": String(number)]),
            door: number, names: call.arguments.has("names"), numbers: call.arguments.has("numbers"))
        let added = try await calling { () async throws(APIError) in
            try await host.addSatellite(new, to: session.id)
        }
        if call.wantsJSON {
            call.json(added)
            return .success
        }
        call.out("qring door --of \(host.server.url) --join \(grouped(added.code))")
        call.note(Messages.added, ["time": WallTime(added.codeExpiresAt, in: .current).text])
        if let key = added.key {
            call.out(Messages.key, ["key": grouped(key)])
            call.note(Messages.keyNote)
        }
        return .success
    }

    /// Returns a code in groups of five characters, which people can read and type.
    private static func grouped(_ code: String) -> String {
        var groups: [Substring] = []
        var rest = code[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(5))
            rest = rest.dropFirst(5)
        }
        return groups.joined(separator: "-")
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        let found = try await calling { () async throws(APIError) in try await host.satellites(of: session.id)
        }
        if call.wantsJSON {
            call.json(SatellitesBody(found))
            return .success
        }
        guard !found.isEmpty else {
            call.noteNothing(isSearch: false)
            return .success
        }
        var table = Table(
            [
                Messages.headDoor, CommandPhrases.Messages.headName, Messages.headState, Messages.headSeen,
                Messages.headClock, Messages.headEntries, Messages.headHeld, CommandPhrases.Messages.headID,
            ].map { call.text($0) }, main: 1)
        for door in found {
            table.add(
                [
                    String(door.door), door.name, call.text(Messages.state(door.state)),
                    door.seenAt.map { WallTime($0, in: .named(session.timeZone)).text } ?? "",
                    door.clockAheadMilliseconds.map(seconds) ?? "", String(door.entries), String(door.held),
                    door.id.text,
                ], [2: door.state == .joined ? .good : door.state == .waiting ? .notice : .bad])
        }
        call.out(table)
        return .success
    }

    /// Returns a clock difference in seconds with its sign.
    private static func seconds(_ milliseconds: Int64) -> String {
        let tenths = (milliseconds.magnitude + 50) / 100
        guard tenths > 0 else { return "0 s" }
        return "\(milliseconds < 0 ? "−" : "+")\(tenths / 10).\(tenths % 10) s"
    }

    private static func revoke(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session, door) = try await named(call)
        try await calling { () async throws(APIError) in
            try await host.revokeSatellite(door.id, of: session.id)
        }
        call.note(Messages.revoked, ["name": TerminalEscaping.safe(door.name)])
        return .success
    }

    private static func doubles(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        let found = try await calling { () async throws(APIError) in
            try await host.satelliteDoubles(of: session.id)
        }
        if call.wantsJSON {
            call.json(Page(items: found, nextCursor: nil))
            return .success
        }
        guard !found.isEmpty else {
            call.note(Messages.noDoubles)
            return .success
        }
        var table = Table(
            [
                CommandPhrases.Messages.headName, Messages.headFirst, Messages.headSecond,
            ].map { call.text($0) }, main: 0)
        for double in found.sorted(by: { $0.second.at < $1.second.at }) {
            table.add([
                double.name, move(double.first, session, call), move(double.second, session, call),
            ])
        }
        call.out(table)
        return .success
    }

    /// Returns the time and the place of a way in, with the clock difference of the laptop.
    private static func move(
        _ move: DoorDoubleBody.Move, _ session: SessionBody, _ call: Invocation
    ) -> String {
        let time = WallTime(move.at, in: .named(session.timeZone)).text
        let place =
            if let name = move.satelliteName {
                call.text(
                    Messages.atOfflineDoor,
                    [
                        "door": move.door.map(String.init) ?? "", "name": name,
                        "clock": seconds(move.clockAheadMilliseconds ?? 0),
                    ])
            } else if let door = move.door {
                call.text(Messages.atDoor, ["door": String(door)])
            } else {
                call.text(Messages.elsewhere)
            }
        return "\(time) \(place)"
    }

    private static func decide(_ call: Invocation, accept: Bool) async throws(CommandFailure) -> ExitCode {
        let (host, session, door) = try await named(call)
        var decided = 0
        var hasMore = true
        while hasMore {
            let part = try await calling { () async throws(APIError) in
                try await host.decideHeld(door.id, of: session.id, accept: accept)
            }
            decided += part.decided
            hasMore = part.hasMore
        }
        if call.wantsJSON {
            call.json(HeldEntriesBody(decided: decided, hasMore: false))
        } else {
            call.note(
                accept ? Messages.accepted : Messages.rejected,
                ["count": String(decided), "name": TerminalEscaping.safe(door.name)])
        }
        return .success
    }

    /// Returns the offline door that the user names by its name or id.
    private static func named(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, SessionBody, SatelliteBody
    ) {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        let word = call.arguments.positional("OFFLINE-DOOR") ?? ""
        let all = try await calling { () async throws(APIError) in try await host.satellites(of: session.id) }
        let found = all.filter {
            $0.id.text == word.uppercased() || $0.name.lowercased() == word.lowercased()
        }
        guard let only = found.first else {
            throw .said(
                .notFound, Messages.unknown, ["name": TerminalEscaping.safe(word)],
                next: "qring offline-door list")
        }
        guard found.count == 1 else {
            throw .said(
                .usage, Messages.several, ["name": TerminalEscaping.safe(word)],
                next: "qring offline-door list")
        }
        return (host, session, only)
    }
}

extension CommandPhrases {
    /// The texts of `qring offline-door`.
    enum OfflineDoors {
        static let add = Phrase("let a laptop work as a door without a network")
        static let addExample = Phrase("prints the command for the laptop at door 2")
        static let namesExample = Phrase("the laptop shows names, after a key was typed there")
        static let number = Phrase("the number of the door, 1 to 99 (default 1)")
        static let name = Phrase("the name that hosts and the staff see")
        static let names = Phrase("the laptop may show names; its staff types a key")
        static let numbers = Phrase("the laptop may read numbers or addresses; its staff types a key")
        static let notes = Phrase(
            "Without --names and --numbers, the laptop holds random ids and times only. It needs the network "
                + "once, to join. If it is lost, revoke it.")
        static let defaultName = Phrase("Door {door}")
        static let added = Phrase(
            "Run this on the laptop, once, before {time}. It joins with this code, and then works without a "
                + "network.")
        static let key = Phrase("Key for names and numbers: {key}")
        static let keyNote = Phrase(
            "Write the key down: the server cannot show it again. The staff types it at the door.")
        static let list = Phrase("list the offline doors of a session")
        static let door = Phrase("an offline door: its name or id")
        static let headDoor = Phrase("DOOR", context: "offline door")
        static let headState = Phrase("STATE", context: "offline door")
        static let headSeen = Phrase("LAST SEEN")
        static let headClock = Phrase("CLOCK")
        static let headEntries = Phrase("ENTRIES")
        static let headHeld = Phrase("HELD")
        static let headFirst = Phrase("FIRST ENTRY")
        static let headSecond = Phrase("SECOND ENTRY")
        static let revoke = Phrase("revoke an offline door, for example a lost laptop")
        static let revokeExample = Phrase("what it sends from now on waits for your decision")
        static let revoked = Phrase(
            "{name} is revoked. What it sends from now on changes nothing until you accept it: qring "
                + "offline-door accept")
        static let doubles = Phrase("list people who came in twice, with both doors")
        static let noDoubles = Phrase("Nobody came in twice.")
        static let atOfflineDoor = Phrase("door {door}, {name} (clock {clock})")
        static let atDoor = Phrase("door {door}")
        static let elsewhere = Phrase("by phone or by a host")
        static let accept = Phrase("accept what a revoked offline door has sent late")
        static let reject = Phrase("reject what a revoked offline door has sent late")
        static let accepted = Phrase("{count} {count|entry|entries} of {name} accepted.")
        static let rejected = Phrase("{count} {count|entry|entries} of {name} rejected.")
        static let unknown = Phrase("this session has no offline door \"{name}\".")
        static let several = Phrase("several offline doors have the name \"{name}\". Use the id.")

        static func state(_ state: SatelliteBody.State) -> Phrase {
            switch state {
            case .waiting: Phrase("waits for its laptop")
            case .expired: Phrase("code expired")
            case .joined: Phrase("joined", context: "offline door")
            case .revoked: Phrase("revoked", context: "offline door")
            }
        }
    }
}
