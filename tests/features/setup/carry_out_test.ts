import assert from "node:assert/strict";
import { join } from "node:path";
import { carryOut } from "../../../lib/features/setup/carry_out.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

inDirectory.test("a text that cannot take its place leaves no draft", async (folder) => {
  const path = join(folder, "settings.json");
  Deno.mkdirSync(path);
  const step = { what: "settings", path, action: "write", text: "{}" } as const;
  const run = (): Promise<void> => Promise.resolve();
  await assert.rejects(carryOut({ ...step, copy: false, shared: false }, run), /settings\.json/);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["settings.json"]);
});
