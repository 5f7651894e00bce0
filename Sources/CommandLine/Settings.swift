internal import Glibc
package import Phrases

/// A setting of a server. Its option, its variable and its key in the file of settings have the same name:
/// `--public-url`, `QRING_PUBLIC_URL` and `public-url`.
package struct Setting: Sendable {
    package let option: CommandDeclaration.Option
    /// Whether a value is secret, so that no output shows it; nil if no value is. A secret can be in its own
    /// file: `--smtp-password-file`, `QRING_SMTP_PASSWORD_FILE`, `smtp-password-file`.
    package let isSecret: (@Sendable (String) -> Bool)?
    private let file: CommandDeclaration.Option?
    private let hasOption: Bool

    package init(_ option: CommandDeclaration.Option) {
        (self.option, isSecret, file, hasOption) = (option, nil, nil, true)
    }

    /// A secret without an option for the value, because every user of the machine can read a command line.
    package init(secret name: String, _ meaning: Phrase, file: Phrase) {
        option = .value(name, name.uppercased(), meaning)
        isSecret = { _ in true }
        self.file = .value("\(name)-file", "FILE", file)
        hasOption = false
    }

    /// A setting whose value is a secret only sometimes, such as a URL that can have a password.
    package init(
        _ option: CommandDeclaration.Option, secretIf isSecret: @escaping @Sendable (String) -> Bool,
        file: Phrase
    ) {
        (self.option, self.isSecret, hasOption) = (option, isSecret, true)
        self.file = .value("\(option.name)-file", "FILE", file)
    }

    package var name: String { option.name }
    package var options: [CommandDeclaration.Option] {
        (hasOption ? [option] : []) + (file.map { [$0] } ?? [])
    }
    /// The names that the operator can write for this setting.
    package var names: [String] { [name] + (file.map { [$0.name] } ?? []) }

    /// Returns the environment variable of a name: `QRING_PUBLIC_URL` of `public-url`.
    package static func variable(_ name: String) -> String {
        "QRING_" + name.uppercased().replacing("-", with: "_")
    }

    /// The name of the credential that systemd can pass for a secret.
    package var credential: String { "qring.\(name)" }

    /// Returns the variables `QRING_…` that nobody reads, with the most similar known name.
    ///
    /// Kubernetes sets variables for each service of a namespace (`QRING_PORT=tcp://…`,
    /// `QRING_SERVICE_HOST`), so that they are accepted.
    package static func unknownVariables(
        in environment: [String: String], known: Set<String>
    ) -> [(name: String, near: String?)] {
        environment.keys.filter {
            $0.hasPrefix("QRING_") && !known.contains($0)
                && $0.firstMatch(of: #/_SERVICE_(HOST|PORT(_.*)?)$|_PORT_[0-9]+_(TCP|UDP|SCTP)/#) == nil
                && environment[$0]?.firstMatch(of: #/^(tcp|udp|sctp):///#) == nil
        }.sorted().map { ($0, Suggestion.nearest(to: $0, among: known.sorted())) }
    }
}

/// The value of a setting, and its place.
package struct SettingValue: Sendable {
    /// The sources, beginning with the one that counts most.
    package enum Source: String, Sendable, CaseIterable {
        case option, environment, credential, file
    }

    package let text: String
    package let source: Source
    /// The option, variable, credential or line that has set the value: `--loops`, `QRING_LOOPS`, the path of
    /// the credential, or `loops (/etc/qring/qring.conf:3)`.
    package let label: String
    /// Whether `text` is the path of a file whose first line is the value.
    package let isPath: Bool

    /// The failure of a value that the setting does not accept.
    package func notReadable(_ text: String? = nil, expected: String) -> CommandFailure {
        .usage(.notReadable(label, text ?? self.text, expected: expected))
    }

    /// The failure of a value that is no integer within the range.
    package func outOfRange(_ range: ClosedRange<Int>) -> CommandFailure {
        .usage(.outOfRange(label, range))
    }
}

extension Invocation {
    private typealias Messages = CommandPhrases.Settings

    /// Returns a copy of this invocation that knows the settings of the command line, the environment,
    /// systemd's credentials and the file of settings, in this order.
    /// - Parameter standard: the file that is read if neither `--config` nor `QRING_CONFIG` names another one
    ///   and if it exists.
    package func reading(_ all: [Setting], orElseFrom standard: String) throws(CommandFailure) -> Invocation {
        let named = arguments.value("config") ?? variable("QRING_CONFIG")
        let file = try ConfigurationFile.read(
            named ?? standard, isOptional: named == nil, settings: all)
        var call = self
        call.settings = [:]
        for setting in all {
            for source in SettingValue.Source.allCases {
                guard let found = try value(of: setting, in: source, file) else { continue }
                call.settings[setting.name] = found
                break
            }
        }
        return call
    }

    private func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the value that one source has for a setting; nil if it has none.
    private func value(
        of setting: Setting, in source: SettingValue.Source, _ file: ConfigurationFile
    ) throws(CommandFailure) -> SettingValue? {
        var found: SettingValue?
        for name in setting.names {
            let text: String?
            var label = "--\(name)"
            switch source {
            case .option:
                let given = arguments.values(name)
                text = arguments.has(name) ? "yes" : given.isEmpty ? nil : given.joined(separator: ",")
            case .environment:
                label = Setting.variable(name)
                text = variable(label)
            case .credential:
                guard name != setting.name, let folder = variable("CREDENTIALS_DIRECTORY") else { continue }
                label = "\(folder)/\(setting.credential)"
                text = access(label, F_OK) == 0 ? label : nil
            case .file:
                let entry = file.entries[name]
                label = entry?.label ?? name
                text = entry?.text
            }
            guard let text else { continue }
            if let found { throw .usage(.together(found.label, label)) }
            found = SettingValue(text: text, source: source, label: label, isPath: name != setting.name)
        }
        return found
    }

    /// Returns the value of a setting. If the value is in a file, reads the first line of the file.
    /// - Throws: `.failed` with the name of the setting if the file cannot be read, if every user may write
    ///   to it, or if its first line is not a text of 1 to 1000 bytes.
    package func settingText(_ name: String) throws(CommandFailure) -> String? {
        guard let value = settings[name] else { return nil }
        guard value.isPath else { return value.text }
        let names = ["setting": value.label, "file": value.text]
        let (bytes, mode): ([UInt8], mode_t)
        do throws(FileFailure) { (bytes, mode) = try FileBytes.readWithMode(value.text) } catch {
            throw .failed(Messages.secretNotReadable, names.merging(["reason": error.reason]) { $1 })
        }
        guard !FileBytes.isWritableByOthers(mode) else {
            throw .failed(Messages.secretWritable, names, next: "chmod o-w \(value.text)")
        }
        let text = String(validating: bytes, as: UTF8.self)
        guard let line = text?.split(whereSeparator: \.isNewline).first, line.utf8.count <= 1000 else {
            throw .failed(Messages.secretNotText, names)
        }
        return String(line)
    }

    /// Replaces the path of a file by the value in it, for a setting that many functions read.
    package mutating func readSecret(_ name: String) throws(CommandFailure) {
        guard let value = settings[name], value.isPath, let text = try settingText(name) else { return }
        settings[name] = SettingValue(text: text, source: value.source, label: value.label, isPath: false)
    }
}

/// A file of settings. Each line is `key = value`. A line that begins with `#` or `;` is a comment; a value
/// has no comment behind it, because a URL can contain these characters. A pair of quotes around a value is
/// not part of it.
package struct ConfigurationFile: Sendable {
    private typealias Messages = CommandPhrases.Settings

    package struct Entry: Sendable, Equatable {
        package fileprivate(set) var text: String
        package let label: String
    }

    /// The values by key. A key without a value is not set.
    package private(set) var entries: [String: Entry] = [:]

    private init() {}

    /// Reads a file.
    /// - Parameter isOptional: whether the file may be missing. Then there are no entries.
    static func read(_ path: String, isOptional: Bool, settings: [Setting]) throws(CommandFailure)
        -> ConfigurationFile
    {
        guard let (bytes, mode) = try contents(of: path, isOptional: isOptional) else {
            return ConfigurationFile()
        }
        return try ConfigurationFile(
            bytes, path: path, isReadableByOthers: mode & S_IROTH != 0, settings: settings)
    }

    /// Returns the bytes and the mode of a file; nil if it is optional and missing.
    private static func contents(of path: String, isOptional: Bool) throws(CommandFailure)
        -> (bytes: [UInt8], mode: mode_t)?
    {
        if isOptional, access(path, F_OK) != 0, errno == ENOENT { return nil }
        let (bytes, mode): ([UInt8], mode_t)
        do throws(FileFailure) { (bytes, mode) = try FileBytes.readWithMode(path) } catch {
            throw .failed(CommandPhrases.Fail.fileUnreadable, ["path": path, "reason": error.reason])
        }
        guard !FileBytes.isWritableByOthers(mode) else {
            throw .failed(Messages.fileWritable, ["file": path], next: "chmod o-w \(path)")
        }
        return (bytes, mode)
    }

    /// A line of a file, with the values that messages about the line need (`file` and `line`).
    package typealias Pair = (key: String, value: String, place: [String: String])

    /// Returns the lines of a file that is not about settings of the server; empty if there is no file.
    package static func pairs(of path: String) throws(CommandFailure) -> [Pair] {
        guard let (bytes, _) = try contents(of: path, isOptional: true) else { return [] }
        return try pairs(in: bytes, path: path, areLines: true)
    }

    /// - Parameter areLines: whether the values are command lines, whose quotes can enclose single words.
    private static func pairs(in bytes: [UInt8], path: String, areLines: Bool = false)
        throws(CommandFailure) -> [Pair]
    {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failed(Messages.notUTF8, ["file": path])
        }
        var found: [Pair] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let line = trimmed(line)
            guard let first = line.first, first != "#", first != ";" else { continue }
            let place = ["file": path, "line": "\(index + 1)"]
            guard let equals = line.firstIndex(of: "=") else { throw .failed(Messages.notAnEntry, place) }
            let written = trimmed(line[line.index(after: equals)...])
            // `"my printer" --label "a b"` has quotes at both ends, but they are not a pair.
            let isOneWord = !areLines || ShellLine.words(of: String(written)).count == 1
            let value = isOneWord ? unquoted(written) : String(written)
            found.append((String(trimmed(line[..<equals])), value, place))
        }
        return found
    }

    package init(
        _ bytes: [UInt8], path: String, isReadableByOthers: Bool, settings: [Setting]
    ) throws(CommandFailure) {
        for (key, value, place) in try Self.pairs(in: bytes, path: path) {
            guard let setting = settings.first(where: { $0.names.contains(key) }) else {
                throw Self.unknown(key, place, settings)
            }
            guard !value.isEmpty else { continue }
            if key == setting.name, setting.isSecret?(value) == true, isReadableByOthers {
                throw .failed(
                    Messages.readableSecret,
                    place.merging(["key": key]) { $1 }, next: "chmod o-r \(path)")
            }
            if case .values = setting.option.kind, let earlier = entries[key] {
                entries[key]?.text = "\(earlier.text),\(value)"
            } else if entries[key] != nil {
                throw .failed(Messages.repeated, place.merging(["key": key]) { $1 })
            } else {
                entries[key] = Entry(text: value, label: "\(key) (\(path):\(place["line", default: ""]))")
            }
        }
    }

    private static func unknown(_ key: String, _ place: [String: String], _ settings: [Setting])
        -> CommandFailure
    {
        // A line of a file for `EnvironmentFile=` has the variable instead of the key.
        var plain = key.lowercased().replacing("_", with: "-")
        if plain.hasPrefix("qring-") { plain.removeFirst(6) }
        let near = Suggestion.nearest(to: plain, among: settings.flatMap(\.names))
        let values = place.merging(["key": key, "near": near ?? ""]) { $1 }
        return .failed(
            near == nil ? Messages.unknownKey : Messages.unknownKeyNear, values, next: "qring admin settings")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote
        else { return String(text) }
        return String(text.dropFirst().dropLast())
    }
}

extension CommandDeclaration.Option {
    package static let config = value("config", "FILE", CommandPhrases.Settings.config)
}

extension CommandPhrases {
    package enum Settings {
        static let config = Phrase("the file of settings (default /etc/qring/qring.conf, if it exists)")
        static let secretNotReadable = Phrase("{setting}: the file {file} cannot be read: {reason}.")
        static let secretWritable = Phrase(
            "{setting}: every user of this machine may write to {file}. Remove this "
                + "permission, and check the secret.")
        static let secretNotText = Phrase(
            "{setting}: the first line of {file} must be a text of 1 to 1000 bytes.")
        static let fileWritable = Phrase(
            "Every user of this machine may write to {file}. Remove this permission, and check the settings.")
        static let notUTF8 = Phrase("{file} is not a UTF-8 text.")
        static let notAnEntry = Phrase(
            "{file}, line {line}: write key = value, or begin the line with # for a comment.")
        static let unknownKey = Phrase("{file}, line {line}: unknown setting \"{key}\".")
        static let unknownKeyNear = Phrase(
            "{file}, line {line}: unknown setting \"{key}\". Did you mean {near}?")
        static let repeated = Phrase("{file}, line {line}: {key} can be set only once.")
        static let readableSecret = Phrase(
            "{file}, line {line}: every user of this machine can read this secret. Write it into a file of "
                + "its own and set {key}-file, or remove the permission to read.")
    }
}
