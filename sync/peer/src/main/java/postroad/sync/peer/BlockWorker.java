package postroad.sync.peer;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.sync.core.Frame;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.Segment;
import postroad.sync.core.ShortId;
import postroad.sync.core.Window;
import postroad.sync.folder.TreeException;

/// One of the receiver's workers: takes blocks apart, hashes their chunks and writes them where they are staged, and
/// looks for the chunks of recipes. One thread of its own.
final class BlockWorker implements Runnable {
    private final Intake intake;
    private final Ledger ledger;
    private final Incoming.Stager stager;
    private final LocalChunks local;
    private final Settlement settlement;
    private final Inflow inflow;
    private final BufferPool pool;
    private final Meter meter;
    private final boolean recipesFirst;
    private final Consumer<ReceiverEvent> inbox;
    private final Sha256 sha = new Sha256();
    private ZstdDecompressCtx zstd;

    BlockWorker(
            Intake intake,
            Ledger ledger,
            Incoming.Stager stager,
            LocalChunks local,
            Settlement settlement,
            Inflow inflow,
            BufferPool pool,
            Meter meter,
            boolean recipesFirst,
            Consumer<ReceiverEvent> inbox) {
        this.intake = intake;
        this.ledger = ledger;
        this.stager = stager;
        this.local = local;
        this.settlement = settlement;
        this.inflow = inflow;
        this.pool = pool;
        this.meter = meter;
        this.recipesFirst = recipesFirst;
        this.inbox = inbox;
    }

    @Override
    public void run() {
        try {
            Optional<Intake.Work> work = intake.take(recipesFirst);
            while (work.isPresent()) {
                switch (work.get()) {
                    case Intake.Work.Block(Frame.Content content, int length) -> {
                        block(content);
                        pool.give(content.buffer());
                        inflow.consumed(Window.CONTENT, length);
                    }
                    case Intake.Work.Describe(Incoming file, Incoming.Described recipe) -> local.find(file, recipe);
                }
                intake.done();
                work = intake.take(recipesFirst);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            inbox.accept(new ReceiverEvent.Broken(e));
        } finally {
            if (zstd != null) {
                zstd.close();
            }
        }
    }

    private void block(Frame.Content content) {
        meter.contentBytes.add(content.rawLength());
        if (!content.compressed()) {
            segments(content, content.buffer(), content.offset());
            return;
        }
        byte[] raw = pool.take(content.rawLength());
        int length = decompress(content, raw);
        if (length != content.rawLength()) {
            throw new ProtocolException(
                    "a block has " + length + " bytes uncompressed, not " + content.rawLength() + " as it said");
        }
        segments(content, raw, 0);
        pool.give(raw);
    }

    private int decompress(Frame.Content content, byte[] raw) {
        if (zstd == null) {
            zstd = new ZstdDecompressCtx();
        }
        try {
            return zstd.decompressByteArray(
                    raw, 0, content.rawLength(), content.buffer(), content.offset(), content.length());
        } catch (ZstdException e) {
            throw new ProtocolException("a block cannot be decompressed: " + e.getMessage());
        }
    }

    private void segments(Frame.Content content, byte[] data, int from) {
        int at = from;
        for (Segment segment : content.segments()) {
            Incoming file = ledger.file(segment.id());
            if (file != null) {
                segment(file, segment, data, at);
            }
            at += (int) segment.length();
        }
    }

    private void segment(Incoming file, Segment segment, byte[] data, int at) {
        Optional<Incoming.Claim> claimed = Optional.empty();
        try {
            claimed = file.claim(segment, stager);
            if (claimed.isPresent()) {
                byte[] hashes = write(segment, claimed.get(), data, at);
                meter.underWay().came(file.id(), segment.attempt(), segment.length());
                settlement.settled(file, file.settle(claimed.get(), segment, hashes));
            }
        } catch (TreeException e) {
            claimed.ifPresent(file::abandon);
            settlement.failed(file, Failures.whenWriting(e.reason()), e.why());
        }
    }

    /// Hashes every chunk and writes it to all of its places; gives the hashes.
    private byte[] write(Segment segment, Incoming.Claim claim, byte[] data, int at) throws TreeException {
        int[] lengths = segment.chunkLengths();
        byte[] hashes = new byte[lengths.length * Bytes32.LENGTH];
        int from = at;
        for (int i = 0; i < lengths.length; i++) {
            sha.update(data, from, lengths[i]).finish(hashes, i * Bytes32.LENGTH);
            from += lengths[i];
        }
        if (claim.positions().length == 0) {
            claim.target().write(segment.offset(), data, at, from - at);
            return hashes;
        }
        from = at;
        for (int i = 0; i < lengths.length; i++) {
            ShortId came = ShortId.of(Bytes32.of(hashes, i * Bytes32.LENGTH));
            for (int position : claim.positions()[i]) {
                claim.check(position, came);
                claim.target().write(claim.offsetOf(position), data, from, lengths[i]);
            }
            from += lengths[i];
        }
        return hashes;
    }
}
