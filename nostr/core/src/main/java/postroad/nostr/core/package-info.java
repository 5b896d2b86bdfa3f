/// Nostr without files, sockets, threads or clocks: events, filters, messages, their bytes, and the rules of kinds.
///
/// An event is parsed once, from bytes, strictly, into its packed form ([PackedEvent]), which is what the store keeps,
/// what filters are matched against and what is copied into frames. Public: [Event], [VerifiedEvent], `EventParser`,
/// `EventDraft`, [EventLimits], [PackedEvent], [EventId], [PublicKey], [Tag], [KindClass], [Address], [Filter],
/// [TagCondition], [TagValue], [Query], [Viewer], [ClientMessage], `ClientMessageParser`, [RelayMessage],
/// `RelayMessageParser`, `RelayMessages`, [Prefix], [RelayUrl].
package postroad.nostr.core;
