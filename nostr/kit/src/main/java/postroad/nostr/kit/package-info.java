/// What the tests and the lab share: seeded keys, corpora and random filters, and the slow judges of the fast code.
///
/// The judges ([SlowEvent], [SlowMatcher], [ModelStore]) read JSON with Jackson and keep plain lists;
/// they share no code with the parsers, filters and stores they judge. Public: [Keys], [Corpus],
/// [RandomFilters], [SlowEvent], [SlowMatcher], [ModelStore], [Garbage].
package postroad.nostr.kit;
