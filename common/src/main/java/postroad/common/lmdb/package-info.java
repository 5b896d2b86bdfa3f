/// LMDB as others build on it: its functions, and a look at its files before they are trusted.
///
/// Public: [Lmdb], [PageCheck]. What a table holds is its owner's matter.
package postroad.common.lmdb;
