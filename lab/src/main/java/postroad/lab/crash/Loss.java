package postroad.lab.crash;

/// Which of the writes that no sync had made safe reach the disk before the power goes.
public enum Loss {
    /// None does.
    EVERYTHING,
    /// All do, as after a kill.
    NOTHING,
    /// Those up to some moment do.
    TAIL,
    /// Only the last does: it overtook all others.
    ALL_BUT_THE_LAST,
    /// Each one does or does not.
    WRITES,
    /// Each sector of 512 bytes of each one does or does not: torn writes.
    SECTORS
}
