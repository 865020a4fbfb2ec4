/** Encrypts bytes and decrypts them again; prints how many came, and the most memory it had. */
import { createHash } from "node:crypto";
import { makeIdentity, recipientOf } from "../../lib/text/seal/keys.ts";
import { openSealed } from "../../lib/text/seal/open_sealed.ts";
import { sealTo } from "../../lib/text/seal/seal.ts";

/** What the process prints. */
export interface SealPeak {
  bytes: number;
  same: boolean;
  peak_mib: number;
}

const CHUNK_BYTES = 128 * 1024;

async function sealPeak(size: number): Promise<SealPeak> {
  const identity = await makeIdentity();
  const [sent, got] = [createHash("sha256"), createHash("sha256")];
  let left = size;
  const source = new ReadableStream<Uint8Array>({
    pull(controller): void {
      if (left <= 0) return controller.close();
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, left)).fill(left % 251);
      left -= chunk.length;
      sent.update(chunk);
      controller.enqueue(chunk);
    },
  });
  const opened = source
    .pipeThrough(await sealTo({ recipients: [await recipientOf(identity)] }))
    .pipeThrough(openSealed({ identities: [identity] }));
  let bytes = 0;
  for await (const chunk of opened) {
    bytes += chunk.length;
    got.update(chunk);
  }
  const [, kib] = Deno.readTextFileSync("/proc/self/status").match(/VmHWM:\s+(\d+) kB/) ?? [];
  return { bytes, same: sent.digest("hex") === got.digest("hex"), peak_mib: Number(kib) / 1024 };
}

if (import.meta.main) {
  const peak = await sealPeak(Number(Deno.args[0]));
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(peak)));
}
