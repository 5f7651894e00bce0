import CommandLine
import HostCommands
import Meetings
import Phrases
import SQLiteJournal

private typealias Messages = CommandPhrases.Admin

/// `qring admin verify`.
let verifyCommand = CommandDeclaration(
    "admin verify", Messages.verify,
    examples: [.init("admin verify --data /var/lib/qring", Messages.verifyExample)],
    options: [.data, .json(fields: ["ok", "counts", "findings"])],
    hasServer: false
) { call throws(CommandFailure) in
    let folder = call.dataFolderPath
    let verification = try await call.onThread(in: folder) { (_) throws(OperatingError) in
        try Verification.run(on: folder)
    }
    let faults = verification.faults
    if call.wantsJSON {
        call.json(VerifyAnswer(verification))
    } else if faults.isEmpty {
        let counts = verification.counts
        call.out(
            Messages.verified,
            [
                "sessions": "\(counts.sessions)", "attendees": "\(counts.attendees)",
                "checkedIn": "\(counts.checkedIn)",
                "events": "\(counts.events)", "responses": "\(counts.responses)",
            ])
    } else {
        for (session, faults) in Dictionary(grouping: faults, by: \.session).sorted(by: {
            order($0.key) < order($1.key)
        }) {
            if let session {
                call.out(Messages.inSession, ["session": session.text])
            } else {
                call.out(Messages.theFile)
            }
            for fault in faults { call.out("  " + call.text(fault.phrase, fault.shown)) }
        }
        call.out(Messages.faultCount, ["count": "\(faults.count)"])
    }
    return faults.isEmpty ? .success : .failed
}

/// What concerns the whole file comes first.
private func order(_ session: SessionID?) -> String { session?.text ?? "" }

private struct VerifyAnswer: Encodable {
    struct Fault: Encodable {
        let kind: String
        let session: String?
        let values: [String: String]
    }

    let ok: Bool
    let counts: Verification.Counts
    let findings: [Fault]

    init(_ verification: Verification) {
        ok = verification.faults.isEmpty
        counts = verification.counts
        findings = verification.faults.map {
            Fault(kind: $0.kind.rawValue, session: $0.session?.text, values: $0.values)
        }
    }
}

extension Fault {
    /// The values for its phrase, with a dash for what is not known.
    var shown: [String: String] { values.merging(["since": "–"]) { known, _ in known } }

    var phrase: Phrase {
        switch kind {
        case .commitsMissing: values["copy"] == nil ? Messages.commitsMissing : Messages.commitsMissingCopied
        case .damagedFile: Messages.damagedFile
        case .brokenReference: Messages.brokenReference
        case .unreadable: Messages.unreadable
        case .journalGap: Messages.journalGap
        case .counterDiffers: Messages.counterDiffers
        case .unknownEventData: Messages.unknownEventData
        case .headCountDiffers: Messages.headCountDiffers
        case .arrivalWithoutEvent: Messages.arrivalWithoutEvent
        case .arrivalLost: Messages.arrivalLost
        case .placeElsewhere: Messages.placeElsewhere
        case .keyDiffers: Messages.keyDiffers
        case .responsesDiffer: Messages.responsesDiffer
        case .publishedDiffer: Messages.publishedDiffer
        case .marksDiffer: Messages.marksDiffer
        case .responseEventsDiffer: Messages.responseEventsDiffer
        case .anonymousNamed: Messages.anonymousNamed
        case .answerDoesNotFit: Messages.answerDoesNotFit
        case .tallyDiffers: Messages.tallyDiffers
        case .latestSessionDiffers: Messages.latestSessionDiffers
        }
    }
}
