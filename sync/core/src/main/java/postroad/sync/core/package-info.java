/// Folder sync without files, sockets, threads or clocks: names, entries, chunks, recipes and the bytes of the
/// protocol.
///
/// Public: [TreePath], [LinkTarget], [Kind], [Entry], [Shown].
package postroad.sync.core;
