/// The default terms that a new host accepts. The operator can replace them.
extension Phrase.Page {
    package static let terms = Phrase(
        """
        You run meetings here. What you enter about yourself and about the attendees of your meetings is \
        stored on this server, and its operator can read it.

        Enter only what you may pass on, tell your attendees that their attendance is recorded, and delete \
        what you no longer need. Anonymous feedback is stored without names; do not try to find out who gave \
        an answer.

        You can delete your account at any time. Everything that only you own is deleted with it.
        """)
}
