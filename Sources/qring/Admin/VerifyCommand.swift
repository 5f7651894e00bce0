import HostCommands
import Meetings
import Phrases
import SQLiteJournal

private typealias Say = CommandPhrases.Admin

/// `qring admin verify`.
let verifyCommand = CommandDeclaration(
    "admin verify", Say.verify, examples: [.init("admin verify --data /var/lib/qring", Say.verifyExample)],
    options: [.data, .json(fields: ["ok", "counts", "findings"])],
    hasServer: false
) { call throws(CommandFailure) in
    let folder = call.dataFolderPath
    let verification = try await call.onThread(in: folder) { (_) throws(OperatingError) in try Verification.run(on: folder) }
    let findings = verification.findings
    if call.wantsJSON {
        call.json(VerifyAnswer(verification))
    } else if findings.isEmpty {
        let counts = verification.counts
        call.out(
            Say.verified,
            [
                "sessions": "\(counts.sessions)", "attendees": "\(counts.attendees)", "checkedIn": "\(counts.checkedIn)",
                "events": "\(counts.events)", "responses": "\(counts.responses)",
            ])
    } else {
        for (session, findings) in Dictionary(grouping: findings, by: \.session).sorted(by: { order($0.key) < order($1.key) }) {
            if let session { call.out(Say.inSession, ["session": session.text]) } else { call.out(Say.theFile) }
            for finding in findings { call.out("  " + call.text(finding.phrase, finding.shown)) }
        }
        call.out(Say.faultCount, ["count": "\(findings.count)"])
    }
    return findings.isEmpty ? .success : .failed
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
        ok = verification.findings.isEmpty
        counts = verification.counts
        findings = verification.findings.map { Fault(kind: $0.kind.rawValue, session: $0.session?.text, values: $0.values) }
    }
}

extension Finding {
    /// The values for its phrase, with a dash for what is not known.
    var shown: [String: String] { values.merging(["since": "–"]) { known, _ in known } }

    var phrase: Phrase {
        switch kind {
        case .commitsMissing: values["copy"] == nil ? Say.commitsMissing : Say.commitsMissingCopied
        case .damagedFile: Say.damagedFile
        case .brokenReference: Say.brokenReference
        case .unreadable: Say.unreadable
        case .journalGap: Say.journalGap
        case .counterDiffers: Say.counterDiffers
        case .unknownEventData: Say.unknownEventData
        case .headCountDiffers: Say.headCountDiffers
        case .arrivalWithoutEvent: Say.arrivalWithoutEvent
        case .arrivalLost: Say.arrivalLost
        case .placeElsewhere: Say.placeElsewhere
        case .keyDiffers: Say.keyDiffers
        case .responsesDiffer: Say.responsesDiffer
        case .publishedDiffer: Say.publishedDiffer
        case .marksDiffer: Say.marksDiffer
        case .responseEventsDiffer: Say.responseEventsDiffer
        case .anonymousNamed: Say.anonymousNamed
        case .answerDoesNotFit: Say.answerDoesNotFit
        case .tallyDiffers: Say.tallyDiffers
        case .latestSessionDiffers: Say.latestSessionDiffers
        }
    }
}
