/// The client library.
package postroad.nostr.client;
