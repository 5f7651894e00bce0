/// The texts of the first view and of a meeting: its sessions, roster, members, image and settings.
extension Phrase.Host {
    package static let meeting: [String: Phrase] = [
        "addToRoster": Phrase("Add a person"),
        "allCodesRenewed": Phrase("All codes were renewed. Old codes and posters no longer work."),
        "allMeetings": Phrase("All meetings"),
        "archive": Phrase("Archive"),
        "archived": Phrase("{name} was archived."),
        "attendeeLanguage": CommandPhrases.Messages.attendeeLanguage,
        "attendeeLanguageHint": Phrase(
            "The hall's screen, posters and mails use it, and phones whose language is not in the list."),
        "attendeeLanguageNone": Phrase("not set", context: "language"),
        "calendar": Phrase("Calendar"),
        "checkedInOf": Phrase("{count} of {planned} checked in"),
        "chooseFile": Phrase("Choose a file"),
        "chooseImage": Phrase("Choose an image"),
        "code_rotating": Phrase("rotating: a new code every 10 seconds"),
        "code_static": Phrase("static: one code for the whole session"),
        "codeKind": Phrase("Check-in code"),
        "codeKindHint": Phrase(
            "If the code rotates, attendees must use the code on the screen. They cannot check in "
                + "with the poster."),
        "codeOf": Phrase("QR code of {name}"),
        "continueMeeting": Phrase("Next session"),
        "create": Phrase("Create"),
        "customTimes": Phrase("Choose the times"),
        "deleteMeetingAsk": Phrase(
            "All sessions, also the planned ones, their check-ins and answers, and the roster are deleted. "
                + "This cannot be undone."),
        "deleteMeeting": Phrase("Delete this meeting"),
        "description": Phrase("Description"),
        "editMeeting": Phrase("Name, venue and description"),
        "endsAt": Phrase("Ends"),
        "endsBeforeStart": .Record.endBeforeStart,
        "goodUntil": Phrase("until {time}"),
        "handOver": Phrase("Copy this link and send it yourself."),
        "howManyWeeks": Phrase("Number of weekly sessions"),
        "identify_email": Phrase("E-mail address"),
        "identify_name": Phrase("Name"),
        "identify_number": Phrase("Number", context: "person"),
        "identifyBy": Phrase("Attendees are identified by"),
        "erasePersonAsk": Phrase(
            "This deletes the entry, and the records, notes, named answers and mails of all sessions of this "
                + "meeting. Nobody can undo this."),
        "exportData": Phrase("All data"),
        "exportOf": Phrase("Show all data about {name}"),
        "image": Phrase("Image"),
        "imageHint": Phrase("JPEG or PNG, at most 5 MB"),
        "imported": Phrase("Imported: {added} added, {updated} updated, {archived} archived."),
        "importHint": Phrase(
            """
            A CSV file with name, e-mail address and number. It replaces the whole roster: people who are \
            not in the file are archived.
            """),
        "importRoster": Phrase("Import a roster"),
        "invite": Phrase("Invite"),
        "invitedAs": Phrase("invited as {role}"),
        "inviteByMail": Phrase("Send the invitation by mail"),
        "invitedByMail": Phrase("{email} was invited, and gets a mail if the address accepts mails."),
        "invitedNoMail": Phrase(
            "{email} was invited, but gets no mail, because your daily limit is reached. "
                + "Send the link yourself."),
        "invitedSomebody": Phrase("{email} was invited."),
        "inviteSomebody": Phrase("Invite a co-host or viewer"),
        "lateAfter": Phrase("Late after (minutes from the start)"),
        "leaveMeeting": Phrase("Leave"),
        "leaveMeetingAsk": Phrase("Leave this meeting?"),
        "leaveMeetingAbout": Phrase(
            "Your presenter links and invitations stop working. To come back, you need a new invitation."),
        "line": Phrase("Line {number}:"),
        "manage": Phrase("Manage"),
        "manageOf": Phrase("Manage {name}"),
        "meetingName": Phrase("Name of the meeting"),
        "meetingNameHint": Phrase("You can change it later."),
        "members": Phrase("Hosts and viewers"),
        "nearest": Phrase("Next", context: "session"),
        "newMeeting": Phrase("New meeting"),
        "noMeetings": Phrase(
            """
            You have no meetings yet. Create the first one with two taps: it starts now and lasts two \
            hours.
            """),
        "noneToCome": CommandPhrases.Fail.noneToCome,
        "noneArchived": Phrase("Nobody is archived."),
        "nothingFound": CommandPhrases.Messages.nothingFound,
        "now2h": Phrase("Now, for two hours"),
        "overlapAnyway": Phrase("Create anyway"),
        "overlaps": Phrase("Overlaps with {name}, {time}."),
        "overTheSeries": Phrase("All sessions"),
        "place": Phrase("Venue"),
        "planned": Phrase("Planned attendees"),
        "poster": Phrase("Poster"),
        "readAsKorean": .Record.readAsKorean,
        "regulars": Phrase("The next session expects"),
        "regulars_everybody": Phrase("everybody who came"),
        "regulars_kept": Phrase("the people kept on the roster"),
        "regulars_nobody": Phrase("nobody"),
        "renewAllAsk": Phrase(
            "The codes of all sessions and the code on the poster stop working at once. Somebody who has "
                + "scanned an old code and has not checked in yet must scan the new one. Check-ins stay."),
        "renewAllCodes": Phrase("Renew all codes"),
        "renewAllHint": Phrase(
            "If outsiders know codes of this meeting, renew all of them. Print new posters afterwards."),
        "reminders": Phrase("Mails to the people on the roster"),
        "reminders_off": Phrase("none", context: "reminders"),
        "reminders_on": Phrase("in the language for attendees"),
        "reminders_en": Phrase("in English"),
        "reminders_ko": Phrase("in Korean"),
        "remindersHint": Phrase(
            "A day and an hour before a session, when it moves or is deleted, and when feedback is open."),
        "roundTitle": Phrase("Title of this session"),
        "roundTitled": Phrase("Session {round}: {title}"),
        "remove": Phrase("Remove"),
        "removeMemberAsk": Phrase("Remove {name} from this meeting?"),
        "removeMemberAbout": Phrase(
            "{name} loses access at once. Presenter links and invitations by {name} stop working."),
        "deletePictureAsk": Phrase("Delete the image of this meeting?"),
        "removedPicture": Phrase("The image was deleted."),
        "removeOf": Phrase("Remove {name}"),
        "role": Phrase("Role"),
        "roleOf": Phrase("Role of {name}"),
        "roster": Phrase("Roster"),
        "rosterArchived": Phrase("Archived"),
        "rosterEmpty": Phrase(
            "The roster is empty: anybody may check in. Add people or import a list below."),
        "rosterNow": Phrase("On the roster"),
        "round": .Page.round,
        "rounds": Phrase("Sessions"),
        "runningNow": Phrase("Running now"),
        "runSession": Phrase("Run this session"),
        "sameName": Phrase("{name} is on the roster already. Add another person with this name?"),
        "searchRounds": Phrase("Search sessions"),
        "startsAt": Phrase("Starts"),
        "revokeInvitation": Phrase("Revoke", context: "invitation"),
        "timeZone": Phrase("Time zone"),
        "totals": Phrase("{present} present, {late} late, {absent} absent, {excused} excused"),
        "unarchive": Phrase("Restore"),
        "unarchived": Phrase("{name} was restored to the roster."),
        "unnamedMeeting": Phrase("Meeting"),
        "withinTheHour": Phrase("Starts in {minutes} min"),
        "today": Phrase("Today"),
        "yourMeetings": Phrase("Your meetings"),
        "zoneWrong": .Record.unknownZone,
        "andMore": Phrase("and {count} more"),
        "import_added": Phrase("{count} added"),
        "import_archived": Phrase("{count} archived: not in the file"),
        "import_unarchived": Phrase("{count} restored"),
        "import_unchanged": Phrase("{count} unchanged"),
        "import_updated": Phrase("{count} changed"),
        "importAmbiguous": Phrase(
            "These names belong to several attendees without an address or number. Merge them: {names}"),
        "importAsk": Phrase("Import this roster?"),
        "importNow": Phrase("Import"),
        "importUndone": Phrase("The former roster is back. People whom the import added are archived."),
        "importWithoutKey": Phrase(
            "{count} {count|person has|people have} no value in the column that identifies "
                + "attendees. If they check in, the server cannot match them with the roster."),
        "importWouldHave": Phrase("After the import, the roster will have {count} {count|person|people}."),
        "lineNumber": Phrase("line {number}"),
    ]
}
