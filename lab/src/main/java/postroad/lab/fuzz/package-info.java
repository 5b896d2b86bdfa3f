/// Bad input over real bytes: a client without scruples, a neighbour that must not notice, and a seeded fuzzer.
///
/// Public: [RawConnection], [Frame], [Neighbour], [Health], [Mutator], [Fuzzer], `FuzzBench`.
package postroad.lab.fuzz;
