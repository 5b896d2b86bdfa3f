/// Other processes: started, listened to, killed, and never left behind. Public: [Child], [Jvm], [Node],
/// [ProcessFigures], [SearchPath].
package postroad.lab.process;
