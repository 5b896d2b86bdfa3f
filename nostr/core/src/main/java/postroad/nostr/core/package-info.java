/// Nostr without files, sockets, threads or clocks: events, filters, messages, their bytes, and the rules of kinds.
///
/// An event is parsed once, from bytes, strictly, into its packed form ([PackedEvent]), which is what the store keeps,
/// what filters are matched against and what is copied into frames. Public: [Event], [VerifiedEvent], [EventParser],
/// [EventDraft], [Signer], [EventLimits], [PackedEvent], [EventId], [PublicKey], [Tag], [KindClass], [Address],
/// [Filter], [FilterParser], [TagCondition], [TagValue], [Query], [Viewer], [ClientMessage], [ClientMessageParser],
/// [ClientMessages], [RelayMessage], [RelayMessageParser], [RelayMessages], [Prefix], [RelayUrl].
///
/// How bytes become values: a [JsonCursor] reads strict JSON and copies strings in canonical form; [EventReader] and
/// [FilterReader] read one thing each at a cursor and throw [Refusal]; the parsers turn that into results.
package postroad.nostr.core;
