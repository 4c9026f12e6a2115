/// Why audio could not be read.
public enum AudioInputError: Error, Sendable {
}
