/** Bundles that no `reprise send` would write: their plain bytes are sealed as they are. */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { join } from "node:path";
import { joinBytes } from "../../../../lib/core/event/bytes.ts";
import { makeIdentity, recipientOf } from "../../../../lib/text/seal/keys.ts";
import { sealBytes } from "../../../../lib/text/seal/seal.ts";

const encoder = new TextEncoder();
export const ID = "11111111-2222-4333-8444-555555555555";
/** A small session of Claude Code. */
export const TALK = `{"type":"user","cwd":"/old","sessionId":"${ID}","uuid":"u1",` +
  `"message":{"role":"user","content":"Hello from afar"}}\n`;

/** A part of a bundle with its text. */
export interface PlainPart {
  kind?: string;
  name: string;
  text: string;
  /** Wrong values in its row of the manifest. */
  row?: Record<string, unknown>;
}

export const MAIN: PlainPart = { name: `projects/-old/${ID}.jsonl`, text: TALK };

function frame(bytes: Uint8Array): Uint8Array {
  const packed = deflateRawSync(bytes);
  const framed = new Uint8Array(4 + packed.length);
  new DataView(framed.buffer).setUint32(0, packed.length);
  framed.set(packed, 4);
  return framed;
}

/** The pieces of a bundle before encryption: the manifest's line, then a frame for each part. */
export function plainPieces(
  parts: readonly PlainPart[],
  fields: Record<string, unknown> = {},
): Uint8Array[] {
  const rows = parts.map(({ kind = "session", name, text, row }) => {
    const sha256 = createHash("sha256").update(text).digest("hex");
    return { kind, name, bytes: encoder.encode(text).length, sha256, ...row };
  });
  const manifest = {
    ...{ bundle: "reprise", format: 1, made_at: "2026-11-30T00:00:00.000Z", agent: "claude" },
    ...{ id: ID, cwd: "/old", cwd_folder: "projects/-old", parts: rows, ...fields },
  };
  const frames = parts.map(({ text }) =>
    text === "" ? new Uint8Array() : frame(encoder.encode(text))
  );
  return [encoder.encode(`${JSON.stringify(manifest)}\n`), ...frames];
}

/** A key of a home, and what is sealed for it. */
export class BundleKey {
  readonly identity: string;
  readonly recipient: string;
  /** The file with the identity. */
  readonly path: string;

  private constructor(identity: string, recipient: string, path: string) {
    this.identity = identity;
    this.recipient = recipient;
    this.path = path;
  }

  static async in(folder: string, name = "key.txt"): Promise<BundleKey> {
    const identity = await makeIdentity();
    const path = join(folder, name);
    Deno.writeTextFileSync(path, `${identity}\n`, { mode: 0o600 });
    return new BundleKey(identity, await recipientOf(identity), path);
  }

  async seal(pieces: readonly Uint8Array[]): Promise<Uint8Array> {
    return await sealBytes(joinBytes(pieces), { recipients: [this.recipient] });
  }
}
