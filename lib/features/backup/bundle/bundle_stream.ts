/**
 * The bytes of a bundle before encryption: the manifest as a line of JSON, then each part in frames.
 * A frame is 4 bytes with its length, and up to 1 MiB of the part by raw deflate. The declared size
 * of a part bounds what is unpacked.
 */
import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { joinBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { SealKeys } from "../../../text/seal/open_sealed.ts";
import { sealedSource } from "../../../text/seal/sealed_source.ts";
import {
  type BundleManifest,
  type BundlePart,
  MOST_MANIFEST_BYTES,
  parseManifest,
} from "./manifest.ts";

/** Maximum bytes of a frame before packing. `MOST_PACKED` is the maximum after packing. */
const FRAME_BYTES = 1024 * 1024;
const MOST_PACKED = FRAME_BYTES + 64 * 1024;
const LF = 0x0a;

/**
 * @param read Yields the bytes of a part, in pieces of at most 1 MiB.
 * @throws {SessionError} `changed` if a part differs from the manifest, `too-large`
 */
export async function* bundleBytes(
  manifest: BundleManifest,
  read: (part: BundlePart, index: number) => Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const line = new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);
  if (line.length > MOST_MANIFEST_BYTES) {
    throw new SessionError("too-large", "Cannot send session: the session has too many files");
  }
  yield line;
  for (const [index, part] of manifest.parts.entries()) {
    const check = new PartCheck(part);
    for (const piece of read(part, index)) {
      check.add(piece);
      const packed = deflateRawSync(piece);
      const head = new Uint8Array(4);
      new DataView(head.buffer).setUint32(0, packed.length);
      yield joinBytes([head, packed]);
    }
    if (!check.whole) {
      const message = "Cannot send session: the session changed while it was read; try again";
      throw new SessionError("changed", message);
    }
  }
}

class PartCheck {
  readonly #part: BundlePart;
  readonly #hash = createHash("sha256");
  left: number;

  constructor(part: BundlePart) {
    this.#part = part;
    this.left = part.bytes;
  }

  add(bytes: Uint8Array): void {
    this.left -= bytes.length;
    this.#hash.update(bytes);
  }

  get whole(): boolean {
    return this.left === 0 && this.#hash.digest("hex") === this.#part.sha256;
  }
}

/** Receives the bytes of one part. `end` is called after the part's hash has matched. */
export interface PartSink {
  write(bytes: Uint8Array): void;
  end?(): void;
}

/**
 * Reads a bundle from an encrypted file, and checks all of it. Bytes reach a sink before the end is
 * checked, so a sink must not publish them before this returns.
 *
 * @param open Returns the sink of a part; undefined to only check the part.
 * @throws {SessionError} `damaged`, `encrypted`, `unsupported-source`, `unsupported-version`,
 * `invalid-key`, `not-found`, `permission`, `io`
 */
export async function readBundle(
  path: string,
  keys: SealKeys,
  open: (part: BundlePart, manifest: BundleManifest) => PartSink | undefined = () => undefined,
): Promise<BundleManifest> {
  const reader = new ByteReader(sealedSource(path, keys).readable, path);
  try {
    const manifest = parseManifest(new TextDecoder().decode(await reader.line()));
    for (const part of manifest.parts) await readPart(reader, part, open(part, manifest));
    if (!await reader.isAtEnd()) throw reader.damaged();
    return manifest;
  } finally {
    await reader.cancel();
  }
}

async function readPart(reader: ByteReader, part: BundlePart, sink?: PartSink): Promise<void> {
  const check = new PartCheck(part);
  while (check.left > 0) {
    const head = await reader.take(4);
    const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
    if (length > MOST_PACKED) throw reader.damaged();
    const piece = unpacked(await reader.take(length), Math.min(FRAME_BYTES, check.left));
    if (piece === undefined) throw reader.damaged();
    check.add(piece);
    sink?.write(piece);
  }
  if (!check.whole) throw reader.damaged();
  sink?.end?.();
}

function unpacked(packed: Uint8Array, most: number): Uint8Array | undefined {
  try {
    const bytes = inflateRawSync(packed, { maxOutputLength: most });
    return bytes.length > 0 && bytes.length <= most ? bytes : undefined;
  } catch {
    // An error of zlib, which has no type of its own.
    return undefined;
  }
}

class ByteReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #path: string;
  #held: Uint8Array = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array>, path: string) {
    this.#reader = stream.getReader();
    this.#path = path;
  }

  damaged(): SessionError {
    const message =
      `Cannot take the sent session: the file is cut off or was changed: ${this.#path}`;
    return new SessionError("damaged", message, { path: this.#path });
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    this.#held = this.#held.length === 0 ? value : joinBytes([this.#held, value]);
    return true;
  }

  async take(count: number): Promise<Uint8Array> {
    while (this.#held.length < count) if (!await this.#more()) throw this.damaged();
    const taken = this.#held.slice(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async line(): Promise<Uint8Array> {
    for (;;) {
      const end = this.#held.indexOf(LF);
      if (end >= 0) return (await this.take(end + 1)).subarray(0, end);
      if (this.#held.length > MOST_MANIFEST_BYTES || !await this.#more()) throw this.damaged();
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#held.length === 0 && !await this.#more();
  }

  async cancel(): Promise<void> {
    try {
      await this.#reader.cancel();
    } catch {
      // The stream failed already.
    }
  }
}
