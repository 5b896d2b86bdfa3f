/// Mistreats both sides of folder sync: real sessions whose frames somebody changes on the way, and peers that never
/// meant well.
///
/// Public: [SyncFuzzer], [Floods].
package postroad.lab.syncfuzz;
