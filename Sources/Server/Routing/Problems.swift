import Journal
import Meetings
import Phrases
import Secrets
import Wire

extension Problem {
    /// Makes the problem for any error of a handler or a room. An unknown error is a defect: its problem has no
    /// details.
    init(of error: any Error, in language: Language) {
        switch (error as? JournalError)?.unwrapped ?? error {
        case let refusal as Refusal: self.init(refusal, in: language)
        case let fault as JSONFault: self.init(fault, in: language)
        case let outside as OutsideWindow: self.init(outside.refusal, in: language)
        case JournalError.failed(let failure) where failure.reason == .moved:
            self.init(code: .storageUnavailable, in: language, saying: ProblemCode.storageMoved)
        case JournalError.failed(let failure) where [.damaged, .damageFound].contains(failure.reason):
            self.init(code: .storageUnavailable, in: language, saying: ProblemCode.storageDamaged)
        case JournalError.failed(let failure):
            self.init(code: failure.reason == .full ? .storageFull : .storageUnavailable, in: language)
        case let problem as Problem: self = problem
        case let stop as RequestError:
            self.init(code: stop.code, in: language, stop.values)
            retryAfterSeconds = stop.retryAfterSeconds ?? retryAfterSeconds
        case SecretsError.hasherBusy: self.init(code: .overloaded, in: language)
        default: self.init(code: .internalError, in: language)
        }
    }
}
