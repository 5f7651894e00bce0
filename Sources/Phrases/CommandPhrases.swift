/// The texts of commands and of the dashboard. A phrase that only one file uses is in that file, in an
/// extension of its enum; phrases that several files use are here. `Usage` has the errors of a command line,
/// `Fail` the errors of a running command, and `Help` the texts of declarations.
package enum CommandPhrases {
    /// The texts of `qring admin`.
    package enum Admin {
        package static let notDone = Phrase("The command failed: {reason}")
    }
    /// The texts of corrections, members and images.
    package enum Correct {
        package static let attendee = Phrase("id, name, e-mail address or number")
        package static let note = Phrase("the reason, for the journal and the members")
    }

    /// The dashboard's texts. They are short, because the dashboard's columns are narrow.
    package enum Dashboard {
        package static let round = Phrase("session {round}")
        package static let reconnecting = Phrase("reconnecting in {time} s")
        package static let joinCode = Phrase.Page.joinCode
        package static let perMinute = Phrase("Arrivals per minute")
        package static let newest = Phrase("Newest arrivals")
        package static let walkIns = Phrase("walk-ins")
        package static let inside = Phrase("inside")
        package static let left = Phrase("left", context: "count")
    }

    /// The texts of `qring admin doctor`: a line for each check, and a way to fix each problem.
    package enum Doctor {
        package static let listenBad = Phrase("{address} is not an address and port")
        package static let listenBadAdvice = Phrase("use, for example, 127.0.0.1:8080 or [::]:8080")
    }

    /// The texts of questions, question sets, question files and answers.
    package enum Forms {
        package static let anonymous = Phrase(
            "store answers without names; cannot be changed once the questions were opened or shown")
    }

    /// The texts in the declarations of commands.
    package enum Help {
        package static let options = Phrase("options")
        package static let json = Phrase("print JSON, optionally only these fields")
        package static let jsonSome = Phrase("only these fields")
        package static let session = Phrase(
            "a name, NAME#ROUND, a join code, an id or its unique end, or @ for the nearest")
        package static let meeting = Phrase("a name, an id or its unique end, or @ for the nearest")
        package static let email = Phrase("e-mail address")
        package static let passwordFile = Phrase("read the password from a file, - for standard input")
        package static let accountName = Phrase("your name, as others see it")
        package static let duration = Phrase("how long the session lasts: 2h, 90m, 1h30m (default 2h)")
        package static let ends = Phrase("like --starts; +2h counts from the start")
        package static let planned = Phrase("the number of people expected")
        package static let allowOverlap = Phrase("create it even if it overlaps another session of yours")
        package static let lateAfter = Phrase(
            "minutes after the start from which attendees are late (default 10)")
        package static let revokeLinks = Phrase("revoke all presenter links; open screens end at once")
        package static let renewCode = Phrase("create a new code; the old code stops working")
        package static let confirm = Phrase("the meeting's name as confirmation, if people have checked in")
        package static let sessionNearest = Phrase("show the running or next session")
        package static let attendeeName = Phrase("the attendee's name")
        package static let number = Phrase("staff or student number")
        package static let search = Phrase("only names that contain this text")
        package static let set = Phrase(
            "the question set, 1–40 characters of a–z, 0–9 and - (default feedback)")
        package static let attendees = Phrase("the number of attendees")
        package static let seed = Phrase("repeat the same people and answers")
    }

    package enum Messages {
        package static let copied = Phrase("Copied: {text}")
        package static let email = Phrase("E-mail: ")
        package static let name = Phrase("Name: ")
        package static let anEmail = Phrase("an e-mail address")
        package static let aName = Phrase("a name")
        package static let signedUp = Phrase("The account {email} was created.")
        package static let operatorAccount = Phrase("This account operates the server.")
        package static let meetingMade = Phrase("{name} · session {round}")
        package static let joinCode = Phrase.Page.joinCode
        package static let address = Phrase("Address")
        package static let nextCreate = Phrase("create a meeting")
        package static let nothing = Phrase("None yet.")
        /// The label of a meeting's language.
        package static let attendeeLanguage = Phrase("Language for attendees")
        /// The label of the text that attendees must agree to.
        package static let consent = Phrase("Consent at check-in")
        package static let namesDeleted = Phrase("The names of the attendees were deleted on {time}.")
        package static let namesUntil = Phrase("The names of the attendees will be deleted on {time}.")
        package static let nothingFound = Phrase("Nothing matches.")
        package static let deleted = Phrase("{name} was deleted.")
        package static let changed = Phrase("The change was saved.")
        package static let headName = Phrase("NAME")
        package static let headID = Phrase("ID")
        package static let headRound = Phrase("ROUND")
        package static let headStarts = Phrase("STARTS")
        package static let headPhase = Phrase("PHASE")
        package static let headCheckedIn = Phrase("IN")
        package static let headResponses = Phrase("ANSWERED")
        package static let required = Phrase.Page.required
        package static let responsesCount = Phrase("answered {count}")
    }

    /// The content of sample meetings.
    package enum Sample {
        package static let rating = Phrase("How was it today?")
        package static let choice = Phrase("What helped you most?")
        package static let choices = [
            Phrase("The talk"), Phrase("The discussion"), Phrase("The exercises"),
            Phrase("The people"),
        ]
        package static let text = Phrase("What should we do better next time?")
        package static let texts = [
            Phrase("More time for questions"), Phrase("It was just right"),
            Phrase("A larger room, please"), Phrase("Start a little earlier"),
            Phrase("More exercises"), Phrase("Share the slides"),
        ]
        /// Words for word clouds, the most frequent first.
        package static let words = [
            Phrase("practice"), Phrase("people"), Phrase("questions"),
            Phrase("coffee"), Phrase("ideas"), Phrase("speed"),
            Phrase("examples"), Phrase("curious"), Phrase("tired"),
        ]
        package static let others = [
            Phrase("Something else"), Phrase("All of it"), Phrase("The coffee"),
            Phrase("The walk there"),
        ]
        package static let people = [
            Phrase("Kim Minji"), Phrase("Lee Jun"), Phrase("Park Seoyeon"),
            Phrase("Choi Haneul"),
            Phrase("Jung Dohyun"), Phrase("Kang Sora"), Phrase("Ada Byron"),
            Phrase("Alan Moore"),
            Phrase("Maria Lopez"), Phrase("Omar Haddad"), Phrase("Ines Weber"),
            Phrase("Noah Clark"),
        ]
    }

    /// The texts of series, rosters and their files.
    package enum Roster {
        package static let startsWithinTheHour = Phrase("Starts in {minutes} {minutes|minute|minutes}.")
    }

    /// The texts of `qring serve` and `qring demo`.
    package enum Serve {
        package static let cannotStart = Phrase("The server cannot start: {reason}")
    }

    /// The headings of manual pages.
    package enum Manual {}

    /// The labels of progress bars.
    package enum Progress {}

    /// The texts of help topics.
    package enum Topic {
        package static let nearest = Phrase(
            "the running session, or else the next one; to read, also the one that has just ended")
    }

    package enum Fail {
        package static let unreachable = Phrase("{url} cannot be reached: {detail}.")
        /// Returns the reason why a connection failed, in the reader's language.
        /// - Parameter detail: the English message of libcurl (curl/src/lib/strerror.c) or libwebsockets.
        package static func reason(_ detail: String, in language: Language) -> String {
            let known = reasons.first { words, _ in words.contains { detail.lowercased().contains($0) } }
            return known?.1.text(in: language) ?? detail
        }

        private static let reasons: [([String], Phrase)] = [
            (["resolve"], Phrase("the server's name is unknown")),
            (
                ["certificate"],
                Phrase("this machine does not trust the server's certificate")
            ),
            (["ssl", "tls"], Phrase("the secure connection failed")),
            (
                ["reset", "empty reply", "failure when receiving"],
                Phrase("the connection broke")
            ),
            (
                ["no route", "network is unreachable"],
                Phrase("the network cannot reach the server")
            ),
            (
                ["refused", "connect to server", "failed to connect"],
                Phrase("no server answers at this address")
            ),
        ]

        package static let timedOut = Phrase("{url} did not answer in time.")
        package static let notQRing = Phrase("the server at {url} is not a QRing server (status {status}).")
        package static let notSignedIn = Phrase("you are not signed in at {server}.")
        package static let noTerminal = Phrase(
            "{what} is needed, but there is no terminal to ask for it. Add {option}.")
        package static let passwordsDiffer = Phrase("The two passwords differ.")
        package static let sessionDeleted = Phrase("The session was deleted.")
        package static let noneToCome = Phrase("No session is running or planned.")
        package static let fileUnreadable = Phrase("{path} cannot be read: {reason}.")
        package static let fileUnwritable = Phrase("{path} cannot be written: {reason}.")
        package static let notFound = Phrase("there is no session or meeting \"{text}\".")
        package static let ambiguous = Phrase(
            "\"{text}\" matches several meetings or sessions. Use one of these ids:\n{candidates}")
        package static let notACode = Phrase(
            "\"{text}\" is not a check-in code, a check-in address or a join code.")
        package static let roomEnded = Phrase("the server closed the connection (code {code}).")
        package static let simulationFailed = Phrase(
            "{count} of {all} simulated attendees failed. The first failure: {reason}")
        package static let inputEnded = Phrase("the input ended before the answer.")
        package static let nothingToChange = Phrase("say what to change, for example --ends +30m")
    }
}
