/// A completion script of ArgumentParser, extended by what it does not know: that `vadmon FILE…` means
/// `vadmon analyze FILE…`.
///
/// If the first word is not a command, the words are completed as if `analyze` came before. While the first word is
/// typed, commands are offered too. `Tests/Program/completions.sh` tries it in the shells.
struct CompletionScript {
  private let generated: String
  private let commands: String

  init(_ generated: String, commands: [String]) {
    self.generated = generated
    self.commands = commands.joined(separator: " ")
  }

  var text: String {
    if generated.hasPrefix("#compdef") { return zsh }
    return generated + "\n" + (generated.hasPrefix("function") ? fish : bash)
  }

  private var bash: String {
    """
    _vadmon_or_analyze() {
        if [[ ${COMP_CWORD} -gt 1 && " \(commands) " = *" ${COMP_WORDS[1]} "* ]]; then
            _vadmon "$@"
            return
        fi
        local -a found=()
        if [[ ${COMP_CWORD} -eq 1 ]]; then
            _vadmon "$@"
            found=("${COMPREPLY[@]}")
            COMPREPLY=()
        fi
        COMP_WORDS=("${COMP_WORDS[0]}" analyze "${COMP_WORDS[@]:1}")
        COMP_CWORD=$((COMP_CWORD + 1))
        _vadmon "$@"
        COMPREPLY+=("${found[@]}")
    }

    complete -o filenames -F _vadmon_or_analyze vadmon
    """
  }

  /// The last lines of the generated script call the function.
  private var zsh: String {
    let call = "if [[ \"${funcstack[1]}\" = _vadmon ]]; then"
    return generated.replacing(
      call,
      with: """
        functions[_vadmon_named]="${functions[_vadmon]}"

        _vadmon() {
            if [[ CURRENT -gt 2 && " \(commands) " = *" ${words[2]} "* ]]; then
                _vadmon_named "$@"
                return
            fi
            local -i ret=1 current="${CURRENT}"
            local -a line=("${words[@]}")
            if [[ current -eq 2 ]]; then
                _vadmon_named "$@" && ret=0
            fi
            words=("${line[1]}" analyze "${(@)line[2,-1]}")
            CURRENT=$((current + 1))
            _vadmon_named "$@" && ret=0
            return "${ret}"
        }

        \(call)
        """)
  }

  private var fish: String {
    """
    functions -q __vadmon_typed_tokens; or functions -c __vadmon_tokens __vadmon_typed_tokens

    function __vadmon_tokens
        set -l tokens (__vadmon_typed_tokens $argv)
        if test (count $tokens) -gt 1; and not contains -- $tokens[2] \(commands)
            set tokens $tokens[1] analyze $tokens[2..]
        end
        test (count $tokens) -gt 0; and printf '%s\\n' $tokens
    end

    complete -c vadmon -n 'test (count (__vadmon_typed_tokens -pc)) -eq 1' -a '(complete -C "vadmon analyze "(commandline -ct))'
    """
  }
}
