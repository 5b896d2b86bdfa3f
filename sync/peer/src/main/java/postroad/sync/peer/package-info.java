/// Folder sync between two processes: sender and receiver over links.
package postroad.sync.peer;
