import CommandLine
import FoundationEssentials
import Glibc
import Phrases

/// `qring bench`, which is a program of its own (`qring-bench`). This command says where to get the program
/// if `BenchProgram.run` did not find it.
let benchCommand = CommandDeclaration(
    "bench", Messages.summary, examples: [.init("bench check-in --connections 512", Messages.example)],
    hasServer: false
) { _ throws(CommandFailure) in
    throw .said(.notFound, Messages.missing, [:], next: "swift build --product \(BenchProgram.name)")
}

enum BenchProgram {
    static let name = "qring-bench"

    /// Replaces this process by the program with these arguments. Returns if the program is neither beside
    /// this one nor on the `PATH`.
    static func run(_ arguments: some Sequence<String>) {
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            let folder = own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex)
            execv(folder + name, &words)
        }
        execvp(name, &words)
    }
}

private typealias Messages = CommandPhrases.BenchProgram

extension CommandPhrases {
    enum BenchProgram {
        static let summary = Phrase("run the load tests, which are the program qring-bench")
        static let example = Phrase("measure check-ins")
        static let missing = Phrase(
            "The program qring-bench is not installed. It must be beside qring or on your PATH. "
                + "Build it with")
    }
}
