import CommandLine
import FoundationEssentials
import FrontDoor
import HostCommands
import Journal
import Meetings
import Outbound
import Phrases
import PostgresJournal
import Server

private typealias Messages = CommandPhrases.Serve

/// A setting of the server, and its effect. This table is the only list of settings.
struct ServerSetting: Sendable {
    typealias Effect =
        @Sendable (inout ServerSettings, SettingValue, Invocation) throws(CommandFailure) -> Void
    private typealias Path<Value> = WritableKeyPath<ServerSettings, Value> & Sendable

    let setting: Setting
    /// Changes the server's settings to a value, or throws the reason why the value is refused.
    let apply: Effect
    /// Returns the days of the period that this setting sets; nil if it sets none, or has no period of its
    /// own.
    var days: @Sendable (Retention) -> Int? = { _ in nil }

    var name: String { setting.name }

    static let all: [ServerSetting] = [
        .text("data", "DIR", usual: "~/.local/share/qring", Messages.data) { $0.dataFolder = $1 },
        ServerSetting(
            setting: Setting(
                .database, secretIf: PostgresEngine.hasPassword, file: Messages.databaseFile),
            apply: { settings, value, _ in settings.database = value.text }),
        .text("listen", "ADDRESS:PORT", usual: usual.listen, Messages.listen) { $0.listen = $1 },
        .text("public-url", "URL", Messages.publicURL) { $0.publicURL = $1 },
        .ranges("trusted-proxy", \.trustedProxies, Messages.trustedProxy),
        .ranges("import-from", \.importFrom, Messages.importFrom),
        .choice("web-hooks", \.limits.webhooks, Messages.webhooks),
        .ranges("webhooks-to-private", \.webhooksToPrivate, Messages.webhooksToPrivate),
        .number(
            "connections-per-address", 1...1_000_000, \.connectionsPerAddress,
            Messages.connectionsPerAddress),
        .text("metrics-listen", "ADDRESS:PORT", Messages.metricsListen) { $0.metricsListen = $1 },
        .choice("signup", \.signUp, Messages.signUp),
        .choice("signup-form", \.signUpForm, Messages.signUpForm),
        .value("smtp-url", "URL", Messages.smtpURL) { settings, value, call throws(CommandFailure) in
            guard var server = SMTPServer(url: value.text) else {
                throw value.notReadable(
                    withoutPassword(value.text), expected: "smtps://user@mail.example.org")
            }
            server.password = try call.settingText("smtp-password")
            if server.user != nil, server.password == nil { throw .failed(Messages.noSMTPPassword) }
            settings.mail.server = server
        },
        .secret("smtp-password", Messages.smtpPassword, Messages.smtpPasswordFile),
        .value("mail-from", "ADDRESS", Messages.mailFrom) { settings, value, _ throws(CommandFailure) in
            guard let address = EmailAddress.normalized(value.text) else {
                throw value.notReadable(expected: "qring@example.org")
            }
            settings.mail.sender = address
        },
        .number("mails-per-account", 0...1_000_000, \.limits.mostMailsPerDay, Messages.mailsPerAccount),
        .hook(
            "phone-hook", \.mail.phoneHook, like: "https://sms.example.org/codes", Messages.phoneHookURL,
            missing: Messages.noPhoneHookSecret),
        .secret("phone-hook-secret", Messages.phoneHookSecret, Messages.phoneHookSecretFile),
        .hook(
            "push-hook", \.mail.pushHook, like: "https://push.example.org/messages", Messages.pushHookURL,
            missing: Messages.noPushHookSecret),
        .secret("push-hook-secret", Messages.pushHookSecret, Messages.pushHookSecretFile),
        .number(
            "phone-codes-per-hour", CodeBudgetSettings.range, \.codes.phonesPerHour,
            Messages.phoneCodesPerHour),
        .number(
            "mail-codes-per-hour", CodeBudgetSettings.range, \.codes.mailsPerHour, Messages.mailCodesPerHour),
        .flag("require-verification", \.requiresVerification, Messages.requireVerification),
        .value("terms", "FILE", Messages.terms) { settings, value, _ throws(CommandFailure) in
            guard let bytes = FileManager.default.contents(atPath: value.text),
                let text = String(validating: bytes, as: UTF8.self), (1...100_000).contains(text.count)
            else { throw .failed(Messages.termsNotReadable, ["file": value.text]) }
            settings.terms = text.replacing("\r\n", with: "\n")
        },
        .number("interests", 0...20, \.interestsWanted, Messages.interests),
        .flag("require-interests", \.requiresInterests, Messages.requireInterests),
        .number("loops", 1...64, \.loops, Messages.loops),
        .choice("log", \.logFormat, Messages.log),
        .text("log-file", "FILE", Messages.logFile) { $0.logFile = $1 },
        // Presets come first, so that each period below replaces that of the preset.
        .choice("retention", \.retention.preset, Messages.retention),
        .days("keep-names", Retention.rangeOfNames, \.nameDays, Messages.keepNames),
        .days("keep-evidence", Retention.rangeOfEvidence, \.evidenceDays, Messages.keepEvidence),
        .days("keep-sessions", Retention.rangeOfSessions, \.sessionDays, Messages.keepSessions),
        .days("keep-actions", Retention.rangeOfActions, \.actionDays, Messages.keepActions),
        .days("keep-mails", Retention.rangeOfMails, \.mailDays, Messages.keepMails),
        .days("keep-logs", Retention.rangeOfLogs, \.logDays, Messages.keepLogs),
        .text("backup-to", "DIR", Messages.backupTo) { $0.backups.folder = $1 },
        .value("backup-every", "TIME", usual: "6h", Messages.backupEvery) {
            settings, value, _ throws(CommandFailure) in
            guard let time = DurationText.read(value.text), BackupSettings.rangeOfEvery.contains(time) else {
                throw value.notReadable(expected: "6h, 30m, 1d")
            }
            settings.backups.every = time
        },
        .value("backup-keep", "NUMBERS", usual: usual.backups.keep.text, Messages.backupKeep) {
            settings, value, _ throws(CommandFailure) in
            guard let keep = BackupRetention(value.text) else {
                throw value.notReadable(expected: usual.backups.keep.text)
            }
            settings.backups.keep = keep
        },
        .value("backup-key", "KEY", Messages.backupKey) { settings, value, _ throws(CommandFailure) in
            settings.backups.key = try Invocation.sealingKey(value.text)
        },
    ]

    private static let usual = ServerSettings(dataFolder: "")

    private static func value(
        _ name: String, _ value: String, usual: String? = nil, _ meaning: Phrase, _ apply: @escaping Effect
    ) -> ServerSetting {
        var option = CommandDeclaration.Option.value(name, value, meaning)
        option.usual = usual
        return ServerSetting(setting: Setting(option), apply: apply)
    }

    private static func text(
        _ name: String, _ value: String, usual: String? = nil, _ meaning: Phrase,
        _ set: @escaping @Sendable (inout ServerSettings, String) -> Void
    ) -> ServerSetting {
        .value(name, value, usual: usual, meaning) { settings, value, _ in set(&settings, value.text) }
    }

    private static func number(
        _ name: String, unit: String = "N", _ range: ClosedRange<Int>, _ path: any Path<Int>,
        _ meaning: Phrase
    ) -> ServerSetting {
        .value(name, unit, usual: "\(usual[keyPath: path])", meaning) {
            settings, value, _ throws(CommandFailure) in
            guard let number = Int(value.text), range.contains(number) else {
                throw value.outOfRange(range)
            }
            settings[keyPath: path] = number
        }
    }

    private static func days(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Retention, Int> & Sendable,
        _ meaning: Phrase
    ) -> ServerSetting {
        // The largest period is longer than any session is stored.
        let days: @Sendable (Retention) -> Int? = {
            $0[keyPath: path] == range.upperBound ? nil : $0[keyPath: path]
        }
        var setting = value(name, "DAYS", usual: days(Retention()).map(String.init), meaning) {
            settings, value, _ throws(CommandFailure) in
            guard let days = Int(value.text), range.contains(days) else { throw value.outOfRange(range) }
            settings.retention[keyPath: path] = days
        }
        setting.days = days
        return setting
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: any Path<Choice>, _ meaning: Phrase
    ) -> ServerSetting {
        let words = Choice.allCases.map(\.rawValue)
        var option = CommandDeclaration.Option.oneOf(name, words, meaning)
        option.usual = usual[keyPath: path].rawValue
        return ServerSetting(setting: Setting(option)) { settings, value, _ throws(CommandFailure) in
            guard let choice = Choice(rawValue: value.text) else {
                throw value.notReadable(expected: words.joined(separator: ", "))
            }
            settings[keyPath: path] = choice
        }
    }

    private static func flag(_ name: String, _ path: any Path<Bool>, _ meaning: Phrase) -> ServerSetting {
        ServerSetting(setting: Setting(.flag(name, meaning))) { settings, value, _ throws(CommandFailure) in
            switch value.text.lowercased() {
            case "yes", "true", "on", "1": settings[keyPath: path] = true
            case "no", "false", "off", "0": settings[keyPath: path] = false
            default: throw value.notReadable(expected: "yes, no")
            }
        }
    }

    private static func ranges(
        _ name: String, _ path: any Path<AddressRanges>, _ meaning: Phrase
    ) -> ServerSetting {
        ServerSetting(setting: Setting(.values(name, "CIDR", meaning))) {
            settings, value, _ throws(CommandFailure) in
            do throws(AddressRanges.Fault) { settings[keyPath: path] = try AddressRanges(value.text) } catch {
                throw value.notReadable(
                    error.text, expected: "loopback, unix, 10.0.0.0/8, fd00::/8, 192.0.2.1")
            }
        }
    }

    private static func secret(_ name: String, _ meaning: Phrase, _ file: Phrase) -> ServerSetting {
        // The setting that needs the secret reads it.
        ServerSetting(setting: Setting(secret: name, meaning, file: file), apply: { _, _, _ in })
    }

    /// A service that gets messages, signed by the secret of the same name.
    private static func hook(
        _ name: String, _ path: any Path<PhoneHookSettings?>, like example: String, _ meaning: Phrase,
        missing: Phrase
    ) -> ServerSetting {
        .value("\(name)-url", "URL", meaning) { settings, value, call throws(CommandFailure) in
            let secret = try call.settingText("\(name)-secret") ?? ""
            guard let hook = PhoneHookSettings(url: value.text, secret: secret) else {
                throw value.notReadable(withoutPassword(value.text), expected: example)
            }
            guard secret.utf8.count >= PhoneHookSettings.shortestSecret else {
                throw .failed(missing, ["count": String(PhoneHookSettings.shortestSecret)])
            }
            settings[keyPath: path] = hook
        }
    }

    /// Returns the URL with `…` instead of a password and of a query, for messages. The password of a URL
    /// that is written wrong may have any character.
    static func withoutPassword(_ url: String) -> String {
        url.replacing(#/(:\/\/[^:@]*):.*@/#) { "\($0.1):…@" }.replacing(#/\?.*/#, with: "?…")
    }
}

/// All options of a server. `admin doctor` accepts the same options.
let serveOptions = ServerSetting.all.flatMap(\.setting.options)

extension CommandDeclaration {
    /// This command, which also reads the file of settings.
    var readingSettings: CommandDeclaration {
        with(.config) { call throws(CommandFailure) in try call.readingServerSettings() }
    }
}

extension Invocation {
    /// Returns a copy of this invocation that knows the settings of the server.
    func readingServerSettings() throws(CommandFailure) -> Invocation {
        var call = try reading(ServerSetting.all.map(\.setting), orElseFrom: "/etc/qring/qring.conf")
        try call.readSecret("database")
        return call
    }

    /// Returns the server's settings.
    /// - Parameter names: the settings to read; nil for all, which are then judged together.
    /// - Throws: the reason why the server cannot start with a setting.
    func serverSettings(only names: Set<String>? = nil) throws(CommandFailure) -> ServerSettings {
        var result = ServerSettings(dataFolder: dataFolderPath)
        result.mail.environment = environment
        for row in ServerSetting.all where names?.contains(row.name) ?? true {
            if let value = settings[row.name] { try row.apply(&result, value, self) }
        }
        if names == nil, result.requiresVerification, result.mail.server == nil {
            throw .failed(Messages.verificationNeedsMail)
        }
        return result
    }
}

extension CommandPhrases.Serve {
    static let listen = Phrase(
        "the address and port to listen on, or unix:PATH; [::]:8080 accepts IPv4 and IPv6")
    static let publicURL = Phrase(
        "the beginning of check-in URLs (default: an address that phones can reach)")
    static let importFrom = Phrase("allow question files from these private addresses, too")
    static let webhooks = Phrase(
        "off: nobody can add web hooks, and those that exist get no events")
    static let webhooksToPrivate = Phrase("allow web hooks to these private addresses, too")
    static let trustedProxy = Phrase(
        "proxies whose X-Forwarded-… headers are trusted: a network, an address, loopback, or unix for "
            + "the peers of a Unix socket; can be repeated")
    static let connectionsPerAddress = Phrase(
        "the most connections per address, except proxies")
    static let metricsListen = Phrase("serve /metrics on this address instead of to this machine only")
    static let signUp = Phrase("who can sign up; the first account is always the operator's")
    static let smtpURL = Phrase(
        "the mail server, with TLS; without it, mails are written to the folder outbox")
    static let smtpPasswordFile = Phrase("a file with the mail server's password")
    static let mailFrom = Phrase("the sender of mails (default: the user of the mail server)")
    static let mailsPerAccount = Phrase(
        "the most mails to rosters and invited people that one account causes in 24 hours")
    static let noSMTPPassword = Phrase(
        "The mail server needs a password. Add --smtp-password-file FILE, or set QRING_SMTP_PASSWORD.")
    static let smtpPassword = Phrase("the mail server's password")
    static let phoneHookSecret = Phrase("the secret that signs the codes to phones")
    static let pushHookSecret = Phrase("the secret that signs push messages")
    static let databaseFile = Phrase("a file with the value of --database")
    static let phoneHookURL = Phrase(
        "the service that delivers codes to phones; without it, they are written to the folder outbox")
    static let phoneHookSecretFile = Phrase(
        "a file with the secret that signs the codes to phones")
    static let noPhoneHookSecret = Phrase(
        "The service for codes to phones needs a secret of at least {count} bytes. Add "
            + "--phone-hook-secret-file FILE, or set QRING_PHONE_HOOK_SECRET.")
    static let pushHookURL = Phrase(
        "the service that delivers push messages; without it, they are written to the folder outbox")
    static let pushHookSecretFile = Phrase(
        "a file with the secret that signs push messages")
    static let noPushHookSecret = Phrase(
        "The service for push messages needs a secret of at least {count} bytes. Add "
            + "--push-hook-secret-file FILE, or set QRING_PUSH_HOOK_SECRET.")
    static let phoneCodesPerHour = Phrase("the most messages with codes to phones in an hour")
    static let mailCodesPerHour = Phrase("the most mails with codes in an hour")
    static let verificationNeedsMail = Phrase(
        "--require-verification needs a mail server that sends the codes. Add --smtp-url, or leave out "
            + "--require-verification.")
    static let requireVerification = Phrase(
        "an account can do nothing else until its e-mail address is verified (needs --smtp-url)")
    static let terms = Phrase("a text file with the terms to accept at sign-up (default: the built-in terms)")
    static let termsNotReadable = Phrase("{file} is not a UTF-8 text of at most 100,000 characters.")
    static let signUpForm = Phrase(
        "short: the sign-up page asks for e-mail address, password and name; full: also for "
            + "birth date, gender, phone number and interests, which may stay empty")
    static let interests = Phrase("the number of interests on the sign-up page, 0 to 20")
    static let requireInterests = Phrase(
        "refuse a sign-up or a profile with fewer interests than --interests")
    static let loops = Phrase("threads for websockets")
    static let log = Phrase("the log's format, one line per request")
    static let logFile = Phrase("append the log to this file; SIGHUP reopens it (default: standard error)")
    static let retention = Phrase(
        "a preset of all retention periods: strict (names 28 days, sessions 365 days), school-year (sessions "
            + "400 days) or three-years (sessions 1,095 days); --keep-… replaces one period")
    static let keepNames = Phrase(
        "days after a session's end to store the names of its attendees (default: as long as the session)")
    static let keepEvidence = Phrase(
        "days after a session's end to store the devices and networks of its check-ins")
    static let keepSessions = Phrase(
        "days after their end to store sessions with attendance, answers and journal")
    static let keepActions = Phrase(
        "days to store the action log of accounts, members and personal data")
    static let keepMails = Phrase("days to store the addresses of mails that were sent")
    static let keepLogs = Phrase("days to store rotated files of --log-file")
    static let backupTo = Phrase("write backups into this folder, best on another disk")
    static let backupEvery = Phrase("the time between two backups, from 1m to 30d")
    static let backupKeep = Phrase(
        "the backups to keep: the newest of each of so many hours (h), days (d), weeks (w) and months (m)")
    static let backupKey = Phrase(
        "encrypt backups to this public key of qring admin backup-key (default: not encrypted)")
}
