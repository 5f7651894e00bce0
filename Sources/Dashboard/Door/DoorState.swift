package import Client
package import Meetings
package import Terminal
package import Wire

/// The state of the screen at a door. Events change it and return the actions to perform, so it needs neither
/// a terminal nor a network.
package struct DoorState: Sendable {
    /// What another type performs for the door, and answers by an event.
    package enum Action: Hashable, Sendable {
        /// Let a guest in, or ask about the guest.
        case send(NewGuest)
        case undo(sequence: Int64)
        case search(String)
        /// Report `paused` with this number after `searchPause`, unless another key arrives.
        case pause(Int)
        case ring
        case leave
    }

    package enum Event: Sendable {
        case key(Key, at: ContinuousClock.Instant)
        case resized(Size)
        case tick(Instant)
        /// The answer to `send`, or the sentence about its failure.
        case answered(DoorBody)
        case failed(String, isLost: Bool)
        case undone(sequence: Int64)
        case undoFailed(String)
        case found(DoorPeopleBody, by: String)
        case searchFailed(String, by: String)
        case paused(Int)
        /// The newest counts; nil if the server did not answer.
        case refreshed(DoorSessionBody?)
    }

    /// When the terminal's bell rings.
    package enum Bell: String, Sendable, CaseIterable {
        case refusals, all, none
    }

    /// What the large word says.
    package enum Shown: Hashable, Sendable {
        case ready
        case checking
        case verdict(DoorBody)
        /// The guest could not be checked, for the given reason. If the answer was lost, the server may have
        /// let the guest in.
        case notChecked(String, isLost: Bool)
        case undone(name: String)
        case notice(Notice)
        case failure(String)
    }

    /// Why a key or a scan has done nothing.
    package enum Notice: Hashable, Sendable {
        case koreanKeyboard, nobodyFound, nothingToUndo, tooManyWaiting, leavingNotRecorded
    }

    /// An admission of this screen.
    package struct Admission: Hashable, Sendable {
        package let sequence: Int64
        package let name: String
        package let at: Instant
        /// The number of the entry that an offline door has stored; nil at a door of the server.
        package let stored: Int64?
    }

    /// Where phones and tablets in the hall reach an offline door, and the code that signs them in.
    package struct Entrance: Hashable, Sendable {
        package let url: String
        package let code: String

        package init(url: String, code: String) { (self.url, self.code) = (url, code) }
    }

    package private(set) var size: Size
    package private(set) var now: Instant
    package private(set) var session: DoorSessionBody
    package let door: Int
    package let bell: Bell
    package let entrance: Entrance?
    package private(set) var asksFirst: Bool
    package private(set) var isExpress: Bool
    /// Whether the people who come to the door leave.
    package private(set) var isExit: Bool
    package private(set) var shown = Shown.ready
    /// The guest whom the staff must accept (Enter) or refuse (Esc).
    package private(set) var asked: NewGuest?
    package private(set) var input = ""
    package private(set) var people: DoorPeopleBody?
    /// The chosen line of the list: a person, or after the last one the walk-in.
    package private(set) var chosen = 0
    /// The last admissions, the newest first.
    package private(set) var admissions: [Admission] = []
    /// Whether the server did not answer the last time.
    package private(set) var isCut = false
    package private(set) var asksToLeave = false
    /// The scans that wait until the server has answered the one before them.
    package private(set) var waiting: [NewGuest] = []

    /// Whether a refusal or a failure is shown, and the next scans wait for a key.
    package private(set) var isHeld = false

    private var inFlight: NewGuest?
    private var undoing: Int64?
    private var searched: String?
    private var pauses = 0
    private var lastKey: ContinuousClock.Instant?
    private var isFast = true

    /// The longest time between two characters of a scanner. Nobody types so fast.
    private static let scannerPause = Duration.milliseconds(35)
    /// The fewest characters of a scan. A quick pair of keys is no scan.
    private static let shortestScan = 4
    private static let longestInput = 500
    private static let mostWaiting = 20
    private static let mostAdmissions = 50
    /// The time after the last key of a name before the search begins.
    package static let searchPause = Duration.milliseconds(250)

    package init(
        _ session: DoorSessionBody, door: Int, size: Size, now: Instant, bell: Bell = .refusals,
        asksFirst: Bool = false, isExpress: Bool = false, isExit: Bool = false, entrance: Entrance? = nil
    ) {
        self.session = session
        self.entrance = entrance
        self.door = door
        self.size = size
        self.now = now
        self.bell = bell
        self.asksFirst = asksFirst
        self.isExpress = isExpress
        self.isExit = isExit
    }

    /// Whether the list ends with a line that lets the typed name in as a walk-in.
    package var offersWalkIn: Bool {
        session.offline == nil && !isExit && people != nil && searched == searchedText
            && input.contains(where: \.isLetter)
    }

    /// Whether the entry with this number is on this laptop only. False at a door of the server.
    package func isOnlyStored(_ entry: Int64?) -> Bool {
        guard let entry, let offline = session.offline else { return false }
        return entry > offline.sent
    }

    private var searchedText: String { input.trimmed }

    package mutating func take(_ event: Event) -> [Action] {
        switch event {
        case .key(let key, let moment): return take(key, at: moment)
        case .resized(let size): self.size = size
        case .tick(let now): self.now = now
        case .answered(let body): return answered(body)
        case .failed(let reason, let isLost):
            inFlight = nil
            isCut = isLost
            shown = .notChecked(reason, isLost: isLost)
            isHeld = true
            return ringing(isRefusal: true)
        case .undone(let sequence):
            undoing = nil
            guard let index = admissions.firstIndex(where: { $0.sequence == sequence }) else { break }
            show(.undone(name: admissions.remove(at: index).name))
        case .undoFailed(let reason):
            undoing = nil
            show(.failure(reason))
        case .found(let people, let text):
            guard text == searchedText else { break }
            (self.people, searched, chosen) = (people, text, 0)
        case .searchFailed(let reason, let text):
            guard text == searchedText else { break }
            show(.failure(reason))
        case .paused(let number):
            guard number == pauses, searchedText.count >= Door.fewestSearched, searched != searchedText
            else { break }
            return [.search(searchedText)]
        case .refreshed(let body):
            isCut = body == nil
            if let body { session = body }
        }
        return []
    }

    /// Shows something that is no verdict. An open question stays, because Enter answers it.
    private mutating func show(_ new: Shown) {
        if asked == nil { shown = new }
    }

    private mutating func take(_ key: Key, at moment: ContinuousClock.Instant) -> [Action] {
        guard isHeld else { return handle(key, at: moment) }
        isHeld = false
        return handle(key, at: moment) + next()
    }

    private mutating func handle(_ key: Key, at moment: ContinuousClock.Instant) -> [Action] {
        if asksToLeave {
            asksToLeave = false
            return key == .enter ? [.leave] : []
        }
        switch key {
        case .character(let character): return type(character, at: moment)
        case .enter: return enter()
        case .backspace:
            guard !input.isEmpty else { return [] }
            input.removeLast()
            isFast = false
            return changed()
        case .escape:
            if asked != nil {
                asked = nil
                shown = .ready
                return next()
            }
            guard input.isEmpty else {
                clear()
                return []
            }
            if shown == .ready { asksToLeave = true } else { shown = .ready }
        case .up, .backTab: choose(chosen - 1)
        case .down, .tab: choose(chosen + 1)
        // The keys below change what the open question is about.
        case .control where asked != nil: break
        case .control("u"): return undo()
        case .control("k"): asksFirst.toggle()
        case .control("e"): isExpress.toggle()
        case .control("o"):
            if session.counts.inside == nil {
                shown = .notice(.leavingNotRecorded)
            } else {
                isExit.toggle()
            }
        default: break
        }
        return []
    }

    private mutating func choose(_ line: Int) {
        guard let people else { return }
        let last = people.items.count - (offersWalkIn ? 0 : 1)
        chosen = max(0, min(line, last))
    }

    private mutating func type(_ character: Character, at moment: ContinuousClock.Instant) -> [Action] {
        guard input.count < Self.longestInput else { return [] }
        if input.isEmpty {
            isFast = true
        } else if let lastKey, moment - lastKey > Self.scannerPause {
            isFast = false
        }
        lastKey = moment
        input.append(character)
        return changed()
    }

    private mutating func changed() -> [Action] {
        if searched != searchedText { (people, searched, chosen) = (nil, nil, 0) }
        pauses += 1
        return searchedText.count >= Door.fewestSearched ? [.pause(pauses)] : []
    }

    private mutating func clear() {
        input = ""
        (people, searched, chosen) = (nil, nil, 0)
        pauses += 1
    }

    private mutating func enter() -> [Action] {
        let text = searchedText
        if text.isEmpty {
            clear()
            guard let guest = asked else { return [] }
            asked = nil
            return send(guest)
        }
        let isScan = isFast && text.count >= Self.shortestScan
        if isScan || isIdentity(text) {
            clear()
            if text.unicodeScalars.contains(where: Self.isHangulJamo) {
                asked = nil
                shown = .notice(.koreanKeyboard)
                return ringing(isRefusal: true)
            }
            return ask(NewGuest(scan: text, door: door))
        }
        guard let people, searched == text else { return [.search(text)] }
        let name = input.trimmed
        if chosen < people.items.count {
            let person = people.items[chosen]
            clear()
            return ask(NewGuest(attendee: person.attendeeId, reply: person.replyId, door: door))
        }
        guard offersWalkIn else {
            shown = .notice(.nobodyFound)
            return []
        }
        clear()
        return ask(NewGuest(name: name, door: door))
    }

    /// Whether a typed text is a number, an address or a pass, and not a part of a name.
    private func isIdentity(_ text: String) -> Bool {
        text.contains("@") || text.contains("/") || text.allSatisfy { $0.isNumber || $0 == "-" }
    }

    /// Letters of a scanner that arrive through a Korean keyboard layout.
    private static func isHangulJamo(_ scalar: Unicode.Scalar) -> Bool {
        (0x3131...0x318E).contains(scalar.value)
    }

    private mutating func ask(_ guest: NewGuest) -> [Action] {
        var guest = guest
        guest.onlyAsk = asksFirst && !isExit ? true : nil
        guest.leaves = isExit ? true : nil
        // A new guest replaces the one about whom the door has asked.
        asked = nil
        return send(guest)
    }

    private mutating func send(_ guest: NewGuest) -> [Action] {
        guard inFlight == nil else {
            guard waiting.count < Self.mostWaiting else {
                shown = .notice(.tooManyWaiting)
                return ringing(isRefusal: true)
            }
            waiting.append(guest)
            return []
        }
        inFlight = guest
        shown = .checking
        return [.send(guest)]
    }

    /// Sends the next guest who waits, unless the staff must decide about one first.
    private mutating func next() -> [Action] {
        guard asked == nil, !isHeld, inFlight == nil, !waiting.isEmpty else { return [] }
        let guest = waiting.removeFirst()
        inFlight = guest
        return [.send(guest)]
    }

    private mutating func answered(_ body: DoorBody) -> [Action] {
        guard var guest = inFlight else { return [] }
        inFlight = nil
        isCut = false
        shown = .verdict(body)
        if let counts = body.counts {
            let own = (session.counts.atDoor ?? 0) + (body.verdict == .admitted ? 1 : 0)
            session.counts = counts
            session.counts.atDoor = own
        }
        switch body.verdict {
        case .admitted, .returned, .left:
            if let sequence = body.sequence {
                admissions.insert(
                    Admission(sequence: sequence, name: body.name ?? "", at: now, stored: body.stored), at: 0)
                admissions = Array(admissions.prefix(Self.mostAdmissions))
            }
            return ringing(isRefusal: false) + next()
        case .expected:
            guest.onlyAsk = nil
            asked = guest
            return ringing(isRefusal: false)
        case .waiting, .declined, .full:
            (guest.onlyAsk, guest.anyway) = (nil, true)
            asked = guest
            return ringing(isRefusal: true)
        case .unknownHere:
            (guest.onlyAsk, guest.unknown) = (nil, true)
            asked = guest
            return ringing(isRefusal: true)
        case .alreadyIn, .alreadyOut, .notIn, .revoked, .notForThisSession, .sessionCode, .notAPass:
            isHeld = true
            return ringing(isRefusal: true)
        }
    }

    private func ringing(isRefusal: Bool) -> [Action] {
        switch bell {
        case .none: []
        case .refusals: isRefusal ? [.ring] : []
        case .all: [.ring]
        }
    }

    private mutating func undo() -> [Action] {
        guard undoing == nil else { return [] }
        guard let last = admissions.first else {
            shown = .notice(.nothingToUndo)
            return []
        }
        undoing = last.sequence
        return [.undo(sequence: last.sequence)]
    }
}
