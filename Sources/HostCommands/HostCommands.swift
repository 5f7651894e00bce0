internal import Client
package import CommandLine
internal import Glibc
internal import OnDemand
internal import Phrases
internal import Terminal
internal import Wire

/// The commands that hosts and attendees use.
package enum HostCommands {
    private typealias Help = CommandPhrases.Help

    package static var all: [CommandDeclaration] {
        AccountCommands.all + ProfileCommands.all + MeetingCommands.all + SessionCommands.all
            + CodeCommands.all
            + AttendeeCommands.all + QuestionCommands.all + PollCommands.all
            + ResultCommands.all + AudienceCommands.all + ModerateCommands.all + GroupsCommands.all
            + CorrectionCommands.all + MemberCommands.all
            + LiveCommands.all
            + DashboardCommand.all
            + [CompletionCommand.declaration, version, HelpCommand.declaration]
            + SeriesCommands.all + RosterCommands.all + PrivacyCommands.all
            + APICommand.all + EventsCommand.all + TokenCommands.all + ContextCommands.all
            + ConfigCommands.all + AliasCommands.all + LinkCommands.all + WebhookCommands.all
            + PassCommands.all + OfflineDoorCommands.all + AbsenceCommands.all + CertificateCommands.all
            + ReplyCommands.all
    }

    /// All commands of the program.
    /// - Parameter extra: commands that only the executable can have because they need the server, such as
    ///   `serve`.
    package static func commandSet(with extra: [CommandDeclaration] = []) -> CommandSet {
        CommandSet(
            extra + all, version: ProductVersion.text, headline: Help.headline,
            overviewExamples: ["demo", "meeting create \"Study group\" --now", "watch @"],
            sections: HelpSection.all, otherCommands: CommandPhrases.Overview.other, topics: HelpTopic.all,
            valueCandidates: { name, typed, given, call in
                await KnownNames(call).candidates(for: name, beginningWith: typed, after: given)
            },
            valueFault: { name, label, value, call in
                await KnownNames(call).fault(of: value, for: name, named: label)
            })
    }

    /// Runs one command line.
    /// - Parameters:
    ///   - arguments: the words of the command line without the program's name.
    ///   - extra: commands that only the executable can have because they need the server, such as `serve`.
    /// - Returns: the exit code.
    package static func run(
        arguments: [String], environment: [String: String], extra: [CommandDeclaration] = [],
        console: any Console = StandardConsole(), catchesSignals: Bool = true
    ) async -> Int32 {
        // A broken file is reported by the commands that need it.
        let saved = try? SettingsFile(environment: environment).load()
        let set = commandSet(with: extra)
        let preferences = saved?.preferences ?? Preferences()
        if catchesSignals, let name = arguments.first, !set.hasCommand(named: name),
            preferences.aliases[name] == nil,
            let program = Extensions(environment: environment).path(of: name)
        {
            let language = preferences.language ?? .english
            guard !Extensions.isWritableByOthers(program) else {
                console.errLine(
                    "qring: " + Help.extensionWritable.text(in: language, ["program": program]))
                return ExitCode.failed.rawValue
            }
            let context = environment["QRING_CONTEXT", default: ""]
            let namesServer = !environment["QRING_SERVER", default: ""].isEmpty
            guard context.isEmpty || namesServer || saved?.context(context) != nil else {
                let text = CommandPhrases.Contexts.unknown.text(
                    in: language, ["name": TerminalEscaping.safe(context)])
                console.errLine("qring: \(text)")
                return ExitCode.notFound.rawValue
            }
            let reason = Extensions.replaceProcess(
                by: program, Array(arguments.dropFirst()),
                environment: variables(ofExtensions: environment, saved))
            console.errLine("qring: \(program): \(reason)")
            return ExitCode.failed.rawValue
        }
        return await set.run(
            arguments: arguments, environment: environment, console: console, catchesSignals: catchesSignals,
            preferences: preferences)
    }

    /// Returns the variables of an extension: the server that `qring` would use, and no token.
    private static func variables(ofExtensions environment: [String: String], _ saved: SavedSettings?)
        -> [String: String]
    {
        var variables = Extensions.withoutSecrets(environment)
        if variables["QRING_SERVER", default: ""].isEmpty {
            let context = saved?.contexts.first { $0.name == variables["QRING_CONTEXT"] }
            variables["QRING_SERVER"] = (context?.server ?? saved?.server ?? .standard).url
        }
        return variables
    }

    private static let version = CommandDeclaration(
        "version", Help.version,
        examples: [.init("version", Help.versionOption), .init("version --json", Help.versionJSON)],
        options: [.json(fields: ["version", "commit", "date", "optimized", "libraries"])], hasServer: false
    ) { call throws(CommandFailure) in
        if call.wantsJSON {
            call.json(ProgramDescription())
        } else {
            call.out("qring \(ProductVersion.text)")
        }
        return .success
    }
}

extension CommandPhrases.Help {
    static let headline = Phrase("qring: check-in by QR code and live feedback for meetings.")
    static let extensionWritable = Phrase(
        "every user of this machine may write to {program}. Remove this permission: chmod o-w {program}")
    static let versionOption = Phrase("the same as qring --version")
    static let version = Phrase("print the version")
    static let versionJSON = Phrase("as JSON, with the versions of the C libraries")
}

/// What `qring version --json` prints.
package struct ProgramDescription: Codable, Sendable {
    package let version: String
    /// The commit and its time, in a build by `scripts/release`.
    package let commit: String?
    package let date: String?
    /// Whether this is a release build.
    package let optimized: Bool
    /// The versions of the C libraries in this program, by name.
    package let libraries: [String: String]

    init() {
        (version, commit, date) = (ProductVersion.text, ProductVersion.commit, ProductVersion.date)
        #if DEBUG
        optimized = false
        #else
        optimized = true
        #endif
        libraries = Self.libraryVersions()
    }

    /// This target does not import the libraries, so it finds their functions by name in the running program.
    private static func libraryVersions() -> [String: String] {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        var versions: [String: String] = [:]
        for (library, function) in [
            ("SQLite", "sqlite3_libversion"), ("libmicrohttpd", "MHD_get_version"),
            ("libwebsockets", "lws_get_library_version"), ("jansson", "jansson_version_str"),
            ("libcurl", "curl_version"), ("libqrencode", "QRcode_APIVersionString"),
            ("libsodium", "sodium_version_string"), ("ncurses", "curses_version"),
            ("pango", "pango_version_string"), ("cairo", "cairo_version_string"), ("zlib", "zlibVersion"),
        ] {
            guard let address = dlsym(nil, function) ?? OnDemandLibrary.address(of: function),
                let text = unsafeBitCast(address, to: Version.self)()
            else { continue }
            // The text can be "ncurses 6.4.2", "libcurl/7.88.1 OpenSSL/3.0.16" or "4.1.6-no_hash".
            versions[library] = String(
                String(cString: text).drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." })
        }
        if let address = OnDemandLibrary.address(of: "PQlibVersion") {
            // 150014 is 15.14.
            let number = unsafeBitCast(address, to: (@convention(c) () -> CInt).self)()
            versions["libpq"] = "\(number / 10_000).\(number % 10_000)"
        }
        return versions
    }
}

extension CommandPhrases.Overview {
    static let other = Phrase("More", context: "help")
}
