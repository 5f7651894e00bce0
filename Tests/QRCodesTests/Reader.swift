import Foundation
import Testing

/// Runs independent programs: zbar reads codes, and librsvg draws SVG. If a program is not installed, the
/// test that needs it fails.
enum Reader {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the text that zbar reads from a PNG or PGM picture, without zbar's line feed at the end.
    static func decode(_ picture: [UInt8], suffix: String) throws -> String {
        let bytes = try run(
            "zbarimg", package: "zbar-tools", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"], picture,
            suffix: suffix)
        return String(decoding: bytes.last == 10 ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }

    /// Returns a PNG of an SVG document, `width` pixels wide.
    static func rasterise(svg: String, width: Int) throws -> [UInt8] {
        try run(
            "rsvg-convert", package: "librsvg2-bin", ["--width", "\(width)"], Array(svg.utf8), suffix: "svg")
    }

    private static func run(
        _ tool: String, package: String, _ arguments: [String], _ input: [UInt8], suffix: String
    ) throws -> [UInt8] {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        guard let path = folders.map({ "\($0)/\(tool)" }).first(where: FileManager.default.isExecutableFile)
        else {
            throw Failure(
                description: "\(tool) is missing: apt-get install \(package), or run scripts/test, which does"
            )
        }
        let file = FileManager.default.temporaryDirectory.appending(
            path: "qring-\(UUID().uuidString).\(suffix)")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments + [file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description:
                    "\(tool) read nothing from a \(suffix) of \(input.count) bytes (exit "
                    + "\(process.terminationStatus))"
            )
        }
        return Array(bytes)
    }
}

/// URLs like those that QRing draws, and other texts that a code must carry.
enum Sample {
    static let checkIn =
        "HTTP://192.168.178.101:8080/C/"
        + String(repeating: "0123456789ABCDEFGHJKMNPQRSTVWXYZ", count: 2).prefix(48)
    static let texts = [
        checkIn, "HTTPS://MEETINGS.EXAMPLE.ORG/M/" + checkIn.suffix(48),
        "https://example.org/lower?case=1&x=y#z", "1", "A", "a",
        "출석 체크 ✓ grüße", String(repeating: "A1", count: 500), String(repeating: "é", count: 300),
    ]
}
