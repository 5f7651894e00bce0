package enum CodeCommands { package static let all: [CommandDeclaration] = [] }
package enum AttendeeCommands { package static let all: [CommandDeclaration] = [] }
package enum QuestionCommands { package static let all: [CommandDeclaration] = [] }
package enum LiveCommands { package static let all: [CommandDeclaration] = [] }
