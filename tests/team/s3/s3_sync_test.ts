/** What a push and a pull ask of a bucket, and what is left of them where they are cut off. */
import assert from "node:assert/strict";
import { SessionError } from "../../../lib/event/session_error.ts";
import { withBucketMachines } from "../../_support/bucket_machine.ts";
import type { BucketServer } from "../../_support/bucket_server.ts";

/** Counts the requests of an action, and the bytes of their bodies. */
async function costOf(
  { requests }: BucketServer,
  action: () => Promise<unknown>,
): Promise<{ asked: number; sent: number }> {
  requests.length = 0;
  await action();
  return { asked: requests.length, sent: requests.reduce((sum, { bytes }) => sum + bytes, 0) };
}

Deno.test("a push of nothing new asks 2 times at most, one of one event 3 times for 4 KB", async () => {
  await withBucketMachines(async (laptop, desktop, server) => {
    const id = await laptop.write(["one"]);
    for (let at = 0; at < 100; at++) await laptop.write([`prompt ${at}`]);
    await laptop.up();
    await desktop.down();
    assert.deepEqual(desktop.logs(), laptop.logs());
    const idle = await costOf(server, () => laptop.up());
    assert.ok(idle.asked <= 2, JSON.stringify(idle));
    for (let at = 0; at < 5; at++) {
      await laptop.continue(id, ["more"]);
      const one = await costOf(server, () => laptop.up());
      assert.ok(one.asked <= 3 && one.sent <= 4096, JSON.stringify(one));
    }
    await desktop.down();
    assert.deepEqual(desktop.logs(), laptop.logs());
  });
});

Deno.test("a push that is cut off at any request is finished by the next one", async () => {
  await withBucketMachines(async (laptop, desktop, server) => {
    const id = await laptop.write(["one"]);
    await laptop.up();
    let cut = 0;
    for (const carried_out of [false, true]) {
      for (let at = 1, is_whole = false; !is_whole; at++) {
        await laptop.continue(id, [`cut at ${at}`]);
        await laptop.write([`new, cut at ${at}`]);
        let asked = 0;
        server.fail = () => ++asked < at ? undefined : { status: 403, carried_out };
        try {
          is_whole = (await laptop.up()).failed.length === 0;
        } catch (error) {
          assert.ok(error instanceof SessionError && error.code === "permission", String(error));
        }
        server.fail = undefined;
        if (!is_whole) cut++;
        assert.ok(at < 20, "it never ends");
        const { failed, branches } = await laptop.up();
        assert.deepEqual([failed, branches], [[], []]);
        await desktop.down();
        assert.deepEqual(desktop.logs(), laptop.logs());
      }
    }
    assert.ok(cut >= 6, `${cut}`);
  });
});
