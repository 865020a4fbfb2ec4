import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldBatches } from "../../../lib/core/projection/projection.ts";
import { usageRows } from "../../_support/usage.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const reading = new Reading(piAgent);

function path(name: string): string {
  return fileURLToPath(reading.fixture(`${name}.jsonl`));
}

Deno.test("responses that share a provider's id are counted each, and a fork's copies once", async () => {
  const session = await reading.only(path("repeated_id"));
  const told = (await Array.fromAsync(piAgent.open(session).usage())).flat();
  assert.deepEqual(usageRows(told).map(({ usage }) => usage.output), [1003]);
  const copies = structuredClone(told);
  assert.deepEqual(usageRows([...told, ...copies]).map(({ usage }) => usage.output), [1003]);
});

Deno.test("equal responses of entries that were written at once are counted each", async () => {
  const timestamp = "2026-01-01T10:00:00.000Z";
  const answers = ["a1", "a2"].map((id, at) => {
    const message = { role: "assistant", content: [], usage: { input: 1, output: 2 } };
    return { type: "message", id, timestamp, message: { ...message, timestamp: 1e12 + at } };
  });
  const lines = [{ type: "session", version: 3, id: "s1", timestamp, cwd: "/work" }, ...answers];
  await withDirectory(async (directory) => {
    const file = join(directory, "s1.jsonl");
    await Deno.writeTextFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const told = await Array.fromAsync(piAgent.open(await reading.only(file)).usage());
    assert.deepEqual(usageRows(told.flat()).map(({ usage }) => usage.output), [4]);
  });
});

Deno.test("records in force give the same conversation as the whole", async () => {
  for (const { name } of Deno.readDirSync(path("turn").replace(/turn\.jsonl$/, ""))) {
    const session = await reading.only(path(name.replace(/\.jsonl$/, "")));
    const projection = conversation({ reasoning: "include" });
    const { needs } = projection;
    const part = await foldBatches(
      projection,
      piAgent.open(session).read({ needs, in_force: true }),
    );
    assert.deepEqual(part.messages, (await reading.conversation(session)).messages, name);
  }
});

Deno.test("an id that a program chose may have an underscore", async () => {
  await using home = await makeHome({
    ".pi/agent/sessions/--w--/2026-11-21T20-40-14-943Z_my.custom_id-1.jsonl": "",
  });
  const found = await locateAll(piAgent, home.environment);
  assert.deepEqual(found.map(({ id }) => id), ["my.custom_id-1"]);
});

Deno.test("fen's sessions, which look alike, are not taken for pi's", () => {
  const fen =
    '{"type":"session","version":2,"id":"x","timestamp":"2026-08-01T10-00-00","cwd":"/a"}\n';
  assert.equal(piAgent.recognize("x.jsonl", new TextEncoder().encode(fen)), false);
  for (const name of ["turn", "v1", "headerless", "bom"]) {
    assert.ok(piAgent.recognize("x.jsonl", Deno.readFileSync(path(name))), name);
  }
});

Deno.test("a branch is called by what the user wrote on it, not by what pi says in the user's name", async () => {
  const lines = (await Deno.readTextFile(path("tree"))).trimEnd().split("\n");
  const entry = (id: string, parentId: string, value: unknown): string =>
    JSON.stringify({ id, parentId, timestamp: "2026-03-01T10:00:02.500Z", ...value as object });
  // Two branches that pi began with a summary: on one the user wrote, on the other nobody did.
  const summary = { type: "branch_summary", fromId: "b2", summary: "Tried." };
  const prompt = { type: "message", message: { role: "user", content: "written" } };
  lines.splice(
    3,
    0,
    entry("s1", "a2", summary),
    entry("s2", "s1", prompt),
    entry("z1", "a2", summary),
  );
  await using home = await makeHome({ "tree.jsonl": lines.join("\n") + "\n" });
  const session = await reading.onlyIn(home, "tree.jsonl");
  const threads = await piAgent.open(session).threads();
  const titles = new Map(threads.map(({ id, title }) => [id, title]));
  assert.equal(titles.get("s1"), "written");
  assert.equal(titles.get("z1"), undefined);
});
