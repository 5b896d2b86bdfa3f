/// What the tests and the lab share: seeded keys, corpora and the slow judges.
package postroad.nostr.kit;
