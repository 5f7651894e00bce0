import HTTPServer
import Meetings
import Phrases
import Wire

/// The parts of the page for groups of interest. A script replaces those parts that have changed, by their
/// names in `data-part`.
struct MatchingView {
    let body: MatchingBody
    let action: String
    /// The keyword by which the people are filtered; nil if they are not.
    let keyword: String?
    let receipt: String
    let language: Language

    private func say(_ phrase: Phrase, _ values: [String: String] = [:]) -> String {
        phrase.text(in: language, values)
    }

    private func list(_ keywords: [String]) -> String { keywords.joined(separator: " · ") }

    // MARK: Opting in

    /// The texts of the form's fields.
    struct Typed {
        var (nickname, keywords) = ("", "")
        /// The first age of the chosen ten years; empty for none. The ends of the range may be empty.
        var (ageGroup, ageMin, ageMax) = ("", "", "")
        /// Whether the texts come from the profile of an account.
        var isFromAccount = false

        init() {}

        init(_ profile: MatchingBody.Profile) {
            (nickname, keywords) = (profile.nickname, profile.keywords.joined(separator: ", "))
            setAges(profile.ageGroup, profile.ageRange)
        }

        /// Takes the nickname, the interests and the ages of a profile. Returns nil unless it is searchable.
        /// - Parameter today: the day at which the age counts.
        init?(_ account: Account.Profile, on today: CivilDate) {
            guard account.searchable == true else { return nil }
            let most = (MatchPerson.mostKeywords, MatchPerson.mostCharacters.keyword)
            let words = MatchPerson.distinct(account.interests ?? []).filter { $0.count <= most.1 }
            nickname = account.nickname ?? ""
            keywords = words.prefix(most.0).joined(separator: ", ")
            if let range = account.ageRange { setAges(account.age(on: today).map { $0 / 10 * 10 }, range) }
            isFromAccount = true
        }

        private mutating func setAges(_ group: Int?, _ range: AgeRange?) {
            ageGroup = group.map(String.init) ?? ""
            guard let range, range != .all else { return }
            (ageMin, ageMax) = (String(range.min), String(range.max))
        }
    }

    /// Returns the form for the nickname, the keywords and the ages.
    /// - Parameters:
    ///   - typed: what the attendee has typed; nil for the stored values.
    ///   - errors: the messages by the names of the fields.
    func form(_ typed: Typed?, _ errors: [String: String]) -> HTML {
        let most = MatchPerson.mostCharacters
        let promise = body.me?.promise ?? body.promise
        let values = typed ?? body.me.map { Typed($0) } ?? Typed()
        let origin: HTML? =
            values.isFromAccount ? "<p class=\"told\">\(say(Phrase.Page.fromProfile))</p>" : nil
        return """
            <p>\(say(Phrase.Page.groupsMean))</p>\(origin)
            <form class="card" method="post" action="\(action)">
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="do" value="join">
            <input type="hidden" name="promise" value="\(promise.rawValue)">
            \(field("nickname", Phrase.Page.nickname, Phrase.Page.nicknameMeans, values.nickname,
                most.nickname, errors["nickname"]))
            \(field("keywords", Phrase.Page.keywords, Phrase.Page.keywordsMean, values.keywords,
                MatchPerson.mostKeywords * (most.keyword + 2), errors["keywords"]))
            \(ages(values, errors))
            <p class="note">\(say(promise == .named ? Phrase.Page.groupsNamed : Phrase.Page.groupsHidden))</p>
            <button type="submit">\
            \(say(body.state == .idle ? Phrase.Page.takePart : Phrase.Page.save))</button>
            <p class="note" role="status"></p>
            </form>
            \(idleSection)
            """
    }

    /// The fields for the ages. They are closed until they hold something.
    private func ages(_ values: Typed, _ errors: [String: String]) -> HTML {
        let isOpen = !(values.ageGroup + values.ageMin + values.ageMax).isEmpty
        let open: HTML? = isOpen ? " open" : nil
        let groups = stride(from: 0, through: AgeRange.all.max - 10, by: 10).map(String.init)
        let options = groups.map { group -> HTML in
            let chosen: HTML? = group == values.ageGroup ? " selected" : nil
            return "<option value=\"\(group)\"\(chosen)>\(ageGroup(group))</option>"
        }
        let error: HTML? = errors["age"].map {
            "<span class=\"error\" id=\"age-error\" role=\"alert\">\($0)</span>"
        }
        let invalid: HTML? = errors["age"].map { _ in " aria-invalid=\"true\"" }
        return """
            <details class="about"\(open)><summary>\(say(Phrase.Page.ages))</summary>
            <p class="note" id="age-hint">\(say(Phrase.Page.agesMean))</p>
            <label for="age">\(say(Phrase.Page.ageGroup))</label>
            <select id="age" name="age" aria-describedby="age-hint age-error"\(invalid)>
            <option value="">\(say(Phrase.Page.noAge))</option>\(options)</select>
            \(error)
            \(age("ageMin", Phrase.Page.ageMin, values.ageMin, errors["ageMin"]))
            \(age("ageMax", Phrase.Page.ageMax, values.ageMax, errors["ageMax"]))
            </details>
            """
    }

    private func ageGroup(_ first: String) -> String {
        "\(first)–\((Int(first) ?? 0) + 9)"
    }

    private func age(_ name: String, _ label: Phrase, _ value: String, _ error: String?) -> HTML {
        let said: HTML? = error.map {
            "<span class=\"error\" id=\"\(name)-error\" role=\"alert\">\($0)</span>"
        }
        let invalid: HTML? = error.map { _ in " aria-invalid=\"true\" aria-describedby=\"\(name)-error\"" }
        return """
            <label for="\(name)">\(say(label))</label>
            <input id="\(name)" name="\(name)" value="\(value)" inputmode="numeric" maxlength="3" \
            autocomplete="off"\(invalid)>
            \(said)
            """
    }

    /// An empty section, by which a script follows the host's switch.
    private var idleSection: HTML? {
        body.state == .idle ? section("") : nil
    }

    private func field(
        _ name: String, _ label: Phrase, _ hint: Phrase, _ value: String, _ most: Int, _ error: String?
    ) -> HTML {
        let said: HTML? = error.map {
            "<span class=\"error\" id=\"\(name)-error\" role=\"alert\">\($0)</span>"
        }
        let invalid: HTML? = error.map { _ in " aria-invalid=\"true\"" }
        let described: HTML = error == nil ? "" : " \(name)-error"
        return """
            <label for="\(name)">\(say(label))</label>
            <input id="\(name)" name="\(name)" value="\(value)" maxlength="\(String(most))" required \
            autocomplete="off" aria-describedby="\(name)-hint\(described)"\(invalid)>
            <p class="note" id="\(name)-hint">\(say(hint))</p>
            \(said)
            """
    }

    // MARK: Taking part

    /// Returns the page's parts for an attendee who takes part, or the reason why the attendee cannot.
    func parts(session: SessionID) -> HTML {
        guard !body.excluded else { return told(ProblemCode.matchExcluded.phrases.detail) }
        guard body.open else {
            return section(
                "<p class=\"note\">\(say(Phrase.Page.groupsOff))</p>\(body.me.map { _ in leave })")
        }
        return section(
            body.match.map { part("match", matched($0)) }
                ?? """
                \(part("requests", requests))\(part("people", people))\
                \(part("keywords", keywords))\(part("me", me))
                """)
    }

    private func told(_ phrase: Phrase) -> HTML { "<p class=\"told\">\(say(phrase))</p>" }

    /// - Note: `data-wait` is the time in milliseconds until the next request expires.
    private func section(_ content: HTML) -> HTML {
        let asked = body.requests.filter { $0.incoming && $0.status == .pending }
        let news =
            body.match.map {
                $0.left ? say(Phrase.Page.metLeft) : say(Phrase.Page.youMeet, ["nickname": $0.nickname])
            }
            ?? (asked.isEmpty ? "" : say(Phrase.Page.somebodyAsks))
        let wait = body.requests.map(\.expiresInMs).filter { $0 > 0 }.min().map(String.init) ?? ""
        return """
            <section id="groups" data-state="\(body.state.rawValue)" data-open="\(body.open ? "yes" : "no")" \
            data-news="\(news)" data-wait="\(wait)" data-receipt="\(receipt)" data-page="\(action)">
            \(content)
            </section>
            """
    }

    private func part(_ name: String, _ content: HTML) -> HTML {
        "<div data-part=\"\(name)\">\(content)</div>"
    }

    /// Returns a form with one button.
    private func button(
        _ what: String, _ label: Phrase, values: [String: String] = [:], _ fields: [(String, String)] = [],
        style: HTML? = nil, spoken: String? = nil
    ) -> HTML {
        let hidden = fields.map { name, value -> HTML in
            "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
        }
        let name: HTML? = spoken.map { " aria-label=\"\($0)\"" }
        return """
            <form method="post" action="\(action)" class="one">
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="do" value="\(what)">\(hidden)
            <button type="submit"\(style)\(name)>\(say(label, values))</button></form>
            """
    }

    private var quiet: HTML { " class=\"aside\"" }

    private func aboutPerson(_ person: MatchProfileID, _ keywords: [String]) -> HTML {
        button(
            "about", Phrase.Page.reportOrBlock, [("person", person.text)], style: quiet,
            spoken: "\(say(Phrase.Page.reportOrBlock)): \(list(keywords))")
    }

    private var leave: HTML { button("leave", Phrase.Page.leaveGroups, style: quiet) }

    // MARK: Requests

    private var requests: HTML { "\(body.requests.map(request))" }

    private func request(_ request: MatchRequestBody) -> HTML {
        let keywords = request.keywords ?? []
        let interests = say(Phrase.Page.interestedIn, ["keywords": list(keywords)])
        let fields = [("request", request.id.text)]
        let left = (request.expiresInMs + 999) / 1000
        let time: HTML =
            """
            <p class="note" data-seconds="\(String(left))">\
            \(say(Phrase.Page.secondsLeft, ["count": String(left)]))</p>
            """
        if request.incoming {
            return """
                <article class="card asked"><h2>\(say(Phrase.Page.somebodyAsks))</h2>
                <p>\(interests)</p>\(time)
                <div class="pair">\(button("accept", Phrase.Page.accept, fields))\
                \(button("decline", Phrase.Page.decline, fields, style: quiet))</div>
                \(request.person.map { aboutPerson($0, keywords) })</article>
                """
        }
        let state: HTML =
            switch request.status {
            case .declined: "<p class=\"note\">\(say(Phrase.Page.requestDeclined))</p>"
            case .expired: "<p class=\"note\">\(say(Phrase.Page.requestExpired))</p>"
            case .pending, .matched:
                "\(time)\(button("decline", Phrase.Page.withdrawRequest, fields, style: quiet))"
            }
        return """
            <article class="card"><h2>\(say(Phrase.Page.youAsked))</h2><p>\(interests)</p>\(state)</article>
            """
    }

    // MARK: People and keywords

    private var people: HTML {
        let heading = keyword.map { say(Phrase.Page.peopleWith, ["keyword": $0]) }
        let all: HTML? =
            keyword == nil
            ? nil : "<p><a href=\"\(action)\">\(say(Phrase.Page.allPeople))</a></p>"
        let items = body.candidates.map { candidate -> HTML in
            let words = list(candidate.keywords)
            let common: HTML? =
                candidate.common == 0
                ? nil
                : """
                <p class="note">\(say(Phrase.Page.inCommon, ["count": String(candidate.common)]))</p>
                """
            return """
                <li><p>\(words)</p>\(common)\
                \(button("ask", Phrase.Page.askToMeet, [("person", candidate.id.text)],
                    spoken: say(Phrase.Page.askSomebody, ["keywords": words])))</li>
                """
        }
        let none: HTML? =
            items.isEmpty ? "<p class=\"empty\">\(say(Phrase.Page.nobodyToAsk))</p>" : nil
        let listed: HTML? = items.isEmpty ? nil : "<ul class=\"candidates\">\(items)</ul>"
        return "<h2>\(heading ?? say(Phrase.Page.peopleToAsk))</h2>\(all)\(listed)\(none)"
    }

    private var keywords: HTML {
        let items = body.keywords.map { one -> HTML in
            let address = "\(action)&\(QueryParameter.keyword.name)=\(PercentCoding.encode(one.keyword))"
            let own: HTML? = one.own ? " class=\"mine\"" : nil
            let current: HTML? = one.keyword == keyword ? " aria-current=\"true\"" : nil
            return """
                <li\(own)><a href="\(address)"\(current)>\(one.keyword) <b>\(String(one.count))</b></a></li>
                """
        }
        return """
            <h2>\(say(Phrase.Page.interestsHere))</h2>
            <p class="note">\(say(Phrase.Page.peopleCount, ["count": String(body.people)]))</p>
            <ul class="keywords">\(items)</ul>
            """
    }

    private var me: HTML {
        let blocked = body.blocked
        let unblock: HTML? =
            blocked == 0
            ? nil
            : button(
                "unblock",
                Phrase.Page.unblockAll, values: ["count": String(blocked)], style: quiet)
        return """
            <p>\(say(Phrase.Page.youAs, ["nickname": body.me?.nickname ?? ""]))</p>
            \(button("edit", Phrase.Page.changeProfile, style: quiet))\(unblock)\(leave)
            <noscript><p><a href="\(action)">\(say(Phrase.Page.lookAgain))</a></p></noscript>
            """
    }

    // MARK: A meeting

    private func matched(_ match: MatchingBody.Match) -> HTML {
        guard !match.left else {
            return """
                <article class="card met"><h2>\(say(Phrase.Page.metLeft))</h2></article>
                \(button("end", Phrase.Page.lookForOthers))\(leave)
                """
        }
        let name = ["nickname": match.nickname]
        let place: HTML? = match.place.map {
            "<p class=\"place\">\(say(Phrase.Page.meetAt, ["place": $0]))</p>"
        }
        let theirs: HTML? = match.theirLine.map {
            "<p class=\"told\">\(say(Phrase.Page.lineFrom, ["nickname": match.nickname, "text": $0]))</p>"
        }
        let most = String(MatchPerson.mostCharacters.line)
        return """
            <article class="card met"><h2>\(say(Phrase.Page.youMeet, name))</h2>
            <p>\(say(Phrase.Page.interestedIn, ["keywords": list(match.keywords)]))</p>\(place)\(theirs)
            <form method="post" action="\(action)">
            <input type="hidden" name="receipt" value="\(receipt)">
            <input type="hidden" name="do" value="line">
            <label for="line">\(say(Phrase.Page.lineToMatch, name))</label>
            <input id="line" name="text" value="\(match.line ?? "")" maxlength="\(most)" autocomplete="off" \
            aria-describedby="line-hint">
            <p class="note" id="line-hint">\(say(Phrase.Page.lineMeans, name))</p>
            <button type="submit" class="aside">\(say(Phrase.Page.sendLine))</button></form></article>
            \(button("end", Phrase.Page.endMeeting))
            \(aboutPerson(match.person, match.keywords))\(leave)
            <noscript><p><a href="\(action)">\(say(Phrase.Page.lookAgain))</a></p></noscript>
            """
    }
}
