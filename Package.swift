// swift-tools-version: 6.2
// Targets from the bottom to the top. Imports go down this list, never up and never sideways among the wrappers of C
// libraries; `scripts/check` proves it. docs/architecture.md has the picture.
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
    .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, swiftSettings: settings)
}

let package = Package(
    name: "qring",
    products: [.executable(name: "qring", targets: ["qring"])],
    targets: [
        // System libraries, one importer each.
        .systemLibrary(name: "CLinux"),
        clibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", package: "libmicrohttpd-dev"),
        clibrary("CLibWebSockets", pkgConfig: "libwebsockets", package: "libwebsockets-dev"),
        clibrary("CJansson", pkgConfig: "jansson", package: "libjansson-dev"),
        clibrary("CQREncode", pkgConfig: "libqrencode", package: "libqrencode-dev"),
        clibrary("CPNG", pkgConfig: "libpng", package: "libpng-dev"),
        clibrary("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        clibrary("CSodium", pkgConfig: "libsodium", package: "libsodium-dev"),
        clibrary("CCurl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),

        // What the project exists for.
        room("Meetings"),
        room("Phrases"),
        room("Wire", "Meetings", "Phrases", "CJansson"),
        room("Journal", "Meetings"),
        room("SQLiteJournal", "Journal", "Meetings", "CSQLite"),
        room("Rooms", "Meetings", "Wire"),

        // Wrappers, which know nothing of meetings.
        room("FrontDoor", "CLinux"),
        room("HTTPServer", "CMicroHTTPD"),
        room("WebSockets", "CLibWebSockets"),
        room("QRCodes", "CQREncode", "CPNG"),
        room("Secrets", "CSodium"),

        // The pages, compiled in, so that one binary is all there is to start.
        .target(
            name: "Pages", path: "Public", sources: ["Pages.swift"],
            resources: [
                .embedInCode("page.css"), .embedInCode("page.js"), .embedInCode("present.html"), .embedInCode("present.css"),
                .embedInCode("present.js"),
            ],
            swiftSettings: settings),

        // What a person starts.
        room(
            "Server", "FrontDoor", "HTTPServer", "WebSockets", "Rooms", "Journal", "Wire", "Phrases", "Meetings", "QRCodes", "Secrets",
            "Pages"),
        room("Client", "WebSockets", "Wire", "Phrases", "Meetings", "CCurl"),
        room("HostCommands", "Client", "QRCodes", "Wire", "Phrases", "Meetings"),
        room("Bench", "HostCommands", "Client", "Wire", "Phrases", "Meetings"),
        .executableTarget(
            name: "qring",
            dependencies: ["Bench", "HostCommands", "Client", "Server", "SQLiteJournal", "Journal", "FrontDoor", "Phrases", "Meetings"],
            swiftSettings: settings),

        tests("Meetings"),
        tests("Phrases"),
        tests("Wire", "Meetings", "Phrases"),
        // The contract every engine passes; a library, so that engines' tests can run it.
        .target(name: "JournalContract", dependencies: ["Journal", "Meetings"], path: "Tests/JournalContract", swiftSettings: settings),
        tests("Journal", "JournalContract", "Meetings"),
        tests("SQLiteJournal", "JournalContract", "Journal", "Meetings"),
        tests("Rooms", "Wire", "Meetings"),
        tests("FrontDoor"),
        tests("HTTPServer"),
        tests("WebSockets"),
        tests("QRCodes"),
        tests("Secrets"),
        tests("Server", "SQLiteJournal", "HTTPServer", "WebSockets", "Journal", "Wire", "Meetings", "Secrets"),
        tests("Client", "Wire", "Phrases", "Meetings"),
        tests("HostCommands", "Client", "Wire", "Phrases", "Meetings"),
        tests("Bench", "HostCommands", "Phrases"),
    ])
