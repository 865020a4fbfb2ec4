import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { atFullSize } from "../_support/full_size.ts";
import { LINUX } from "../_support/needing.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import type { SealPeak } from "./_seal_peak.ts";

const MIB = 1024 * 1024;
/** Less than the shorter of the streams would take beside the runtime, were it held. */
const LIMIT_MIB = 160;
const SIZE = (ALL_TORTURE ? 1000 : 64) * MIB;

Deno.test({
  // Less than this is lost in what the runtime takes.
  ...atFullSize(
    "what is encrypted and decrypted as a stream takes no more memory for being long",
    LINUX,
  ),
  fn: async () => {
    const program = fileURLToPath(new URL("./_seal_peak.ts", import.meta.url));
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-lock", "--no-check", "--allow-all", program, `${SIZE}`],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    const peak: SealPeak = JSON.parse(new TextDecoder().decode(stdout));
    assert.deepEqual([peak.bytes, peak.same], [SIZE, true]);
    assert.ok(peak.peak_mib < LIMIT_MIB, `${peak.peak_mib} MiB`);
  },
});
