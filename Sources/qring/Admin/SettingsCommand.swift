import CommandLine
import HostCommands
import Meetings
import Phrases
import Terminal

private typealias Messages = CommandPhrases.AdminSettings

/// The command `qring admin settings`, which shows the settings in force and their places.
let settingsCommand = CommandDeclaration(
    "admin settings", Messages.summary,
    examples: [
        .init("admin settings", Messages.exampleMade), .init("admin settings --all", Messages.exampleAll),
    ],
    options: [.flag("all", Messages.all)] + serveOptions + [.json(of: Settings.self)], hasServer: false
) { call throws(CommandFailure) in
    let preset = call.settings["retention"]
    let periods = Retention(Retention.Preset(rawValue: preset?.text ?? "") ?? .threeYears)
    let rows = ServerSetting.all.map { row in
        // A preset gives the periods that the operator has not chosen.
        let given = preset == nil ? nil : row.days(periods)
        return SettingRow(row.setting, call.settings[row.name], call, given: given, by: preset?.label)
    }
    let unknown = call.unknownVariables.map(\.name)
    if call.wantsJSON {
        call.json(Settings(items: rows, unknownVariables: unknown))
        return .success
    }
    var table = Table(
        [Messages.headName, Messages.headValue, Messages.headPlace].map { call.text($0) }, wrapping: [1, 2])
    for row in rows where row.place != nil || call.arguments.has("all") {
        let value =
            row.isSecret && row.value == nil && row.place != nil ? call.text(Messages.hidden) : row.value
        table.add([row.name, value ?? row.default ?? "", row.place ?? call.text(Messages.byDefault)])
    }
    if table.rows.isEmpty { call.out(Messages.none) } else { call.out(table) }
    for name in unknown { call.note(Messages.unknownVariable, ["name": name]) }
    return .success
}

/// What `qring admin settings --json` prints.
private struct Settings: Codable, Sendable {
    let items: [SettingRow]
    let unknownVariables: [String]
}

private struct SettingRow: Codable, Sendable {
    let name: String
    /// The options, variables and keys that set it.
    let options: [String]
    let variables: [String]
    let keys: [String]
    let credential: String?
    let `default`: String?
    let meaning: String
    /// Whether the value is a secret, which is never shown.
    let isSecret: Bool
    let value: String?
    let source: String?
    let place: String?

    /// - Parameters:
    ///   - given: the value that a preset gives; nil if none does.
    ///   - preset: the place of the preset.
    init(
        _ setting: Setting, _ made: SettingValue?, _ call: Invocation, given: Int?, by preset: String?
    ) {
        name = setting.name
        options = setting.options.map(\.long)
        variables = setting.names.map(Setting.variable)
        keys = setting.names
        credential = setting.isSecret == nil ? nil : setting.credential
        `default` = setting.option.usual
        meaning = call.text(setting.option.meaning)
        let text = made?.text ?? ""
        isSecret = setting.isSecret?(text) ?? false
        let stated: String? =
            made == nil || isSecret && made?.isPath != true ? nil : ServerSetting.withoutPassword(text)
        value = stated ?? (made == nil ? given.map(String.init) : nil)
        source = made?.source.rawValue
        place = made?.label ?? given.flatMap { _ in preset }
    }
}

extension Invocation {
    /// The variables `QRING_…` that neither this program nor an extension of it reads.
    var unknownVariables: [(name: String, near: String?)] {
        let settings = ServerSetting.all.flatMap(\.setting.names).map(Setting.variable)
        // `QRING_CONFIG` names the file of settings. Extensions of the command line get `QRING_SESSION`.
        let others = ["QRING_CONFIG", "QRING_SESSION"]
        return Setting.unknownVariables(
            in: environment, known: Set(settings + others + HelpTopic.variablesOfClients))
    }

    /// Ends a command if a variable is unknown, because the operator expects that it has an effect.
    func refuseUnknownVariables() throws(CommandFailure) {
        guard let unknown = unknownVariables.first else { return }
        throw .failed(
            unknown.near == nil ? Messages.unknownVariable : Messages.unknownVariableNear,
            ["name": unknown.name, "near": unknown.near ?? ""], next: "qring admin settings --all")
    }
}

extension CommandPhrases {
    enum AdminSettings {
        static let summary = Phrase("show the settings in force, and where each of them was set")
        static let exampleMade = Phrase("only the settings that were set")
        static let exampleAll = Phrase("with all defaults")
        static let all = Phrase("also show the settings that have their default")
        static let headName = Phrase("SETTING")
        static let headValue = Phrase("VALUE", context: "setting")
        static let headPlace = Phrase("SET BY")
        static let hidden = Phrase("(hidden)")
        static let byDefault = Phrase("default")
        static let none = Phrase("Every setting has its default. Add --all to show them.")
        static let unknownVariable = Phrase("The variable {name} is no setting of QRing. Unset it.")
        static let unknownVariableNear = Phrase(
            "The variable {name} is no setting of QRing. Did you mean {near}? Otherwise, unset it.")
    }
}
