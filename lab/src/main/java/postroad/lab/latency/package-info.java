/// How long sessions of folder sync take over simulated wires, and how much of that is waiting for the wire.
///
/// Public: [LatencyPlan], [LatencyTrial], [LatencyReport].
package postroad.lab.latency;
