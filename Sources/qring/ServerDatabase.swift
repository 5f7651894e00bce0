import CommandLine
import Foundation
import Glibc
import HostCommands
import Journal
import Phrases
import PostgresJournal
import SQLiteJournal
import Secrets

private typealias Messages = CommandPhrases.Database

/// The storage engine that a server's settings choose.
struct ServerDatabase {
    let engine: any Engine
    let epochRenewal: EpochRenewal?

    /// The use of the database.
    enum Use {
        case server(listen: String)
        /// A command beside the servers of a PostgreSQL database.
        case administration
        /// A command that replaces the secret. No server may run meanwhile. Afterwards, the secret of the
        /// first server that starts belongs to the database.
        case secretRenewal
    }

    /// Opens SQLite's database in the data folder, or the PostgreSQL database. The first start creates the
    /// server's secret in the data folder. A folder that has lost its secret is rejected.
    init(folder: String, database: String?, as use: Use) throws(JournalError) {
        guard let database else {
            var options = SQLiteEngine.Options()
            options.makeSecret = { () throws(JournalError) in try Self.makeSecret(in: folder) }
            let engine = try SQLiteEngine(folder: folder, options)
            (self.engine, epochRenewal) = (engine, engine.epochRenewal)
            return
        }
        var options = PostgresEngine.Options()
        options.makeSecret = { () throws(JournalError) in
            try Self.make(folder)
            try Self.makeSecret(in: folder)
        }
        options.secretFingerprint = { () throws(JournalError) in
            if case .secretRenewal = use { return nil }
            return try Self.secretFingerprint(in: folder)
        }
        switch use {
        case .server(let listen): options.name = "\(Self.machine) \(listen)"
        case .administration: options.name = "\(Self.machine) admin"
        case .secretRenewal: options.isAlone = true
        }
        engine = try PostgresEngine(settings: database, options)
        epochRenewal = nil
    }

    /// Returns the text by which servers compare their secrets.
    /// - Throws: `.secretLost` if the folder has no secret.
    static func secretFingerprint(in folder: String) throws(JournalError) -> String {
        guard FileManager.default.fileExists(atPath: "\(folder)/secret") else {
            throw .failed(StorageFailure(.secretLost, operation: "open", detail: folder))
        }
        do throws(SecretsError) {
            return try ServerSecret.loadOrCreate(at: "\(folder)/secret").fingerprint
        } catch { throw .failed(StorageFailure(error)) }
    }

    /// The name of this machine.
    private static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func make(_ folder: String) throws(JournalError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .failed(StorageFailure(.inputOutput, operation: "make \(folder)", detail: "\(error)"))
        }
    }

    private static func makeSecret(in folder: String) throws(JournalError) {
        do throws(SecretsError) {
            _ = try ServerSecret.loadOrCreate(at: "\(folder)/secret")
        } catch { throw .failed(StorageFailure(error)) }
    }
}

extension StorageFailure {
    /// Converts the error of a secret that could not be created or read.
    fileprivate init(_ error: SecretsError) {
        if case .file(let operation, let path, let code) = error {
            self.init(errno: code, operation: "\(operation) \(path)")
        } else {
            self.init(.other, operation: "make the secret", detail: "\(error)")
        }
    }
}

extension Invocation {
    /// The PostgreSQL database of `--database` or `QRING_DATABASE`; nil for SQLite.
    var database: String? { setting("database") }

    /// Whether the command line shows the database's password. Only the user of a process can read its
    /// environment.
    var showsPassword: Bool { arguments.value("database").map(PostgresEngine.hasPassword) ?? false }

    /// Warns the operator if the command line shows the database's password.
    func warnOfPassword() {
        guard showsPassword else { return }
        note(Messages.passwordShown)
        note(Messages.passwordRemedy)
    }

    /// Ends a command that reads or writes SQLite's file if the operator has chosen PostgreSQL.
    func needSQLite() throws(CommandFailure) {
        guard database == nil else { throw .failed(Messages.notOnPostgres) }
    }

    /// Returns a sentence that says why the PostgreSQL database cannot be used, and what the operator can do;
    /// nil if the failure has nothing to do with the database.
    func databaseReason(_ failure: StorageFailure) -> String? {
        let phrase: Phrase
        switch failure.reason {
        case .busy: phrase = Messages.inUse
        case .wrongClock: phrase = Messages.wrongClock
        case .otherSecret: phrase = Messages.otherSecret
        case .secretLost: phrase = Messages.secretMissing
        case .unreachable: phrase = Messages.unreachable
        case .accessDenied: phrase = Messages.accessDenied
        case .unknownDatabase: phrase = Messages.unknown
        case .malformedSettings: phrase = Messages.malformed
        case .unsuitableServer: phrase = Messages.unsuitable
        case .foreign: phrase = Messages.foreign
        case .readOnly: phrase = Messages.readOnly
        case .newerSchema: phrase = Messages.newer
        case .developmentSchema: phrase = Messages.development
        default: return nil
        }
        return text(phrase, ["detail": failure.detail])
    }
}

extension CommandPhrases {
    enum Database {
        static let option = Phrase(
            "a PostgreSQL database instead of SQLite: a URL, or settings of libpq",
            "SQLite 대신 쓸 PostgreSQL 데이터베이스: URL 또는 libpq 설정")
        static let notOnPostgres = Phrase(
            "This command works on SQLite's file, and QRing is set to PostgreSQL. Use the tools of "
                + "PostgreSQL, for example pg_dump for backups. For an SQLite folder, unset QRING_DATABASE.",
            "이 명령은 SQLite 파일에만 쓸 수 있는데 PostgreSQL을 쓰도록 설정되어 있습니다. 백업은 pg_dump 같은 PostgreSQL 도구를 "
                + "사용하세요. SQLite 폴더를 다루려면 QRING_DATABASE를 해제하세요.")
        static let inUse = Phrase(
            "a server or a command of QRing uses this database at the moment. Wait until the command has "
                + "ended, or stop the servers that `qring admin nodes` lists; then try again",
            "지금 QRing 서버나 명령이 이 데이터베이스를 쓰고 있습니다. 명령이 끝날 때까지 기다리거나 `qring admin nodes`에 나오는 서버를 멈춘 뒤 "
                + "다시 시도하세요")
        static let wrongClock = Phrase(
            "the clocks of this machine and of the database server differ by {detail} s; synchronise both "
                + "with NTP",
            "이 컴퓨터와 데이터베이스 서버의 시계가 {detail}초 차이 납니다. 두 시계를 NTP로 맞추세요")
        static let secretMissing = Phrase(
            "the data folder {detail} has no secret, but the database has data. Copy the files secret, "
                + "secret.previous and secret.lasting from the data folder of another server, or from a "
                + "backup",
            "데이터베이스에 데이터가 있지만 데이터 폴더 {detail}에 비밀 키가 없습니다. 다른 서버의 데이터 폴더나 백업에서 secret, secret.previous, "
                + "secret.lasting 파일을 복사해 오세요")
        static let otherSecret = Phrase(
            "the other servers of this database have another secret; copy the files secret, secret.previous "
                + "and secret.lasting from the data folder of one of them",
            "이 데이터베이스를 쓰는 다른 서버와 비밀 키가 다릅니다. 그 서버의 데이터 폴더에서 secret, secret.previous, secret.lasting "
                + "파일을 복사해 오세요")
        static let unreachable = Phrase(
            "PostgreSQL cannot be reached ({detail}); check that it runs, and its address",
            "PostgreSQL에 연결할 수 없습니다({detail}). 실행 중인지, 주소가 맞는지 확인하세요")
        static let accessDenied = Phrase(
            "PostgreSQL refused the user or the password ({detail}); correct the user, and give "
                + "the password in PGPASSWORD or in the file ~/.pgpass",
            "PostgreSQL이 사용자 또는 비밀번호를 거부했습니다({detail}). 사용자를 확인하고, 비밀번호는 PGPASSWORD나 "
                + "~/.pgpass 파일로 지정하세요")
        static let malformed = Phrase(
            "the address of the database cannot be read. Write postgres://USER@HOST/NAME, and give the "
                + "password in PGPASSWORD or in the file ~/.pgpass. In a URL, the characters @ : / ? # % of "
                + "a password are written as %40 %3A %2F %3F %23 %25",
            "데이터베이스 주소를 읽을 수 없습니다. postgres://사용자@호스트/이름 형식으로 쓰고, 비밀번호는 PGPASSWORD나 ~/.pgpass 파일로 "
                + "지정하세요. URL 안의 비밀번호에 있는 @ : / ? # % 문자는 %40 %3A %2F %3F %23 %25로 씁니다")
        static let unknown = Phrase(
            "PostgreSQL has no such database ({detail}); create one: createdb --encoding UTF8 --template "
                + "template0 NAME",
            "PostgreSQL에 그런 데이터베이스가 없습니다({detail}). 새로 만드세요: createdb --encoding UTF8 --template template0 "
                + "이름")
        static let passwordShown = Phrase(
            "Every user of this machine can read the password of the database in the command line.",
            "이 컴퓨터의 모든 사용자가 명령줄에 있는 데이터베이스 비밀번호를 읽을 수 있습니다.")
        static let passwordRemedy = Phrase(
            "Give the password in the environment (PGPASSWORD, or the whole value in QRING_DATABASE) or "
                + "in the file ~/.pgpass, and then change it, because it may have been read.",
            "비밀번호를 환경 변수(PGPASSWORD 또는 값 전체를 QRING_DATABASE)나 ~/.pgpass 파일로 지정하세요. 이미 노출되었을 수 있으니 "
                + "비밀번호도 바꾸세요.")
        static let archived = Phrase(
            "PostgreSQL copies its log to an archive or to another server. The copies show who gave which "
                + "anonymous answer, because the log has the order of all changes.",
            "PostgreSQL이 로그를 아카이브나 다른 서버로 복사합니다. 로그에는 모든 변경의 순서가 남으므로 복사본에서 익명 답변의 작성자를 알아낼 수 있습니다.")
        static let archivedRemedy = Phrase(
            "Delete the archive's files and base backups after a short time, for example 7 days, and "
                + "tell the hosts how long they are kept.",
            "아카이브 파일과 기본 백업은 짧은 기간(예: 7일) 뒤에 지우고, 보관 기간을 진행자에게 알리세요.")
        static let unsuitable = Phrase(
            "this database is not suitable ({detail}); QRing needs PostgreSQL 15 or newer, and a database in "
                + "UTF-8: createdb --encoding UTF8 --template template0 NAME",
            "이 데이터베이스는 쓸 수 없습니다({detail}). PostgreSQL 15 이상과 UTF-8 데이터베이스가 필요합니다: createdb --encoding "
                + "UTF8 --template template0 이름")
        static let foreign = Phrase(
            "the database already has tables of another program; create an empty one: createdb --encoding "
                + "UTF8 --template template0 NAME",
            "데이터베이스에 다른 프로그램의 테이블이 있습니다. 빈 데이터베이스를 만드세요: createdb --encoding UTF8 --template "
                + "template0 이름")
        static let readOnly = Phrase(
            "the database is read-only ({detail}); name the primary server, not a standby",
            "데이터베이스가 읽기 전용입니다({detail}). 대기 서버가 아닌 주 서버를 지정하세요")
        static let newer = Phrase(
            "a newer QRing wrote the database; start that version",
            "더 새로운 QRing이 저장한 데이터베이스입니다. 그 버전을 시작하세요")
        static let development = Phrase(
            "a QRing before 0.1.0 wrote the database, and this version cannot read it; export the data with "
                + "that version, and start with an empty database",
            "0.1.0 이전의 QRing이 저장한 데이터베이스라서 읽을 수 없습니다. 그 버전으로 데이터를 내보낸 뒤 빈 데이터베이스로 시작하세요")
        static let usable = Phrase("PostgreSQL can be used.", "PostgreSQL을 사용할 수 있습니다.")
        static let notUsable = Phrase("PostgreSQL cannot be used.", "PostgreSQL을 사용할 수 없습니다.")
    }
}
