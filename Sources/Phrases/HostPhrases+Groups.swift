/// The texts of groups of interest on the host's page.
extension Phrase.Host {
    package static let groups: [String: Phrase] = [
        "tab_groups": Phrase("Groups"),
        "groupsMeanHost": Phrase(
            "Attendees who take part choose a nickname and interests, and ask each other to meet. You see "
                + "counts and reports, but not who meets whom."),
        "openGroups": Phrase("Switch groups on"),
        "closeGroups": Phrase("Switch groups off"),
        "groupsWithNames": Phrase("Show me the names in reports"),
        "groupsWithoutNames": Phrase("Hide the names in reports"),
        "groupsNamesAreSeen": Phrase("For people who take part from now on, reports show you the name."),
        "groupsNamesAreHidden": Phrase("The names of people who take part from now on are shown to nobody."),
        "groupCounts": Phrase(
            "{people} {people|person takes|people take} part, {pairs} {pairs|pair meets|pairs meet} now"),
        "groupsAreOff": Phrase("The groups are off. Switch them on, and tell the audience."),
        "places": Phrase("Tables or places to meet"),
        "placesMean": Phrase(
            "One on each line, at most 50. Each pair gets the one with the fewest pairs. Without places, the "
                + "two exchange a line of text."),
        "savePlaces": Phrase("Save places"),
        "placesSaved": Phrase("Places saved."),
        "groupReports": Phrase("Reports"),
        "noReports": Phrase("Nobody has reported anybody."),
        "exclude": Phrase("Exclude from the groups"),
        "includeAgain": Phrase("Include again"),
        "closeReport": Phrase("Mark as dealt with"),
        "reportClosed": Phrase("Dealt with"),
    ]
}
