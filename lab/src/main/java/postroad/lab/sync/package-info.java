/// Sessions of folder sync inside one process, over wires of our own making: how many round trips one waits for, and
/// what it costs.
///
/// Public: [TrialSession], [TrialTree], [TreeShape], [TreeState], [TreeSize], [Hops], [Dialing], [Median].
package postroad.lab.sync;
