import Testing

@testable import ZoneDatabase

struct YearlyRuleTests {
    /// Returns the offset in minutes at a moment.
    private func minutes(_ rule: String, _ second: Int64) throws -> Int {
        try #require(YearlyRule(rule)).localTime(at: second).offset / 60
    }

    @Test func `a rule begins and ends at its second`() throws {
        let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
        // 29 March and 25 October 2026, 01:00 UTC.
        #expect(try minutes(rule, 1_774_745_999) == 60)
        #expect(try minutes(rule, 1_774_746_000) == 120)
        #expect(try minutes(rule, 1_792_889_999) == 120)
        #expect(try minutes(rule, 1_792_890_000) == 60)
    }

    @Test func `in the south, summer includes the turn of the year`() throws {
        let rule = "AEST-10AEDT,M10.1.0,M4.1.0/3"
        #expect(try minutes(rule, 1_767_225_600) == 660)
        #expect(try minutes(rule, 1_782_864_000) == 600)
    }

    @Test func `a winter time can be the deviation, as in Ireland`() throws {
        let rule = try #require(YearlyRule("IST-1GMT0,M10.5.0,M3.5.0/1"))
        #expect(
            rule.localTime(at: 1_767_225_600)
                == LocalTime(offset: 0, isDaylight: true, abbreviation: "GMT"))
        #expect(rule.localTime(at: 1_782_864_000).abbreviation == "IST")
    }

    @Test func `a day of the year counts the 29th of February only without the letter J`() throws {
        // 1 March 2028, 02:00 UTC: day 60 with J, and day 60 without it (the first is 0).
        #expect(try minutes("AAA0BBB,J60,J200", 1_835_488_799) == 0)
        #expect(try minutes("AAA0BBB,J60,J200", 1_835_488_800) == 60)
        #expect(try minutes("AAA0BBB,60,200", 1_835_488_799) == 0)
        #expect(try minutes("AAA0BBB,60,200", 1_835_488_800) == 60)
        // 1 March 2027: day 60 with J, day 59 without it.
        #expect(try minutes("AAA0BBB,J60,J200", 1_803_866_400) == 60)
        #expect(try minutes("AAA0BBB,59,200", 1_803_866_400) == 60)
    }

    @Test func `names in brackets, and times before midnight, are read`() throws {
        #expect(try minutes("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_767_225_600) == -120)
        #expect(try minutes("<+0330>-3:30", 0) == 210)
    }

    @Test(arguments: [
        "", "CET", "C-1", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,J0,J5", "CET-1CEST,M3.5.0,M10.5.0/168",
        "CET-1CEST,M3.5.0,M10.5.0 ", "<CET-1", "CET-1:60",
    ])
    func `another form is refused`(_ rule: String) {
        #expect(YearlyRule(rule) == nil)
    }
}
