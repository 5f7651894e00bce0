import CommandLine
import FoundationEssentials
import FrontDoor
import HostCommands
import Journal
import Meetings
import Outbound
import Phrases
import Server

private typealias Messages = CommandPhrases.Serve

/// All options of a server, except its data folder. `admin doctor` accepts the same options.
let serveOptions: [CommandDeclaration.Option] = [
    .database, .value("listen", "ADDRESS:PORT", Messages.listen),
    .value("public-url", "URL", Messages.publicURL),
    .values("trusted-proxy", "CIDR", Messages.trustedProxy),
    .values("import-from", "CIDR", Messages.importFrom),
    .value("connections-per-address", "N", Messages.connectionsPerAddress),
    .value("metrics-listen", "ADDRESS:PORT", Messages.metricsListen),
    .oneOf("signup", SignUp.allCases.map(\.rawValue), Messages.signUp),
    .oneOf("signup-form", SignUpForm.allCases.map(\.rawValue), Messages.signUpForm),
    .value("smtp-url", "URL", Messages.smtpURL),
    .value("smtp-password-file", "FILE", Messages.smtpPasswordFile),
    .value("mail-from", "ADDRESS", Messages.mailFrom),
    .value("mails-per-account", "N", Messages.mailsPerAccount),
    .value("phone-hook-url", "URL", Messages.phoneHookURL),
    .value("phone-hook-secret-file", "FILE", Messages.phoneHookSecretFile),
    .value("push-hook-url", "URL", Messages.pushHookURL),
    .value("push-hook-secret-file", "FILE", Messages.pushHookSecretFile),
    .value("phone-codes-per-hour", "N", Messages.phoneCodesPerHour),
    .value("mail-codes-per-hour", "N", Messages.mailCodesPerHour),
    .flag("require-verification", Messages.requireVerification),
    .value("terms", "FILE", Messages.terms), .value("interests", "N", Messages.interests),
    .flag("require-interests", Messages.requireInterests),
    .value("loops", "N", Messages.loops),
    .oneOf("log", LogFormat.allCases.map(\.rawValue), Messages.log),
    .value("log-file", "FILE", Messages.logFile),
    .value("keep-evidence", "DAYS", Messages.keepEvidence),
    .value("keep-sessions", "DAYS", Messages.keepSessions),
    .value("keep-actions", "DAYS", Messages.keepActions),
    .value("keep-mails", "DAYS", Messages.keepMails), .value("keep-logs", "DAYS", Messages.keepLogs),
]

extension Invocation {
    func serverSettings() throws(CommandFailure) -> ServerSettings {
        var settings = ServerSettings(dataFolder: dataFolderPath)
        settings.database = database
        settings.listen = setting("listen") ?? settings.listen
        settings.publicURL = setting("public-url")
        settings.signUp = try signUp() ?? settings.signUp
        settings.signUpForm = try settingChoice("signup-form", of: SignUpForm.self) ?? settings.signUpForm
        settings.requiresVerification = arguments.has("require-verification")
        settings.terms = try termsText()
        settings.interestsWanted = try interests() ?? settings.interestsWanted
        settings.requiresInterests = arguments.has("require-interests")
        settings.logFormat = try logFormat() ?? settings.logFormat
        settings.logFile = setting("log-file")
        settings.trustedProxies = try addressRanges("trusted-proxy")
        settings.importFrom = try addressRanges("import-from")
        settings.metricsListen = setting("metrics-listen")
        settings.connectionsPerAddress = try connectionsPerAddress() ?? settings.connectionsPerAddress
        settings.loops = try loops() ?? settings.loops
        settings.mail = try mailSettings()
        settings.codes.phonesPerHour = try codesPerHour("phone") ?? settings.codes.phonesPerHour
        settings.codes.mailsPerHour = try codesPerHour("mail") ?? settings.codes.mailsPerHour
        settings.limits = try accountLimits()
        if settings.requiresVerification, settings.mail.server == nil {
            throw .failed(Messages.verificationNeedsMail)
        }
        settings.retention = try retention()
        return settings
    }

    func signUp() throws(CommandFailure) -> SignUp? { try settingChoice("signup", of: SignUp.self) }
    func interests() throws(CommandFailure) -> Int? { try settingInteger("interests", 0...20) }
    func logFormat() throws(CommandFailure) -> LogFormat? { try settingChoice("log", of: LogFormat.self) }
    func connectionsPerAddress() throws(CommandFailure) -> Int? {
        try settingInteger("connections-per-address", 1...1_000_000)
    }
    /// Returns the mail server with its password, and the sender. The password comes from a file or the
    /// environment, because other users of the machine can read a command line.
    func mailSettings() throws(CommandFailure) -> MailSettings {
        var mail = MailSettings()
        mail.environment = environment
        if let written = setting("smtp-url") {
            guard var server = SMTPServer(url: written) else {
                throw .usage(
                    .notReadable(
                        "--smtp-url", Self.withoutPassword(written), expected: "smtps://user@mail.example.org"
                    ))
            }
            server.password = try secret("smtp-password-file", "QRING_SMTP_PASSWORD")
            if server.user != nil, server.password == nil { throw .failed(Messages.noSMTPPassword) }
            mail.server = server
        }
        mail.phoneHook = try hook(
            "phone-hook", "QRING_PHONE_HOOK_SECRET", like: "https://sms.example.org/codes",
            missing: Messages.noPhoneHookSecret)
        mail.pushHook = try hook(
            "push-hook", "QRING_PUSH_HOOK_SECRET", like: "https://push.example.org/messages",
            missing: Messages.noPushHookSecret)
        if let written = setting("mail-from") {
            guard let address = EmailAddress.normalized(written) else {
                throw .usage(.notReadable("--mail-from", written, expected: "qring@example.org"))
            }
            mail.sender = address
        }
        return mail
    }

    /// Returns the service that the options `…-url` and `…-secret-file` name; nil without an URL.
    private func hook(
        _ options: String, _ variable: String, like example: String, missing: Phrase
    ) throws(CommandFailure) -> PhoneHookSettings? {
        guard let written = setting("\(options)-url") else { return nil }
        let secret = try secret("\(options)-secret-file", variable) ?? ""
        guard let hook = PhoneHookSettings(url: written, secret: secret) else {
            throw .usage(.notReadable("--\(options)-url", written, expected: example))
        }
        guard secret.utf8.count >= PhoneHookSettings.shortestSecret else {
            throw .failed(missing, ["count": String(PhoneHookSettings.shortestSecret)])
        }
        return hook
    }

    /// Returns the URL with `…` instead of a password, for messages.
    private static func withoutPassword(_ url: String) -> String {
        url.replacing(#/:[^:/@]+@/#, with: ":…@")
    }

    /// Returns the first line of the file that the option names, or else the environment variable.
    private func secret(_ option: String, _ variable: String) throws(CommandFailure) -> String? {
        guard let path = setting(option) else {
            return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        let text = FileManager.default.contents(atPath: path).flatMap { String(data: $0, encoding: .utf8) }
        guard let line = text?.split(whereSeparator: \.isNewline).first, line.utf8.count <= 1000 else {
            throw .failed(Messages.secretNotReadable, ["file": path])
        }
        return String(line)
    }

    /// Returns for how many days the server stores each kind of data.
    func retention() throws(CommandFailure) -> Retention {
        var retention = Retention()
        func days(_ name: String, _ range: ClosedRange<Int>, _ path: WritableKeyPath<Retention, Int>)
            throws(CommandFailure)
        {
            if let days = try settingInteger("keep-\(name)", range) { retention[keyPath: path] = days }
        }
        try days("evidence", Retention.rangeOfEvidence, \.evidenceDays)
        try days("sessions", Retention.rangeOfSessions, \.sessionDays)
        try days("actions", Retention.rangeOfActions, \.actionDays)
        try days("mails", Retention.rangeOfMails, \.mailDays)
        try days("logs", Retention.rangeOfLogs, \.logDays)
        return retention
    }

    /// Returns the most messages with codes in an hour on a channel, `phone` or `mail`.
    func codesPerHour(_ channel: String) throws(CommandFailure) -> Int? {
        try settingInteger("\(channel)-codes-per-hour", CodeBudgetSettings.range)
    }

    /// Returns the limits of each account.
    func accountLimits() throws(CommandFailure) -> AccountLimits {
        var limits = AccountLimits()
        if let most = try settingInteger("mails-per-account", 0...1_000_000) {
            limits.mostMailsPerDay = most
        }
        return limits
    }

    func loops() throws(CommandFailure) -> Int? { try integer("loops", 1...64) }

    /// Returns the address ranges from all occurrences of the option, or else from the environment variable.
    func addressRanges(_ name: String) throws(CommandFailure) -> AddressRanges {
        let given = arguments.values(name)
        var ranges = AddressRanges()
        for written in given.isEmpty ? [setting(name)].compactMap(\.self) : given {
            do throws(AddressRanges.Fault) {
                ranges.formUnion(try AddressRanges(written))
            } catch {
                throw .usage(
                    .notReadable(
                        "--\(name)", error.text, expected: "loopback, 10.0.0.0/8, fd00::/8, 192.0.2.1"))
            }
        }
        return ranges
    }

    /// Returns the text of the operator's file with the terms, which people must accept to sign up; nil if
    /// the operator has set no file.
    func termsText() throws(CommandFailure) -> String? {
        guard let place = setting("terms") else { return nil }
        guard let bytes = FileManager.default.contents(atPath: place),
            let text = String(validating: bytes, as: UTF8.self),
            (1...100_000).contains(text.count)
        else { throw .failed(Messages.termsNotReadable, ["file": place]) }
        return text.replacing("\r\n", with: "\n")
    }

    private func settingInteger(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let written = setting(name) else { return nil }
        guard let number = Int(written), range.contains(number) else {
            throw .usage(
                .notReadable("--\(name)", written, expected: "\(range.lowerBound)…\(range.upperBound)"))
        }
        return number
    }

    private func settingChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(CommandFailure) -> Choice? {
        guard let written = setting(name) else { return nil }
        guard let choice = Choice(rawValue: written) else {
            throw .usage(
                .notReadable(
                    "--\(name)", written, expected: Choice.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        return choice
    }
}

extension CommandPhrases.Serve {
    static let listen = Phrase("the address and port to listen on (default 127.0.0.1:8080)")
    static let publicURL = Phrase(
        "the beginning of check-in URLs (default: an address that phones can reach)")
    static let importFrom = Phrase("allow question files from these private addresses, too")
    static let trustedProxy = Phrase(
        "proxies whose X-Forwarded-… headers are trusted: a network, an address, or loopback; can be "
            + "repeated")
    static let connectionsPerAddress = Phrase(
        "the most connections per address, except proxies (default 10000)")
    static let metricsListen = Phrase("serve /metrics on this address instead of to this machine only")
    static let signUp = Phrase("who can sign up (default invite; the first account is the operator's)")
    static let smtpURL = Phrase(
        "the mail server, with TLS; without it, mails are written to the folder outbox")
    static let smtpPasswordFile = Phrase("a file with the mail server's password (or QRING_SMTP_PASSWORD)")
    static let mailFrom = Phrase("the sender of mails (default: the user of the mail server)")
    static let mailsPerAccount = Phrase(
        "the most mails to rosters and invited people that one account causes in 24 hours (default 2000)")
    static let noSMTPPassword = Phrase(
        "The mail server needs a password. Add --smtp-password-file FILE, or set QRING_SMTP_PASSWORD.")
    static let secretNotReadable = Phrase("The secret cannot be read from {file}.")
    static let phoneHookURL = Phrase(
        "the service that delivers codes to phones; without it, they are written to the folder outbox")
    static let phoneHookSecretFile = Phrase(
        "a file with the secret that signs the codes to phones (or QRING_PHONE_HOOK_SECRET)")
    static let noPhoneHookSecret = Phrase(
        "The service for codes to phones needs a secret of at least {count} bytes. Add "
            + "--phone-hook-secret-file FILE, or set QRING_PHONE_HOOK_SECRET.")
    static let pushHookURL = Phrase(
        "the service that delivers push messages; without it, they are written to the folder outbox")
    static let pushHookSecretFile = Phrase(
        "a file with the secret that signs push messages (or QRING_PUSH_HOOK_SECRET)")
    static let noPushHookSecret = Phrase(
        "The service for push messages needs a secret of at least {count} bytes. Add "
            + "--push-hook-secret-file FILE, or set QRING_PUSH_HOOK_SECRET.")
    static let phoneCodesPerHour = Phrase("the most messages with codes to phones in an hour (default 6000)")
    static let mailCodesPerHour = Phrase("the most mails with codes in an hour (default 6000)")
    static let verificationNeedsMail = Phrase(
        "--require-verification needs a mail server that sends the codes. Add --smtp-url, or leave out "
            + "--require-verification.")
    static let requireVerification = Phrase(
        "an account can do nothing else until its e-mail address is verified (needs --smtp-url)")
    static let terms = Phrase("a text file with the terms to accept at sign-up (default: the built-in terms)")
    static let termsNotReadable = Phrase("{file} is not a UTF-8 text of at most 100,000 characters.")
    static let signUpForm = Phrase(
        "short (the default): the sign-up page asks for e-mail address, password and name; full: also for "
            + "birth date, gender, phone number and interests, which may stay empty")
    static let interests = Phrase("the number of interests on the sign-up page, 0 to 20 (default 3)")
    static let requireInterests = Phrase(
        "refuse a sign-up or a profile with fewer interests than --interests")
    static let loops = Phrase("threads for websockets (default 1)")
    static let log = Phrase("the log's format, one line per request (default text)")
    static let logFile = Phrase("append the log to this file; SIGHUP reopens it (default: standard error)")
    static let keepEvidence = Phrase(
        "days after a session's end to store the devices and networks of its check-ins (default 30)")
    static let keepSessions = Phrase(
        "days after their end to store sessions with attendance, answers and journal (default 1095)")
    static let keepActions = Phrase(
        "days to store the action log of accounts, members and personal data (default 365)")
    static let keepMails = Phrase("days to store the addresses of mails that were sent (default 7)")
    static let keepLogs = Phrase("days to store rotated files of --log-file (default 30)")
}
