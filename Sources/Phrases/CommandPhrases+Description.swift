extension CommandPhrases {
    package enum Description {
        package static let openAPI = Phrase(
            "print what the HTTP API is (OpenAPI 3.1)", "HTTP API 설명 출력 (OpenAPI 3.1)")
        package static let openAPIExample = Phrase(
            "keep it in a file, for a generator of clients", "클라이언트 생성기에 쓸 파일로 저장")
        package static let asyncAPI = Phrase("print what the rooms are (AsyncAPI 3)", "룸 설명 출력 (AsyncAPI 3)")
        package static let asyncAPIExample = Phrase("keep it in a file", "파일로 저장")
    }
}
