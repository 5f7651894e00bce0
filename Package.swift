// swift-tools-version: 6.2
// The one table of targets, from the bottom to the top. Imports go down this list, never up, and never
// sideways among the wrappers of C libraries. `scripts/check` proves it, and that each file imports only what
// its target declares here. docs/architecture.md has the picture.
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // Debug builds and the sanitizers keep these checks (docs/decisions/0087-exclusive-access.md).
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// For targets that a person waits for, and that do little work: they compile in a quarter of the time, and
/// nobody notices that they run more slowly (docs/building.md).
let withoutOptimizing = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func clibrary(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A target's README is not a source. SwiftPM warns about a file that it does not know, and about an excluded
/// file that does not exist.
func readme(of name: String) -> [String] {
    let path = "\(Context.packageDirectory)/Sources/\(name)/README.md"
    return FileManager.default.fileExists(atPath: path) ? ["README.md"] : []
}

func library(
    _ name: String, _ dependencies: Target.Dependency..., settings: [SwiftSetting] = settings
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: readme(of: name), swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: settings)
}

let package = Package(
    name: "qring",
    products: [
        .executable(name: "qring", targets: ["qring"]),
        .executable(name: "qring-bench", targets: ["qring-bench"]),
    ],
    targets: [
        // C modules, one importer each.
        .systemLibrary(name: "CThreads"),
        .systemLibrary(name: "CLinux"),
        clibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        clibrary("CLibWebSockets", pkgConfig: "libwebsockets", package: "libwebsockets-dev"),
        clibrary("CJansson", pkgConfig: "jansson", package: "libjansson-dev"),
        clibrary("CQREncode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
        clibrary("CZlib", pkgConfig: "zlib", package: "zlib1g-dev"),
        clibrary("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        // SwiftPM warns that it ignores the -pthread in GLib's flags; nothing here needs it.
        clibrary("CPangoCairo", pkgConfig: "pangocairo", package: "libpango1.0-dev"),
        clibrary("CPostgres", pkgConfig: "libpq", package: "libpq-dev"),
        clibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        // Debian's libunistring has no pkg-config file.
        .systemLibrary(name: "CUnistring", providers: [.apt(["libunistring-dev"])]),
        clibrary("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        // A C interface of a C++ library.
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        clibrary("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        // The list of well-known passwords, compiled into the one binary.
        .target(name: "CPasswords", exclude: ["well-known.txt"]),
        // SwiftPM rejects the flags of its pkg-config file; the module map names the libraries instead.
        .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"])]),
        // Debian's libjq 1.6 has no pkg-config file.
        .systemLibrary(name: "CJQ", providers: [.apt(["libjq-dev"])]),

        // Threads of loops, and how other threads reach them. The one target that every wrapper may use.
        library("Threads", "CThreads"),
        // C libraries that only some commands need, opened when they are needed. Every wrapper may use it.
        .target(
            name: "COnDemand", dependencies: ["CCurl", "CJQ", "CPostgres", "CPangoCairo"],
            linkerSettings: [.linkedLibrary("dl")]),
        library("OnDemand", "COnDemand"),

        // Readers of small databases of the system, which the domain may use.
        library("ZoneDatabase"),
        library("UnicodeForms", "CUnistring"),
        // What the front door, the HTTP server and the websockets must read in the same way.
        library("HTTPGrammar"),

        // Wrappers of C libraries. They know nothing of meetings.
        library("Outbound", "Threads", "OnDemand", "CCurl"),
        library("FrontDoor", "Threads", "HTTPGrammar", "CLinux"),
        library("HTTPServer", "Threads", "HTTPGrammar", "CMicroHTTPD"),
        library("WebSockets", "Threads", "HTTPGrammar", "CLibWebSockets"),
        // Engine.IO and Socket.IO on websockets and polling. It knows nothing of meetings.
        library("SocketIO", "WebSockets"),
        library("Compression", "CZlib"),
        library("QRCodes", "CQREncode", "CPNG"),
        library("Paper", "OnDemand", "CPangoCairo"),
        library("Secrets", "CSodium"),
        library("Patterns", "CRE2"),
        library("Terminal", "Threads", "CNCurses"),
        library("JSONQueries", "OnDemand", "CJQ"),

        // The commit of a release, which `scripts/release` gives.
        .target(
            name: "CBuild",
            cSettings: ["QRING_COMMIT", "QRING_COMMIT_DATE"].compactMap { name in
                Context.environment[name].map { .define(name, to: "\"\($0)\"") }
            }),
        // The pages, compiled into the one binary.
        .target(name: "CPages"),
        library("Pages", "CPages"),

        // Texts, and the generic part of the command line. Nothing up to here knows of meetings.
        .target(name: "CLanguages"),
        library("Phrases", "CLanguages"),
        library(
            "CommandLine", "Terminal", "JSONQueries", "Phrases", "Threads", settings: withoutOptimizing),

        // The domain and its formats.
        library("Meetings", "ZoneDatabase", "UnicodeForms"),
        library("Wire", "Meetings", "Phrases", "CBuild", "CJansson", "CPasswords"),
        library("Rooms", "Meetings", "Wire"),
        // What the server that issues certificates and the programs that verify them have in common.
        library("Certificates", "Compression", "Secrets", "Wire", "Meetings"),

        // The clients. They come before the journal and the server, so that they cannot know them.
        library("Client", "WebSockets", "Outbound", "Wire", "Phrases", "Meetings"),
        library("RecordText", "Wire", "Phrases", "Meetings"),
        library("Dashboard", "RecordText", "Client", "Terminal", "QRCodes", "Wire", "Phrases", "Meetings"),
        library(
            "HostCommands", "Dashboard", "RecordText", "CommandLine", "Client", "OnDemand", "Outbound",
            "Terminal", "QRCodes", "Paper", "Certificates", "Wire", "Phrases", "Meetings",
            settings: withoutOptimizing),
        library(
            "Bench", "HostCommands", "CommandLine", "Client", "Outbound", "Terminal", "Wire", "Phrases",
            "Meetings", "Threads"),

        // The storage, the server and the program.
        library("Journal", "Meetings", "UnicodeForms"),
        // The statements, rows and cursors of both engines that speak SQL.
        library("SQLJournal", "Journal", "Meetings", "Threads"),
        library("SQLiteJournal", "SQLJournal", "Journal", "Meetings", "Threads", "CSQLite"),
        library("PostgresJournal", "SQLJournal", "Journal", "Meetings", "Threads", "OnDemand", "CPostgres"),
        library(
            "Server", "FrontDoor", "HTTPServer", "SocketIO", "WebSockets", "Outbound", "Rooms", "Journal",
            "Wire", "Phrases", "Meetings", "QRCodes", "Certificates", "Secrets", "Pages", "Paper",
            "Compression", "Threads"),
        .executableTarget(
            name: "qring",
            dependencies: [
                "HostCommands", "CommandLine", "Client", "Server", "Outbound", "PostgresJournal",
                "SQLiteJournal", "Journal", "FrontDoor", "Patterns", "Secrets", "Terminal", "Wire", "Phrases",
                "Meetings", "Threads",
            ],
            swiftSettings: withoutOptimizing),
        // The load tests, which start `qring serve` as a user would.
        .executableTarget(
            name: "qring-bench", dependencies: ["Bench", "HostCommands"], swiftSettings: settings),

        tests("Threads"),
        // Random numbers for tests.
        .target(name: "Seeds", path: "Tests/Seeds", swiftSettings: settings),
        tests("ZoneDatabase", "Seeds"),
        tests("UnicodeForms"),
        tests("HTTPGrammar"),
        tests("Meetings", "Seeds"),
        tests("Phrases"),
        tests("Wire", "Meetings", "Phrases"),
        // The contract that every storage engine fulfils. A library, because the tests of all engines run it.
        .target(
            name: "JournalContract", dependencies: ["Journal", "Meetings", "Seeds"],
            path: "Tests/JournalContract",
            swiftSettings: settings),
        // A storage engine in memory, as a model of the others.
        .target(
            name: "MemoryEngine", dependencies: ["Journal", "Meetings"], path: "Tests/MemoryEngine",
            swiftSettings: settings),
        tests("Journal", "JournalContract", "MemoryEngine", "Meetings"),
        // The attacks on anonymity, which run on every engine. They use the rooms, pages and files, so this
        // target knows the server too.
        .target(
            name: "AnonymityAttacks",
            dependencies: [
                "JournalContract", "SQLJournal", "Journal", "Meetings", "Rooms", "Wire", "Phrases", "Secrets",
                "Server", "Seeds",
            ], path: "Tests/AnonymityAttacks", swiftSettings: settings),
        // A PostgreSQL server for the tests of a process.
        .target(
            name: "PostgresCluster", dependencies: ["PostgresJournal"], path: "Tests/PostgresCluster",
            swiftSettings: settings),
        tests(
            "SQLiteJournal", "SQLJournal", "AnonymityAttacks", "JournalContract", "Journal", "Meetings",
            "Seeds"),
        tests(
            "PostgresJournal", "SQLJournal", "PostgresCluster", "AnonymityAttacks", "SQLiteJournal",
            "JournalContract", "Journal", "Meetings", "Threads"),
        tests("Rooms", "Wire", "Meetings", "Seeds"),
        // An HTTP server of a few lines, whose responses the test gives.
        .target(
            name: "TinyServer", dependencies: ["Threads"], path: "Tests/TinyServer", swiftSettings: settings),
        tests("Outbound", "TinyServer"),
        tests("FrontDoor"),
        tests("HTTPServer", "Seeds"),
        tests("WebSockets", "Seeds"),
        tests("SocketIO", "WebSockets", "Seeds"),
        // A server that sends messages back, for the tests of the protocols of Engine.IO and Socket.IO.
        .executableTarget(
            name: "SocketIOEcho", dependencies: ["SocketIO", "WebSockets", "HTTPServer", "FrontDoor"],
            path: "Tests/SocketIOEcho", swiftSettings: settings),
        // A server that sends messages back, for the tests of the websocket protocol
        // (Tests/System/test_websocket_protocol.py).
        .executableTarget(
            name: "WebSocketEcho", dependencies: ["WebSockets", "FrontDoor"], path: "Tests/WebSocketEcho",
            swiftSettings: settings),
        tests("Compression"),
        tests("QRCodes"),
        tests("Paper"),
        tests("Secrets"),
        tests("Certificates", "Secrets", "QRCodes", "Wire", "Meetings", "Seeds"),
        tests("Patterns"),
        tests("Terminal"),
        tests("JSONQueries"),
        tests(
            "Server", "PostgresJournal", "PostgresCluster", "SQLiteJournal", "Patterns", "FrontDoor",
            "HTTPServer", "WebSockets", "Outbound", "Journal", "Wire", "Phrases", "Meetings", "Secrets",
            "QRCodes", "Certificates", "Seeds"),
        tests("Client", "TinyServer", "Outbound", "Wire", "Phrases", "Meetings"),
        tests("CommandLine", "Terminal", "Phrases"),
        tests("RecordText", "Wire", "Phrases", "Meetings"),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard", "Client", "Terminal", "Wire", "Phrases", "Meetings"],
            exclude: ["Golden"], swiftSettings: settings),
        tests(
            "HostCommands", "CommandLine", "Client", "Outbound", "Terminal", "Wire", "Phrases", "Meetings"),
        tests("Bench", "CommandLine", "HostCommands"),
    ],
    // #embed, for the pages.
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17)

// `scripts/fuzz` builds this for libFuzzer, which has the `main`. It needs the internals of the server, so
// that other builds leave it out.
if Context.environment["QRING_FUZZ"] != nil {
    package.targets.append(
        .target(
            name: "Fuzz",
            dependencies: [
                "Server", "FrontDoor", "HTTPServer", "SocketIO", "WebSockets", "HTTPGrammar", "Wire",
                "Secrets",
                "Meetings",
                "Phrases", "Client",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: settings))
}
