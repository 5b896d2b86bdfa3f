/// Proofs about the whole program: its architecture, and black-box tests with real processes and real
/// clients.
package postroad.system;
