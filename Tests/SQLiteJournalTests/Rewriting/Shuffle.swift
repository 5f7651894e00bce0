import Journal
import Testing

@testable import SQLiteJournal

extension WritableRows {
    /// Rewrites the file on this thread, as `Storage.rewriteFile` does while the server keeps running.
    func shuffle() throws {
        let rewrite = try #require(try beginRewrite() as? SQLiteFileRewrite)
        defer { rewrite.releaseFiles() }
        do {
            repeat { try rewrite.copyUntilFewAreLeft() } while try !rewrite.finish()
        } catch {
            rewrite.abandon()
            throw error
        }
    }
}
