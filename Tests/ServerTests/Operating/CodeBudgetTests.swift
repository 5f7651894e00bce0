import Foundation
import Journal
import Meetings
import Phrases
import Testing

@testable import Server

/// Tests of the budgets of messages with codes.
@Suite(.timeLimit(.minutes(2))) struct CodeBudgetTests {
    private static func settings(_ most: Int) -> CodeBudgetSettings {
        var settings = CodeBudgetSettings()
        (settings.phonesPerHour, settings.mailsPerHour) = (most, most)
        return settings
    }

    private func budgets(_ most: Int, in limits: FailureLimits = FailureLimits()) -> CodeBudgets {
        CodeBudgets(Self.settings(most), in: limits, RequestLog(.silent, clock: HandClock(start)))
    }

    @Test func `the operator's page has a text for every channel with codes, and for every state but enough`()
    {
        for channel in OutgoingMail.Channel.allCases {
            #expect(
                (Phrase.Host.all["codeBudget_\(channel)"] != nil)
                    == OutgoingMail.Channel.ofCodes.contains(channel))
        }
        for state in CodeBudgets.State.allCases {
            #expect((Phrase.Host.all["codeBudgetState_\(state.rawValue)"] != nil) == (state != .enough))
        }
    }

    @Test func `one address gets a small part of the messages, and marked people there still get theirs`() {
        let budgets = budgets(6_000)
        var sent = 0
        for number in 0..<1_010 {
            let now = start + .milliseconds(60_000 * number / 1_010)
            if budgets.count(.phone, from: "192.0.2.1", mark: nil, at: now) == nil { sent += 1 }
        }
        #expect((60...120).contains(sent), "\(sent)")
        let now = start + .minutes(1)
        #expect(budgets.count(.phone, from: "192.0.2.1", mark: nil, at: now) != nil)
        #expect(budgets.count(.phone, from: "192.0.2.1", mark: "account 1", at: now) == nil)
        #expect(budgets.count(.phone, from: "192.0.2.2", mark: nil, at: now) == nil)
        #expect(budgets.count(.mail, from: "192.0.2.1", mark: nil, at: now) == nil)
    }

    @Test func `an address that asks all the time gets a twentieth in an hour, and then a fresh hour`() {
        let budgets = budgets(1_000)
        var (sent, longest) = (0, 0)
        for second in 0..<3_600 {
            let wait = budgets.count(.phone, from: "a", mark: nil, at: start + .seconds(second))
            sent += wait == nil ? 1 : 0
            longest = max(longest, wait ?? 0)
        }
        #expect(sent == 50 && longest <= 3_600)
        #expect(budgets.count(.phone, from: "a", mark: nil, at: start + .hours(1)) == nil)
    }

    @Test func `the announced wait is the time after which the next request is accepted`() throws {
        let budgets = budgets(400)
        var now = start
        for _ in 1...20 {
            while let wait = budgets.count(.phone, from: "a", mark: nil, at: now) {
                #expect(wait > 0)
                now = now + .seconds(wait)
                #expect(budgets.count(.phone, from: "a", mark: nil, at: now - .seconds(2)) != nil)
            }
        }
        #expect(now > start + .minutes(30) && now < start + .hours(1))
        #expect(budgets.count(.phone, from: "a", mark: nil, at: now) != nil)
    }

    @Test func `strangers at many addresses get half of the budget, and the rest is kept for marks`() {
        let budgets = budgets(100)
        for number in 1...50 {
            #expect(budgets.count(.phone, from: "\(number)", mark: nil, at: start) == nil)
        }
        #expect(budgets.count(.phone, from: "new", mark: nil, at: start) != nil)
        #expect(budgets.report(on: .phone, at: start).state == .keptForMarks)
        for number in 1...50 {
            #expect(budgets.count(.phone, from: "\(number)", mark: "m \(number)", at: start) == nil)
        }
        #expect(budgets.count(.phone, from: "new", mark: "new", at: start) != nil)
        let report = budgets.report(on: .phone, at: start)
        #expect(report.state == .usedUp && report.used == 100 && report.refused == 2)
        #expect(budgets.report(on: .phone, at: start + .hours(1)).state == .enough)
    }

    @Test func `one mark gets ten messages in an hour, at whatever address it is`() {
        let budgets = budgets(6_000)
        for number in 1...10 {
            #expect(budgets.count(.phone, from: "\(number)", mark: "m", at: start) == nil)
        }
        #expect(budgets.count(.phone, from: "11", mark: "m", at: start) == 3601)
        #expect(budgets.count(.phone, from: "11", mark: "other", at: start) == nil)
    }

    @Test func `a budget warns once when it runs low, when the marked half begins, and when it is used up`() {
        let lines = Lines()
        let log = RequestLog(.text, clock: HandClock(start), sink: { lines.add($0) })
        let budgets = CodeBudgets(Self.settings(100), in: FailureLimits(), log)
        for number in 1...60 { _ = budgets.count(.phone, from: "\(number)", mark: nil, at: start) }
        for number in 1...60 { _ = budgets.count(.phone, from: "\(number)", mark: "\(number)", at: start) }
        let warnings = lines.all.filter { $0.contains("warning") }
        #expect(warnings.count == 3, "\(warnings)")
        #expect(warnings.allSatisfy { $0.contains("--phone-codes-per-hour") })
    }

    @Test func `a flood of other counts does not reset a budget`() {
        let limits = FailureLimits()
        let budgets = budgets(100, in: limits)
        for number in 1...50 { _ = budgets.count(.phone, from: "\(number)", mark: nil, at: start) }
        for number in 0..<110_000 {
            limits.failed("\(number)", FailureLimits.code, at: start + .milliseconds(number))
        }
        #expect(budgets.report(on: .phone, at: start + .minutes(2)).used == 50)
    }

    @Test func `nodes of one database share a budget`() async throws {
        try await Site.open { site in
            let key = site.keys.attempts
            let other = FailureLimits(key: key)
            let own = FailureLimits(key: key) { other.receive($0, at: start) }
            let (here, there) = (budgets(100, in: own), budgets(100, in: other))
            for number in 1...50 {
                #expect(here.count(.phone, from: "\(number)", mark: nil, at: start) == nil)
            }
            #expect(there.report(on: .phone, at: start).state == .keptForMarks)
            #expect(there.count(.phone, from: "new", mark: nil, at: start) != nil)
            #expect(there.count(.phone, from: "new", mark: "m", at: start) == nil)
        }
    }

    // MARK: Through the server

    private func ask(
        _ site: Site, _ number: Int, bearer: String? = nil, cookie: String? = nil
    ) async throws -> Answer {
        try await site.send(
            "POST", "/api/v1/phone-tokens", bearer: bearer,
            json: #"{"phone": "+8210\#(10_000_000 + number)"}"#,
            headers: cookie.map { [("Cookie", $0)] } ?? [])
    }

    @Test
    func
        `a refusal comes before any look-up, and marks by receipt, token and browser pass where others wait`()
        async throws
    {
        try await Site.open {
            $0.codes = Self.settings(400)
        } _: { site in
            let cast = try await site.cast()
            var refused: Answer?
            for number in 1...21 {
                let answer = try await ask(site, number)
                if answer.status != 202 { refused = refused ?? answer }
            }
            let problem = try #require(refused)
            #expect(problem.status == 429 && problem.string("code") == "too_many_code_requests")
            let wait = try #require(problem[header: "retry-after"].flatMap { Int($0) })
            #expect(
                wait > 0 && (problem.string("detail") ?? "").contains("\(wait) second"), "\(problem.text)")
            // Known and unknown addresses wait alike, because the server looks for neither.
            let known = try await ask(site, 1)
            #expect(known.string("code") == "too_many_code_requests" && known.string("handle") == nil)
            // An invented cookie is no mark; a receipt, a sign-in and a signed cookie are.
            for cookie in [
                "qring_device=0123456789ABCDEFGHJKMNPQRS", "qring_known=0123456789ABCDEFGHJKMNPQRS",
                "qring_receipt_x=qrc_0",
            ] { #expect(try await ask(site, 1, cookie: cookie).status == 429) }
            #expect(try await ask(site, 30, bearer: cast[.attendee]).status == 202)
            #expect(try await ask(site, 31, bearer: cast[.owner]).status == 202)
            let mark = KnownBrowser.fresh(at: site.clock.now, site.services.keys)
            #expect(try await ask(site, 32, cookie: "a=b; qring_known=\(mark)").status == 202)
            #expect(try await ask(site, 33, cookie: "qring_receipt_x=\(cast[.attendee] ?? "")").status == 202)
            site.clock.set(site.clock.now + .seconds(KnownBrowser.lifetimeSeconds))
            #expect(KnownBrowser(mark, at: site.clock.now, site.services.keys) == nil)
        }
    }

    @Test func `operators see the budgets, and so do the metrics`() async throws {
        try await Site.open {
            $0.codes = Self.settings(20)
        } _: { site in
            let cast = try await site.cast()
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    guard var owner = try transaction.rows.account(cast.owner) else { return }
                    owner.admin = true
                    try transaction.rows.update(owner)
                })
            for number in 1...3 { _ = try await ask(site, number) }
            let shown = try await site.send("GET", "/api/v1/code-budgets", bearer: cast[.owner])
            #expect(shown.status == 200 && shown.text.contains(#""channel":"phone""#), "\(shown.text)")
            let metrics = try await site.send("GET", "/metrics")
            #expect(metrics.text.contains(#"qring_code_budget{channel="phone"} 20"#))
            #expect(metrics.text.contains(#"qring_code_budget_used{channel="phone"} 1"#))
            #expect(metrics.text.contains(#"qring_code_requests_refused_total{channel="phone"} 2"#))
        }
    }
}
