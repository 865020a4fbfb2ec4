/** Compresses segments, and takes compressed ones apart within the size that they claim. */
import * as zlib from "node:zlib";
import { SessionError } from "../../core/event/session_error.ts";
import { nextHead, OPEN_HASHES, type SegmentHashes } from "./branch_segments.ts";
import { MAX_SEGMENT_BYTES } from "./segment_cutter.ts";
import type { Segment } from "./team_store.ts";

const LEVEL = 3;

interface PackedBytes {
  codec: "plain" | "zstd";
  bytes: Uint8Array;
}

/** True if the runtime's zlib has zstd. Node has it from 22.15. */
const hasZstd: boolean = typeof zlib.zstdCompressSync === "function";

/** Compresses bytes if that makes them shorter. Else returns a copy of them. */
export function packBytes(plain: Uint8Array): PackedBytes {
  const bytes = hasZstd ? compress(plain) : plain;
  return bytes.length < plain.length
    ? { codec: "zstd", bytes }
    : { codec: "plain", bytes: plain.slice() };
}

/** The keys of a sealed session, or what stands for them in one that is not sealed. */
export interface SegmentOpener extends SegmentHashes {
  /** Decrypts a sealed segment of branch `n`. The result is still compressed. */
  openSegment(segment: Segment, n: number): Uint8Array;
}

/** The opener of sessions that are not sealed. */
const OPEN: SegmentOpener = { ...OPEN_HASHES, openSegment: cannotOpen };

/** Compresses bytes, even if that makes them longer. */
export function compress(plain: Uint8Array): Uint8Array {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL };
  return zlib.zstdCompressSync(plain, { params });
}

/**
 * Decompresses bytes that claim to be of a length, and stops at that length.
 *
 * @throws {SessionError} `damaged`; `unsupported-version` where the runtime cannot.
 */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  if (!hasZstd) {
    const message = "Cannot read shared session: it is compressed, and this runtime has no zstd; " +
      "use Node 22.15 or later";
    throw new SessionError("unsupported-version", message);
  }
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(length, 1) });
  } catch (error) {
    throw new SessionError(
      "damaged",
      "Cannot read shared session: a part of its file in the store is damaged and cannot be " +
        "decompressed; use the original, on the machine that sent the session",
      {},
      error,
    );
  }
}

/**
 * Gives the plain bytes of a segment, once they are known to be those that were pushed.
 *
 * @param head The chain's head before it. @param opener Opens one that is sealed.
 * @throws {SessionError} `damaged` where length, hash or chain do not fit.
 */
export function checkedBytes(
  segment: Segment & { n?: number },
  head: string,
  opener = OPEN,
): Uint8Array {
  const plain = plainBytes(segment, opener);
  const is = plain.length === segment.len && opener.hashes(plain).includes(segment.sha) &&
    nextHead(head, segment.sha) === segment.head;
  if (is) return plain;
  throw damaged(segment);
}

function damaged({ off }: Segment): SessionError {
  const message =
    `Cannot read shared session: its file in the store was damaged or changed at byte ${off}; ` +
    "use the original, on the machine that sent the session";
  return new SessionError("damaged", message, { offset: off });
}

function plainBytes(segment: Segment & { n?: number }, opener: SegmentOpener): Uint8Array {
  const { codec, bytes, len, sealed_n: n = segment.n ?? 1 } = segment;
  if (!(len > 0 && len <= MAX_SEGMENT_BYTES)) throw damaged(segment);
  if (codec === "plain") return bytes;
  return decompress(codec === "sealed" ? opener.openSegment(segment, n) : bytes, len);
}

function cannotOpen(): never {
  throw new SessionError(
    "encrypted",
    "Cannot read shared session: it is encrypted; give the file with your private key: " +
      "--identity FILE",
  );
}
