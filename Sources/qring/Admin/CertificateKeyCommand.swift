import CommandLine
import HostCommands
import Phrases
import Server

private typealias Messages = CommandPhrases.CertificateKey

/// The command `qring admin rotate-certificate-key`. A running server executes it.
func certificateKeyCommands(on data: OperatorData) -> [CommandDeclaration] {
    [
        CommandDeclaration(
            "admin rotate-certificate-key", Messages.rotate,
            examples: [
                .init("admin rotate-certificate-key --data /var/lib/qring", Messages.rotateExample)
            ], options: [.data, .database, .json(fields: ["number"])],
            notes: CommandPhrases.Admin.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            let folder =
                switch data {
                case .served(_, let folder): folder
                case .stored: call.dataFolderPath
                }
            let number = try await call.withStorage(on: data) { storage in
                try await CertificateKeyAdministration.replaceKey(storage, folder: folder)
            }
            if call.wantsJSON {
                call.json(["number": number])
            } else {
                call.out(Messages.rotated, ["number": "\(number)"])
            }
            return .success
        }
    ]
}

extension CommandPhrases {
    enum CertificateKey {
        static let rotate = Phrase("sign the next certificates with another key")
        static let rotateExample = Phrase("the certificates of earlier keys stay valid")
        static let rotated = Phrase(
            "Key {number} signs from now on. Certificates of earlier keys stay valid.")
    }
}
