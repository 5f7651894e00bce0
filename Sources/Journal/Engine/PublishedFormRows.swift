package import Meetings

package protocol PublishedFormReading {
    /// The set that is published under this name, which is one on a server.
    func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)?
}
