/// The client library: one connection to one relay, for publishing, querying, counting and following.
///
/// Each connection has one virtual thread that reads and hands on; what waits for a slow caller is bounded, and when it
/// is full the socket is read no further. Nothing is delivered that was not asked for and is not genuine.
/// Public: [RelayConnection], [ClientOptions], [Subscription], [GivenFilter], [QueryEnd], [CountAnswer],
/// [RelayException].
package postroad.nostr.client;
