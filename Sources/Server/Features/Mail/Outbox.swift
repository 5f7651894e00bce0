import FoundationEssentials
import Glibc
import Meetings
import Outbound

/// The folder `outbox`, into which a server without a mail server writes its mails as `.eml` files. Mail
/// programs open such files.
struct Outbox: Sendable {
    let folder: String

    /// Writes the mail. A mail has one file name, so a repeated attempt replaces its file instead of adding
    /// one. Only the server's user can read the file.
    func write(_ message: MailMessage, of mail: MailID) throws(OutboxFailure) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw OutboxFailure("make \(folder)") }
        let path = path(of: mail)
        // Readers of the folder see only complete files.
        let partial = path + ".partial"
        unlink(partial)
        let file = open(partial, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw OutboxFailure("make \(partial)") }
        defer { close(file) }
        let bytes = message.bytes
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
            rename(partial, path) == 0
        else { throw OutboxFailure("write \(partial)") }
    }

    /// The mails that have files in the folder, complete or not.
    func mails() -> [MailID] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            for ending in [".eml", ".eml.partial"] where name.hasSuffix(ending) {
                return MailID(name.dropLast(ending.count))
            }
            return nil
        }
    }

    func remove(_ mail: MailID) {
        unlink(path(of: mail))
        unlink(path(of: mail) + ".partial")
    }

    private func path(of mail: MailID) -> String { "\(folder)/\(mail.text).eml" }
}

/// The system's reason why a mail could not be written.
struct OutboxFailure: Error, CustomStringConvertible {
    let description: String

    init(_ operation: String) { description = "\(operation): \(String(cString: strerror(errno)))" }
}
