import ArgumentParser

/// The options of the commands that read labels.
struct LabelOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      A label with this text marks silence, like those of forced aligners, which are known: sil, sp, pau, <p:>, # and \
      others. May be repeated.
      """, valueName: "WORD"))
  var silence: [String] = []
}
