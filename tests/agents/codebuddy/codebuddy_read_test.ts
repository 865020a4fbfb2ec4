import assert from "node:assert/strict";
import { join } from "node:path";
import { descriptorOf } from "../../../lib/library/machine/registry.ts";
import { makeHome } from "../../_support/agent_contract.ts";

Deno.test("CodeBuddy Code deletes after thirty days or those set", async () => {
  const expiry = await descriptorOf("codebuddy").loadExpiry?.();
  await using home = await makeHome({ "own/settings.json": '{"cleanupPeriodDays":7}' });
  const days = ["own", "none"].map((name) => {
    const place = { folder: join(home.path, name), os: "linux", variable: () => undefined };
    return expiry?.(place as unknown as Parameters<NonNullable<typeof expiry>>[0])?.after_days;
  });
  assert.deepEqual(days, [7, 30]);
});
