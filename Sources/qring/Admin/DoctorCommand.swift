import CommandLine
import HostCommands
import Journal
import Phrases
import PostgresJournal
import SQLiteJournal

private typealias Messages = CommandPhrases.Doctor

/// The command `qring admin doctor`, which checks the data folder, the machine and the server's settings.
let doctorCommand = CommandDeclaration(
    "admin doctor", Messages.summary,
    examples: [
        .init(
            "admin doctor --data /var/lib/qring --public-url https://qring.example.org --trusted-proxy "
                + "loopback",
            Messages.example)
    ],
    options: serveOptions + [.json(fields: ["ok", "checks"])], hasServer: false
) { call throws(CommandFailure) in
    let diagnoses = try await call.diagnoses()
    if call.wantsJSON {
        call.json(DoctorAnswer(diagnoses))
    } else {
        for diagnosis in diagnoses { call.out(diagnosis) }
        func count(_ state: Diagnosis.State) -> String { "\(diagnoses.count { $0.state == state })" }
        call.out(Messages.result, ["ok": count(.ok), "warn": count(.warn), "fail": count(.fail)])
    }
    return diagnoses.contains { $0.state == .fail } ? .failed : .success
}

/// The result of one check.
struct Diagnosis: Encodable {
    enum State: String, Encodable {
        case ok, warn, fail
    }

    /// The name of the check, for scripts.
    let check: String
    let state: State
    let what: String
    /// The action that solves the problem; nil if there is no problem.
    let remedy: String?
}

private struct DoctorAnswer: Encodable {
    let ok: Bool
    let checks: [Diagnosis]

    init(_ diagnoses: [Diagnosis]) {
        ok = !diagnoses.contains { $0.state == .fail }
        checks = diagnoses
    }
}

extension Invocation {
    /// Checks everything that a server needs. Changes nothing.
    func diagnoses() async throws(CommandFailure) -> [Diagnosis] {
        let folder = dataFolderPath
        let examination = try await onThread(in: folder) { (_) throws(OperatingError) in
            Examination(of: folder)
        }
        let isRunning = examination.holder != nil
        return folderDiagnoses(examination, folder)
            + (database.map(postgresDiagnoses) ?? databaseDiagnoses(examination, folder)) + machineDiagnoses()
            + (await addressDiagnoses(isRunning: isRunning)) + settingDiagnoses(isRunning: isRunning)
    }

    /// Checks what `qring serve` with the same settings needs, and prints the problems.
    func checkStart() async throws(CommandFailure) -> ExitCode {
        let problems = try await diagnoses().filter { $0.state != .ok }
        for problem in problems { out(problem) }
        guard !problems.contains(where: { $0.state == .fail }) else { return .failed }
        // No setting alone is a problem, but two of them may not fit together.
        _ = try serverSettings()
        out(Messages.canStart)
        return .success
    }

    fileprivate func out(_ diagnosis: Diagnosis) {
        out("\(diagnosis.state.rawValue.padding(4))  \(diagnosis.what)")
        if let remedy = diagnosis.remedy { out("      \(remedy)") }
    }

    fileprivate func postgresDiagnoses(_ database: String) -> [Diagnosis] {
        var found: [Diagnosis] = []
        do throws(JournalError) {
            let logIsCopied = try PostgresEngine.check(settings: database)
            found.append(well("database", CommandPhrases.Database.usable))
            if logIsCopied {
                found.append(
                    unwell(
                        "archive", .warn, CommandPhrases.Database.archived,
                        CommandPhrases.Database.archivedRemedy))
            }
        } catch {
            guard case .failed(let failure) = error else { preconditionFailure("a refused check") }
            found.append(
                Diagnosis(
                    check: "database", state: .fail, what: text(CommandPhrases.Database.notUsable),
                    remedy: databaseReason(failure) ?? String(describing: failure)))
        }
        if showsPassword {
            found.append(
                unwell(
                    "databasePassword", .warn, CommandPhrases.Database.passwordShown,
                    CommandPhrases.Database.passwordRemedy))
        }
        return found
    }

    func well(_ check: String, _ phrase: Phrase, _ values: [String: String] = [:]) -> Diagnosis {
        Diagnosis(check: check, state: .ok, what: text(phrase, values), remedy: nil)
    }

    func unwell(
        _ check: String, _ state: Diagnosis.State, _ phrase: Phrase, _ remedy: Phrase,
        _ values: [String: String] = [:]
    ) -> Diagnosis {
        Diagnosis(check: check, state: state, what: text(phrase, values), remedy: text(remedy, values))
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension CommandPhrases.Doctor {
    static let summary = Phrase("check the set-up, and say how to fix each problem")
    static let example = Phrase("with the server's settings")
    static let canStart = Phrase("The server can start with these settings.")
    static let result = Phrase("{ok} ok, {warn} {warn|warning|warnings}, {fail} {fail|failure|failures}")
}
