/// `bench folders`: whole processes of this program and of others bring the same trees over real links.
/// [FoldersPlan] says what is to be run: which [Line] is between the ends, on which [Ground] the trees
/// lie, and what the receiver has of them. [FoldersTrial] runs it, and [FoldersReport] is what was found.
package postroad.lab.folders;
