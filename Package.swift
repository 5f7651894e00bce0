// swift-tools-version: 6.2
// Targets from the bottom to the top. Imports go down this list, never up and never sideways among the
// wrappers of C libraries; `scripts/check` proves it. docs/architecture.md has the picture.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

func clibrary(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func room(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: settings)
}

let package = Package(
    name: "qring",
    products: [.executable(name: "qring", targets: ["qring"])],
    targets: [
        // System libraries, one importer each.
        .systemLibrary(name: "CThreads"),
        .systemLibrary(name: "CLinux"),
        clibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        clibrary("CLibWebSockets", pkgConfig: "libwebsockets", package: "libwebsockets-dev"),
        clibrary("CJansson", pkgConfig: "jansson", package: "libjansson-dev"),
        clibrary("CQREncode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
        clibrary("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        // GLib's flags have a -pthread that SwiftPM tells that it passes over; nothing here needs it.
        clibrary("CPangoCairo", pkgConfig: "pangocairo", package: "libpango1.0-dev"),
        clibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        clibrary("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        // A C face for a C++ library: the one target with code that is not Swift.
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        clibrary("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
        // Its pkg-config file has flags that a package may not pass on; the module map names the libraries.
        .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"])]),

        // Threads of loops, and how other threads reach them. The one target that every wrapper may use.
        room("Threads", "CThreads"),

        // What the project exists for.
        room("Meetings"),
        room("Phrases"),
        room("Wire", "Meetings", "Phrases", "CJansson"),
        room("Journal", "Meetings"),
        room("SQLiteJournal", "Journal", "Meetings", "Threads", "CSQLite"),
        room("Rooms", "Meetings", "Wire"),

        // Wrappers, which know nothing of meetings.
        room("Outbound", "Threads", "CCurl"),
        room("FrontDoor", "Threads", "CLinux"),
        room("HTTPServer", "Threads", "CMicroHTTPD"),
        room("WebSockets", "Threads", "CLibWebSockets"),
        room("QRCodes", "CQREncode", "CPNG"),
        room("Paper", "CPangoCairo"),
        room("Secrets", "CSodium"),
        room("Patterns", "CRE2"),
        room("Terminal", "CNCurses"),

        // The pages, compiled in, so that one binary is all there is to start.
        .target(name: "CPages"),
        room("Pages", "CPages"),

        // What a person starts.
        room(
            "Server", "FrontDoor", "HTTPServer", "WebSockets", "Rooms", "Journal", "Wire", "Phrases",
            "Meetings", "QRCodes", "Secrets",
            "Pages", "Paper"),
        room("Client", "WebSockets", "Outbound", "Wire", "Phrases", "Meetings"),
        room("CommandLine", "Terminal", "Phrases"),
        room("RecordText", "Wire", "Phrases", "Meetings"),
        room("Dashboard", "RecordText", "Client", "Terminal", "QRCodes", "Wire", "Phrases", "Meetings"),
        room(
            "HostCommands", "Dashboard", "RecordText", "CommandLine", "Client", "Outbound", "Terminal",
            "QRCodes", "Wire", "Phrases", "Meetings"),
        room(
            "Bench", "HostCommands", "CommandLine", "Client", "Outbound", "Terminal", "Wire", "Phrases",
            "Meetings", "Threads"),
        .executableTarget(
            name: "qring",
            dependencies: [
                "Bench", "HostCommands", "CommandLine", "Client", "Outbound", "Server", "SQLiteJournal",
                "Journal",
                "FrontDoor",
                "Patterns", "Terminal", "Wire",
                "Phrases",
                "Meetings",
            ],
            swiftSettings: settings),

        tests("Threads"),
        tests("Meetings"),
        tests("Phrases"),
        tests("Wire", "Meetings", "Phrases"),
        // The contract every engine passes; a library, so that engines' tests can run it.
        .target(
            name: "JournalContract", dependencies: ["Journal", "Meetings"], path: "Tests/JournalContract",
            swiftSettings: settings),
        tests("Journal", "JournalContract", "Meetings"),
        tests("SQLiteJournal", "JournalContract", "Journal", "Meetings"),
        tests("Rooms", "Wire", "Meetings"),
        // An HTTP server of a few lines, whose responses the test gives.
        .target(
            name: "TinyServer", dependencies: ["Threads"], path: "Tests/TinyServer", swiftSettings: settings),
        tests("Outbound", "TinyServer"),
        tests("FrontDoor"),
        tests("HTTPServer"),
        tests("WebSockets"),
        // A server that sends messages back, for tests that speak the protocol by hand
        // (Tests/System/test_websocket_protocol.py).
        .executableTarget(
            name: "WebSocketEcho", dependencies: ["WebSockets", "FrontDoor"], path: "Tests/WebSocketEcho",
            swiftSettings: settings),
        tests("QRCodes"),
        tests("Paper"),
        tests("Secrets"),
        tests("Patterns"),
        tests("Terminal"),
        tests(
            "Server", "SQLiteJournal", "Patterns", "HTTPServer", "WebSockets", "Journal", "Wire", "Meetings",
            "Secrets"),
        tests("Client", "TinyServer", "Outbound", "Wire", "Phrases", "Meetings"),
        tests("CommandLine", "Terminal", "Phrases"),
        tests("RecordText", "Wire", "Phrases", "Meetings"),
        .testTarget(
            name: "DashboardTests",
            dependencies: ["Dashboard", "RecordText", "Client", "Terminal", "Wire", "Phrases", "Meetings"],
            exclude: ["Golden"], swiftSettings: settings),
        tests(
            "HostCommands", "Dashboard", "CommandLine", "Client", "Terminal", "Wire", "Phrases", "Meetings"),
        tests("Bench", "CommandLine", "HostCommands", "Phrases"),
    ],
    // #embed, for the pages.
    cLanguageStandard: .c2x,
    cxxLanguageStandard: .cxx17)

// What `scripts/fuzz` builds for libFuzzer, which brings the `main`. It looks into the server, so that it is
// no part of other builds.
if Context.environment["QRING_FUZZ"] != nil {
    package.targets.append(
        .target(
            name: "Fuzz",
            dependencies: [
                "Server", "FrontDoor", "HTTPServer", "Wire", "Secrets", "Meetings", "Phrases", "Client",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: settings))
}
