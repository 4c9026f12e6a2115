public import Foundation
import Testing

/// The members of a JSON object, as Foundation reads it, which has nothing in common with the writer and the reader
/// that are tested.
public typealias JSONObject = [String: Any]

extension StringProtocol {
  /// The JSON object that the text is.
  public var jsonObject: JSONObject {
    get throws { try Data(utf8).jsonObject }
  }

  /// The objects of JSON Lines.
  public var jsonLines: [JSONObject] {
    get throws { try split(separator: "\n").map { try $0.jsonObject } }
  }
}

extension Data {
  /// The JSON object that the bytes are.
  public var jsonObject: JSONObject {
    get throws { try #require(JSONSerialization.jsonObject(with: self) as? JSONObject) }
  }
}

extension JSONObject {
  /// The type of a record.
  public var type: String? { self["type"] as? String }

  /// Returns the object that is a member.
  public func object(_ name: String) throws -> JSONObject {
    try #require(self[name] as? JSONObject, "\(name)")
  }

  /// Returns the objects in a list that is a member.
  public func objects(_ name: String) throws -> [JSONObject] {
    try #require(self[name] as? [JSONObject], "\(name)")
  }
}

extension [JSONObject] {
  /// Returns the records of a type.
  public func ofType(_ type: String) -> [JSONObject] { filter { $0.type == type } }
}
