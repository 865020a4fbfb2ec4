import assert from "node:assert/strict";
import { join } from "node:path";
import { autohandAgent } from "../../../lib/agents/autohand/autohand_agent.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";

Deno.test("sessions in linked folders are found, with the directory that the index names", async () => {
  await using home = await makeHome({ "shop/x": "" });
  const real = join(home.path, "shop");
  const link = join(home.path, "link");
  Deno.symlinkSync(real, link);
  const root = join(home.path, ".autohand", "sessions");
  for (const [name, projectPath] of [["a", real], ["b", link], ["c", "/x"]] as const) {
    Deno.mkdirSync(join(home.path, "moved", name), { recursive: true });
    Deno.mkdirSync(root, { recursive: true });
    Deno.writeTextFileSync(
      join(home.path, "moved", name, "metadata.json"),
      JSON.stringify({ projectPath }),
    );
    Deno.symlinkSync(join(home.path, "moved", name), join(root, name));
  }
  Deno.writeTextFileSync(
    join(root, "index.json"),
    JSON.stringify({ sessions: [{ id: "a", projectPath: real }] }),
  );
  const found = await locateAll(autohandAgent, home.environment);
  assert.deepEqual(found.map(({ id, cwd }) => [id, cwd]), [
    ["a", real],
    ["b", undefined],
    ["c", undefined],
  ]);
});
