/** The requests of a push and a pull to a bucket. */
import assert from "node:assert/strict";
import { withBucketMachines } from "../../../_support/bucket_machine.ts";
import type { BucketServer } from "../../../_support/bucket_server.ts";

/** Counts the requests of an action, and the bytes of their bodies. */
async function costOf(
  { requests }: BucketServer,
  action: () => Promise<unknown>,
): Promise<{ asked: number; sent: number }> {
  requests.length = 0;
  await action();
  return { asked: requests.length, sent: requests.reduce((sum, { bytes }) => sum + bytes, 0) };
}

// Slow: a head is split only where it has many sessions.
Deno.test("a push of nothing new asks 2 times at most, one of one event 3 times for 4 KB", async () => {
  await withBucketMachines(async (laptop, desktop, server) => {
    const id = await laptop.write(["one"]);
    for (let at = 0; at < 20; at++) await laptop.write([`prompt ${at}`]);
    await laptop.up();
    await desktop.down();
    assert.deepEqual(desktop.logs(), laptop.logs());
    const idle = await costOf(server, () => laptop.up());
    assert.ok(idle.asked <= 2, JSON.stringify(idle));
    for (let at = 0; at < 2; at++) {
      await laptop.continue(id, ["more"]);
      const one = await costOf(server, () => laptop.up());
      assert.ok(one.asked <= 3 && one.sent <= 4096, JSON.stringify(one));
    }
    await desktop.down();
    assert.deepEqual(desktop.logs(), laptop.logs());
  });
});
