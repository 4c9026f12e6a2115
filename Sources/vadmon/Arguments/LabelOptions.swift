import ArgumentParser

/// The options of the commands that read labels.
struct LabelOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Treat labels with this text as silence. The marks of forced aligners are known: sil, sp, pau, <p:>, # and \
      others. May be repeated.
      """, valueName: "WORD"))
  var silence: [String] = []
}
