package postroad.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A file system of another sort in an image file, mounted for the ordinary user of the tests; only root can have one.
final class Disk implements AutoCloseable {
    private final Path place;
    private final String device;

    private Disk(Path place, String device) {
        this.place = place;
        this.device = device;
    }

    /// FAT where the kernel has it, else exFAT by FUSE: no modes, no links, coarse times, names of any case.
    static Disk fat(Path folder) throws IOException, InterruptedException {
        String[] owner = OrdinaryUser.name().split(":", 2);
        String options = "uid=" + owner[0] + ",gid=" + owner[owner.length - 1];
        Disk disk = attached(folder, "128M");
        if (isDone("mkfs.vfat", disk.device)
                && isDone("mount", "-t", "vfat", "-o", options, disk.device, disk.place.toString())) {
            return disk;
        }
        String shared = options + ",allow_other";
        if (isDone("mkfs.exfat", disk.device)
                && isDone("mount.exfat-fuse", "-o", shared, disk.device, disk.place.toString())) {
            return disk;
        }
        return disk.missing("neither FAT nor exFAT by FUSE can be mounted here");
    }

    /// Ext4 with a root that takes names of any case.
    static Disk casefold(Path folder) throws IOException, InterruptedException {
        Disk disk = attached(folder, "64M");
        boolean there = isDone("mkfs.ext4", "-q", "-O", "casefold", disk.device)
                && isDone("mount", "-t", "ext4", disk.device, disk.place.toString());
        if (!there || !isDone("chattr", "+F", disk.place.toString())) {
            return disk.missing("the kernel's ext4 knows no casefold, or no file system can be mounted");
        }
        isDone("rmdir", disk.place.resolve("lost+found").toString());
        return disk.ownedByUser();
    }

    /// One that can share blocks: `xfs` or `btrfs`.
    static Disk sharing(Path folder, String type) throws IOException, InterruptedException {
        Disk disk = attached(folder, "400M");
        boolean there = isDone("mkfs." + type, "-q", disk.device)
                && isDone("mount", "-t", type, disk.device, disk.place.toString());
        return there ? disk.ownedByUser() : disk.missing("no " + type + " can be made and mounted here");
    }

    private static Disk attached(Path folder, String size) throws IOException, InterruptedException {
        Path place = Files.createDirectory(folder.resolve("disk"));
        Path image = folder.resolve("image");
        Tool.run("truncate", "-s", size, image.toString());
        Tool.Outcome loop = Tool.run("losetup", "--find", "--show", image.toString());
        assumeTrue(loop.status() == 0, "this user can have no loop device: " + loop.said());
        return new Disk(place, loop.said().strip());
    }

    private static boolean isDone(String... command) throws InterruptedException {
        List<String> line = new ArrayList<>(List.of("env", "PATH=/usr/sbin:/sbin:" + System.getenv("PATH")));
        line.addAll(List.of(command));
        return Tool.run(line).status() == 0;
    }

    private Disk ownedByUser() throws InterruptedException {
        isDone("chown", OrdinaryUser.name(), place.toString());
        return this;
    }

    private Disk missing(String why) {
        close();
        assumeTrue(false, why);
        return this;
    }

    Path place() {
        return place;
    }

    @Override
    public void close() {
        try {
            isDone("umount", place.toString());
            isDone("losetup", "--detach", device);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
