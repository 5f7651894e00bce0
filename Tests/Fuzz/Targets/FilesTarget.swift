import Meetings
import Wire

/// Parses the input as each file that a host can upload: a roster, questions, an image.
func fuzzFiles(_ bytes: [UInt8]) {
    if let people = try? RosterFile.people(in: bytes) {
        must(people.count <= RosterFile.mostPeople, "a roster has a bound")
        for person in people {
            must(person.draft.name.count <= 100, "a name has a bound")
            must(PersonalText.normalized(person.draft.name) == person.draft.name, "a name is its normal form")
        }
    }
    if let records = try? SeparatedText.records(of: bytes, most: 50) {
        must(records.count <= 50, "a table has a bound")
        must(records.allSatisfy { $0.cells.count <= SeparatedText.mostColumns }, "a line has a bound")
    }
    do {
        let file = try QuestionFile(bytes, language: nil)
        must((file.content.questions ?? []).count <= QuestionSet.mostQuestions, "a set has a bound")
    } catch is JSONFault {
    } catch let refusal as Refusal {
        guard case .invalid(let errors) = refusal else {
            return must(false, "a file is refused by its fields")
        }
        must((1...FieldError.mostReported).contains(errors.count), "a refusal has a bound")
    } catch { must(false, "a file is refused by its JSON or its fields") }
    if let header = ImageHeader.read(bytes) {
        must(ImageHeader.format(of: bytes) == header.format, "an image has the format of its signature")
    }
}
