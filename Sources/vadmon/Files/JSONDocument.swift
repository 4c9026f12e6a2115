import Annotations

extension JSONValue {
  /// Returns a document of results: the version of its schema, the program, and the members of this object.
  ///
  /// - Parameters:
  ///   - version: It changes whenever a reader would have to change: a member is removed or changes its meaning.
  ///   - lists: The arrays that have a line for each element.
  func document(version: Int, listing lists: Set<String> = []) -> String {
    let head: JSONValue = [
      "schema_version": .integer(version), "generator": .string(Vadmon.generator),
    ]
    return (head + self).linesOfMembers(listing: lists)
  }

  /// Returns the object with one member a line.
  func linesOfMembers(listing lists: Set<String> = []) -> String {
    "{\n" + memberLines(indentedBy: 2, isListed: lists.contains) + "\n}\n"
  }
}
