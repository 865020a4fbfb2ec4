/** The page of own readers: its example is the file, and its lines are read as it says. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { joinAgent } from "../lib/core/event/agent_name.ts";
import { loadAgent } from "../lib/library/machine/registry.ts";
import { makeHome, payloadsOf, readAll } from "./_support/agent_contract.ts";
import { needing, UNIX } from "./_support/needing.ts";

const ROOT = new URL("../", import.meta.url);
const PAGE = Deno.readTextFileSync(new URL(".github/READERS.md", ROOT));

function blocks(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))]
    .map(([, code = ""]) => code);
}

Deno.test("the example on the page of readers is the file, in 40 lines", () => {
  const example = Deno.readTextFileSync(new URL(".github/examples/junie.py", ROOT));
  assert.deepEqual(blocks("python"), [example]);
  assert.ok(example.trimEnd().split("\n").length <= 40);
});

Deno.test({
  ...needing("lines on the page of readers are read without a fault", UNIX),
  async fn(): Promise<void> {
    const agent = await loadAgent(joinAgent("page"));
    const [sessions = "", ...events] = blocks("jsonl");
    assert.equal(JSON.parse(sessions).id, "s-1");
    await using home = await makeHome({ "kept/one.jsonl": events.join("") });
    const script = new URL("testdata/agents/own_reader/print_lines.sh", ROOT);
    const argv = ["/bin/sh", fileURLToPath(script), join(home.path, "kept")];
    const path = join(home.path, "kept/one.jsonl");
    const session = { agent: agent.name, id: "one", path, printed: { argv, files: [path] } };
    const { events: read, found } = await readAll(agent, session);
    assert.deepEqual(found, []);
    assert.equal(read.length, 1 + events.join("").trim().split("\n").length);
    assert.equal(payloadsOf(read, "extension").length, 0);
  },
});
