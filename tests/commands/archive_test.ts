import assert from "node:assert/strict";
import { inHome } from "../_support/cli_home.ts";

inHome.test("a session that is being written is archived beside its log", async (home) => {
  const recording = home.talk(["record"]);
  await recording.write('{"kind":"user_message","payload":{"content":"hi"}}\n');
  const { session_id = "" } = JSON.parse(await recording.line() ?? "{}");
  assert.equal((await home.run(["archive", session_id])).status, 0);
  assert.equal((await home.run(["list"])).stdout, "");
  assert.match((await home.run(["list", "--archived"])).stdout, /running/);
  await recording.endInput();
  await recording.end();
});
