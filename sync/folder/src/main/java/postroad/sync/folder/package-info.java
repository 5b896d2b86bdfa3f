/// Folder sync on the disk: walking a tree, staging, commit, and the memory of what was hashed.
package postroad.sync.folder;
