/// The command line: verbs, their options, and the node that `postroad up` runs. The only place that wires everything.
///
/// [Main] finds the [Verb], parses its words and runs it. Answers go to standard output, talk and progress to standard
/// error; the exit status is 0 for done, 1 for failed, 2 for a usage error, 3 for partly done. Public: [Main].
package postroad.app;
