/// Bad input over real bytes: a client without scruples, a neighbour that must not notice, and a seeded
/// fuzzer.
///
/// Public: [RawConnection], [Frame], [Neighbour], [Health], [Mutator], [GoodMessages], [Fuzzer],
/// [TrialRelay].
package postroad.lab.fuzz;
