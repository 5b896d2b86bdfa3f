/// Events into the store and out of it, as JSON lines.
///
/// Import: one thread cuts lines into chunks, every core parses and verifies chunks, and one thread writes the events
/// in the order of the lines; chunks in flight are bounded in bytes. Export: one snapshot, one pass.
/// Public: [Importer], [ImportOptions], [ImportSummary], [ImportFailure], [EventSink], [Source], [Sources], [Exporter],
/// [ExportSummary], [ReversedLines], [Compression].
package postroad.app.transfer;
