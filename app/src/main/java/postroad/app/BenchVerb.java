package postroad.app;

import org.apache.commons.cli.Options;
import postroad.lab.Bench;

/// `postroad bench`: what it says of itself. The trials are the lab's, which reads their words itself.
final class BenchVerb implements Verb {
    @Override
    public String name() {
        return "bench";
    }

    @Override
    public String words() {
        return "TRIAL";
    }

    @Override
    public String description() {
        return """
                Runs one of the lab's trials on this machine, on throwaway homes, and prints what it found.
                TRIAL stands first, its options behind it:

                  crash      cuts the power under a store at many points of a recorded run, and kills nodes under load
                  floor      where a small REQ spends its time: in process, on the wire, and beside running relays
                  folders    folder sync beside rsync and ffsync, whole processes on real links
                  fuzz       mistreats a relay with broken messages, and sees that others are served meanwhile
                  latency    how much of a folder sync's time is waiting for the wire, on simulated wires
                  memory     resident memory with many events under busy queries, and of idle connections
                  start      time from start to serving, after a clean end and after kill -9
                  sync-fuzz  mistreats both sides of folder sync, and sees that the next session is served

                Exit status 1 when something did not hold.
                """;
    }

    @Override
    public String example() {
        return """
                postroad bench start --events 100000
                postroad bench floor --peer ws://127.0.0.1:7777 --json floor.json
                postroad bench folders --wanlink ./wanlink --rtt-ms 30,150 --loss 0,0.1
                postroad bench crash --points 2000 --kills 300 --json crash.json
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.value(
                        "points", "N", "crash: points at which the power is cut; 0 for none (default: 2000)"))
                .addOption(Verb.value("batches", "N", "crash: batches written in the recorded run (default: 300)"))
                .addOption(Verb.value("kills", "N", "crash: nodes killed under load; 0 for none (default: 200)"))
                .addOption(Verb.value("minutes", "N", "fuzz, sync-fuzz: how long (default: 5)"))
                .addOption(Verb.value(
                        "seed",
                        "S",
                        "the seed, to repeat a run (default: another each time; floor, folders, latency: 42)"))
                .addOption(Verb.value("events", "N", "floor, memory, start: events in the store (default: 50000)"))
                .addOption(
                        Verb.value(
                                "peer",
                                "URL",
                                "floor: a running, empty relay to measure beside ours; it is given the events; may be repeated"))
                .addOption(Verb.value("corpora", "DIR", "floor: where events are kept between runs"))
                .addOption(Verb.value("connections", "N", "memory: idle connections (default: 10000)"))
                .addOption(Verb.value("seconds", "N", "memory: how long the queries last (default: 30)"))
                .addOption(Verb.value("starts", "N", "start: how often it is started (default: 7)"))
                .addOption(Verb.value(
                        "parallel", "K,…", "folders, latency: connections (default: folders 4, latency 1,4,8)"))
                .addOption(Verb.value("rtt-ms", "N,…", "folders, latency: round trips in milliseconds (default: 30)"))
                .addOption(Verb.value(
                        "in-flight", "N,…", "latency: files under way at a time; 1 is lock-step (default: default,1)"))
                .addOption(Verb.value(
                        "state",
                        "S,…",
                        "folders, latency: fresh, unchanged, edited, renamed (default: folders all, latency fresh)"))
                .addOption(Verb.value("wire", "MODEL", "latency: arrival or coalescing (default: arrival)"))
                .addOption(Verb.flag("tls", "latency: TLS inside"))
                .addOption(
                        Verb.value("rounds", "N", "folders, latency: how often each session is measured (default: 3)"))
                .addOption(
                        Verb.flag("quick", "floor: only so much that its working is seen; folders, latency: one round"))
                .addOption(Verb.value(
                        "files", "N", "folders, latency: files in the tree (default: 100; 10000 with --small)"))
                .addOption(Verb.flag("small", "folders, latency: files of 200 bytes to 12 kB only"))
                .addOption(Verb.flag("tiny", "folders, latency: files of 100 to 400 bytes only"))
                .addOption(Verb.value("fixture", "DIR", "folders, latency: a given tree instead of a made one"))
                .addOption(Verb.value("out-dir", "DIR", "folders, latency: where trees lie meanwhile"))
                .addOption(Verb.value(
                        "rate-mbit",
                        "N",
                        "folders, latency: what each link carries; 0: no limit (default: folders 1000, latency 0)"))
                .addOption(Verb.value("jitter-ms", "N", "latency: how much later bytes may come (default: 0)"))
                .addOption(
                        Verb.value("bound-mib", "N", "latency: what a wire holds before a writer waits (default: 64)"))
                .addOption(
                        Verb.value(
                                "wanlink",
                                "SCRIPT",
                                "folders: the script that makes links between network namespaces; needs root (default: the loopback)"))
                .addOption(Verb.value("peers", "NAME,…", "folders: rsync, rsync-ssh, ffsync (default: rsync,ffsync)"))
                .addOption(Verb.value("loss", "PERCENT,…", "folders: packets lost, each way (default: 0)"))
                .addOption(
                        Verb.value("congestion", "NAME,…", "folders: congestion control of both ends (default: cubic)"))
                .addOption(Verb.value(
                        "buffers", "WHICH,…", "folders: bounds of sockets' buffers, wide or system (default: wide)"))
                .addOption(Verb.value("ground", "WHERE,…", "folders: memory, disk (default: memory,disk)"))
                .addOption(Verb.value("limit", "S", "folders: how long a program may take for a tree (default: 300)"))
                .addOption(Verb.value("json", "FILE", "write the results to a file as JSON, too"));
    }

    @Override
    public int run(Arguments arguments, Console console) {
        return Bench.run(arguments.words(), console.out(), console.err());
    }
}
