import Foundation
import HostCommands
import Journal
import Phrases
import SQLiteJournal
import Server

private typealias Say = CommandPhrases.Serve

/// `qring serve`: settings from flags, then `QRING_…`, then what is usual.
let serveCommand = CommandDeclaration(
    "serve", Say.summary,
    examples: [
        .init("serve", Say.exampleHere), .init("serve --listen 0.0.0.0:8080", Say.exampleNetwork),
        .init("serve --public-url https://qring.example.org --trusted-proxy loopback", Say.exampleProxy),
    ],
    options: [.value("data", "DIR", Say.data)] + serveOptions,
    handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    // A rotation of logs may send it while the files are still being checked.
    Signals.ignore(SIGHUP)
    let settings = try call.serverSettings()
    let serving = try start(settings, call)
    call.noteRenewal(serving.epochRenewal)
    do { try await serving.server.announceSetup() } catch {
        throw .failed(Say.cannotStart, ["reason": String(describing: error)], next: "qring admin doctor --data \(settings.dataFolder)")
    }
    await serving.run()
    return .success
}

/// Throws with the reason and what to do about it.
func start(_ settings: ServerSettings, _ call: Invocation) throws(CommandFailure) -> Serving {
    do {
        return try Serving(settings)
    } catch {
        let reason =
            switch error {
            case JournalError.failed(let failure): call.reason(failure, in: settings.dataFolder)
            default: String(describing: error)
            }
        throw .failed(Say.cannotStart, ["reason": reason], next: next(after: error, settings.dataFolder))
    }
}

/// What to type about it, where that is one line.
private func next(after error: any Error, _ folder: String) -> String? {
    guard case JournalError.failed(let failure) = error else { return nil }
    switch failure.reason {
    case .databaseLost, .secretLost, .damaged: return "qring admin restore FILE --replace --data \(folder)"
    case .isBackup, .restoreUnfinished: return "qring admin restore FILE --data \(folder)"
    case .readOnly, .inputOutput, .full: return "qring admin doctor --data \(folder)"
    default: return nil
    }
}

extension Invocation {
    /// What keeps the data in `folder` from being used, and what to do about it.
    func reason(_ failure: StorageFailure, in folder: String) -> String {
        var values = ["folder": folder, "detail": "\(failure.operation): \(failure.detail)"]
        let phrase: Phrase
        switch failure.reason {
        case .busy: phrase = Say.inUse
        case .newerSchema(let found, let known):
            values["found"] = "\(found)"
            values["known"] = "\(known)"
            phrase = Say.newer
        case .damaged: phrase = Say.damaged
        case .databaseLost:
            values["found"] = failure.detail
            phrase = Say.databaseLost
        case .secretLost: phrase = Say.secretLost
        case .tooManyLosses:
            values["copies"] = failure.detail
            phrase = Say.tooManyLosses
        case .foreign: phrase = Say.foreign
        case .isBackup: phrase = Say.isBackup
        case .restoreUnfinished: phrase = Say.restoreUnfinished
        case .readOnly: phrase = Say.readOnly
        case .full: phrase = Say.full
        case .inputOutput: phrase = Say.inputOutput
        default: return String(describing: failure)
        }
        return text(phrase, values)
    }

    /// Where the opening gave the data a new epoch, why.
    func noteRenewal(_ renewal: EpochRenewal?) {
        switch renewal {
        case nil: break
        case .older(let commits): note(Say.epochOlder, ["commits": "\(commits)"])
        case .markMissing: note(Say.epochMarkMissing)
        case .markOfAnother: note(Say.epochMarkOfAnother)
        case .copied: note(Say.epochCopied)
        }
    }
}
