/** Compresses parts of copies, and decompresses them within the size that their names claim. */
import * as zlib from "node:zlib";
import { SessionError } from "../../../core/event/session_error.ts";
import { type CopyPart, partHash } from "./copy_parts.ts";

const LEVEL = 3;

interface PackedBytes {
  codec: CopyPart["codec"];
  bytes: Uint8Array;
}

/** Node's zlib has zstd from 22.15. */
const hasZstd: boolean = typeof zlib.zstdCompressSync === "function";

/** Compresses bytes if that makes them shorter; else returns a copy of the bytes. */
export function packBytes(plain: Uint8Array): PackedBytes {
  const bytes = hasZstd ? compress(plain) : plain;
  return bytes.length < plain.length
    ? { codec: "zst", bytes }
    : { codec: "plain", bytes: plain.slice() };
}

function compress(plain: Uint8Array): Uint8Array {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL };
  return zlib.zstdCompressSync(plain, { params });
}

/**
 * Returns the plain bytes of a part, after a check of their length and hash against the part's
 * name.
 *
 * @param stored The bytes of the part's object. @returns Undefined if the bytes were cut or
 * changed.
 * @throws {SessionError} `unsupported-version` if the runtime has no zstd.
 */
export function plainBytes(
  { codec, len, sha }: Pick<CopyPart, "codec" | "len" | "sha">,
  stored: Uint8Array,
): Uint8Array | undefined {
  const plain = codec === "plain" ? stored : decompressed(stored, len);
  return plain?.length === len && partHash(plain) === sha ? plain : undefined;
}

function decompressed(bytes: Uint8Array, length: number): Uint8Array | undefined {
  if (!hasZstd) {
    const message = "Cannot read shared session: it is compressed, and this runtime has no zstd; " +
      "use Node 22.15 or later";
    throw new SessionError("unsupported-version", message);
  }
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: Math.max(length, 1) });
  } catch {
    // An error of zlib, which has no type of its own: the bytes were cut or changed.
    return undefined;
  }
}
