import Journal
import Meetings
import PostgresCluster
import Testing

@testable import PostgresJournal
@testable import SQLJournal

@Suite(.waitingThreads) struct OpeningTests {
    private let cluster: Cluster
    private let schema: (name: String, settings: String)

    init() throws {
        cluster = try Cluster.shared.get()
        schema = try cluster.makeSchema()
    }

    private func failure(_ settings: String, isAlone: Bool = false) -> StorageFailure? {
        do throws(JournalError) {
            var options = PostgresEngine.Options.small
            options.isAlone = isAlone
            try PostgresEngine(settings: settings, options).close()
        } catch {
            if case .failed(let failure) = error { return failure }
        }
        return nil
    }

    @Test func `a database keeps its epoch and rows after the engine has closed`() async throws {
        let first = try PostgresEngine(settings: schema.settings, .small)
        let rows = try first.openWriter()
        try rows.begin()
        try rows.noteOperator()
        try rows.commit()
        first.close()
        let second = try PostgresEngine(settings: schema.settings, .small)
        defer { second.close() }
        #expect(second.epoch == first.epoch)
        #expect(try await second.read { rows throws(JournalError) in try rows.hasHadOperator() })
    }

    @Test func `several servers share a database, unless one needs it for itself`() throws {
        let engine = try PostgresEngine(settings: schema.settings, .small)
        #expect(failure(schema.settings) == nil)
        #expect(failure(schema.settings, isAlone: true)?.reason == .busy)
        engine.close()
        #expect(failure(schema.settings, isAlone: true) == nil)
    }

    @Test func `the tables of another program are left alone`() throws {
        try cluster.execute("CREATE TABLE \(schema.name).meetings (title text)")
        #expect(failure(schema.settings)?.reason == .foreign)
    }

    @Test func `the tables of a version before 0.1.0 are left alone`() throws {
        #expect(failure(schema.settings) == nil)
        let older = Migrations.postgres.first - 1
        try cluster.execute("UPDATE \(schema.name).meta SET value = '\(older)' WHERE key = 'qring schema'")
        #expect(failure(schema.settings)?.reason == .developmentSchema)
    }

    @Test func `the tables of a newer version are left alone`() throws {
        #expect(failure(schema.settings) == nil)
        try cluster.execute("UPDATE \(schema.name).meta SET value = '99' WHERE key = 'qring schema'")
        #expect(
            failure(schema.settings)?.reason == .newerSchema(found: 99, known: Migrations.postgres.newest))
    }

    @Test func `an unreachable server is reported`() {
        #expect(failure("host=/nowhere user=qring")?.reason == .unreachable)
    }

    @Test func `an unknown database is reported with the server's words`() {
        let found = failure("\(cluster.settings) dbname=nothing")
        #expect(found?.reason == .unknownDatabase)
        #expect(found?.detail.contains("database \"nothing\" does not exist") == true)
    }

    @Test func `a refused user is reported`() {
        #expect(failure("\(cluster.settings) user=stranger")?.reason == .accessDenied)
    }

    @Test func `no message shows a password, even if libpq or the server repeats it`() throws {
        // The server repeats the name of a database, libpq that of a host or of a file.
        for wrong in ["dbname=tell-no-one", "host=/tell-no-one", "host=tell-no-one", "sslmode=tell-no-one"] {
            let found = try #require(failure("\(cluster.settings) password=tell-no-one \(wrong)"))
            #expect(!"\(found)".contains("tell-no-one"), "\(found)")
        }
        let short = try #require(failure("\(cluster.settings) password=e dbname=nothing"))
        #expect(!short.detail.contains("database"))
    }

    @Test(arguments: [
        "host=/x password=secret word", "postgres://u:secret@h:port/d", "postgres://u:secret%zz@h/d",
        "postgres://u@h/d?secret=1", "host='secret", "postgres://u:se/cret@h/d",
        "postgres://u:s@cret@h/d", "postgres://u:12/cret@h/d",
    ]) func `malformed settings are reported without any part of them`(_ settings: String) throws {
        let found = try #require(failure(settings))
        #expect(found == StorageFailure(.malformedSettings, operation: "read settings"))
    }

    @Test(arguments: [
        ("postgres://u:p@h/d", true), ("postgresql://u@h/d?password=p", true),
        ("host=h password='p q'", true),
        ("host=h sslpassword=p", true), ("postgres://u@h/d", false), ("host=h user=password", false),
        ("qring", false), ("postgres://u:p%zz@h/d", false),
    ]) func `a password is found in every form of settings`(_ settings: String, _ isFound: Bool) {
        #expect(PostgresEngine.hasPassword(settings) == isFound)
    }

    @Test func `a database with another encoding is refused`() throws {
        try cluster.execute("CREATE DATABASE \(schema.name) ENCODING 'LATIN1' TEMPLATE template0")
        let found = failure("\(cluster.settings) dbname=\(schema.name)")
        #expect(found?.reason == .unsuitableServer)
        #expect(found?.detail == "LATIN1")
    }

    @Test func `a migration that fails leaves the schema as it was`() throws {
        let connection = try Connection(settings: schema.settings, for: .writing())
        defer { connection.close() }
        func with(_ text: String) -> Migrations {
            Migrations(first: Migrations.postgres.first, Migrations.postgres.all + [Migration(text)])
        }
        try connection.migrate(.postgres)
        #expect(throws: JournalError.self) {
            try connection.migrate(with("CREATE TABLE extra (id uuid); SELECT 1 / 0"))
        }
        #expect(try connection.schemaVersion() == Migrations.postgres.newest)
        try connection.migrate(with("CREATE TABLE extra (id uuid)"))
        #expect(try connection.schemaVersion() == Migrations.postgres.newest + 1)
        #expect(throws: JournalError.self) { try connection.migrate(.postgres) }
    }
}

@Suite(.waitingThreads) struct OutageTests {
    @Test func `a commit whose answer was lost is found in the database`() throws {
        let cluster = try Cluster.shared.get()
        let schema = try cluster.makeSchema()
        let engine = try PostgresEngine(
            settings: schema.settings + " application_name=\(schema.name)", .small)
        defer { engine.close() }
        let rows = try #require(try engine.openWriter() as? PostgresRows)
        try rows.begin()
        try rows.noteOperator()
        // The server stores the batch, and the connection breaks before this program knows it.
        try rows.connection.execute(
            "INSERT INTO commits VALUES (1, \(try #require(rows.nodeNumber)), 0, '', 1)", "test")
        try rows.connection.execute("COMMIT; BEGIN", "test")
        try rows.connection.execute("CREATE TEMP TABLE lost (id bigint)", "test")
        try cluster.endConnections(named: schema.name)
        try rows.finishCommit(1)
        try rows.begin()
        #expect(try rows.hasHadOperator())
        try rows.commit()
    }

    @Test func `a cut connection fails one batch, and the next one works`() async throws {
        let cluster = try Cluster.shared.get()
        let schema = try cluster.makeSchema()
        let engine = try PostgresEngine(
            settings: schema.settings + " application_name=\(schema.name)", .small)
        defer { engine.close() }
        let rows = try engine.openWriter()
        try rows.begin()
        try rows.noteOperator()
        try cluster.endConnections(named: schema.name)
        #expect(throws: JournalError.self) { try rows.commit() }
        try rows.begin()
        #expect(try !rows.hasHadOperator())
        try rows.noteOperator()
        try rows.commit()
        // The connection for reading broke too; the query finds that, and runs again.
        #expect(try await engine.read { rows throws(JournalError) in try rows.hasHadOperator() })
    }

    @Test func `the pause between two attempts to connect begins with the first failure`() {
        var backOff = BackOff()
        #expect(backOff.mayTry)
        backOff.noteFailure()
        #expect(!backOff.mayTry)
    }
}

extension Cluster {
    /// Ends the connections of an application, and waits until they have ended.
    fileprivate func endConnections(named name: String) throws {
        try execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = '\(name)'")
    }
}
