import assert from "node:assert/strict";
import { parseFilter } from "../../../../lib/frontends/screens/picker/filter.ts";
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";

const ROW: Summary = {
  ...{ ref: "a", agent: "claude", session_id: "a", path: "/p", title: "t", archived: false },
  ...{ status: "idle", cwd: "/home/ana/api-gateway", git_branch: "fix/login", tags: ["Bug"] },
};

Deno.test("parseFilter reads agent:, branch:, tag: and project:, and leaves the words", () => {
  const { text, words } = parseFilter('  agent:claude "Fix it"  TAG:bug http://x ');
  assert.deepEqual([text, ...words], ['"Fix it" http://x', '"fix', 'it"', "http://x"]);
  const held = "agent:cl|Agent:Claude|branch:login|tag:bug|tag:|project:api|project:ana/api|login";
  // A project's name is that of its directory: each is below the home directory.
  const missed = "agent:pi|branch:main|tag:bugs|project:ana|tag:bug agent:pi";
  for (const one of held.split("|")) assert.ok(parseFilter(one).admits(ROW), one);
  for (const one of missed.split("|")) assert.ok(!parseFilter(one).admits(ROW), one);
});

Deno.test("parseFilter takes the words of list --title, --model, --status, --failed and --pinned", () => {
  const row: Summary = { ...ROW, models: ["claude-opus"], last_error: "529" };
  const held = "title:T|model:Opus|status:id|status:idle|failed:|branch:fix status:ID|status:";
  const missed = "title:x|model:gpt|status:run|status:xyz|pinned:|failed: title:x";
  for (const one of held.split("|")) assert.ok(parseFilter(one).admits(row), one);
  for (const one of missed.split("|")) assert.ok(!parseFilter(one).admits(row), one);
  assert.equal(parseFilter("file:b file:src/App.ts x").file, "src/App.ts");
  const { text, needs_counts } = parseFilter("model:opus failed: disk full");
  assert.deepEqual([text, needs_counts], ["disk full", true]);
});

Deno.test("parseFilter reads an order, and names the orders where there is no such one", () => {
  const orderIn = (query: string): unknown[] => {
    const { sort, reversed, odd } = parseFilter(query);
    return [sort, reversed, odd];
  };
  assert.deepEqual(orderIn("sort:cost"), ["cost", false, undefined]);
  assert.deepEqual(orderIn("sort:cost sort:-Duration"), ["duration", true, undefined]);
  assert.deepEqual(orderIn("sort:"), [undefined, undefined, undefined]);
  assert.match(`${parseFilter("sort:size").odd}`, /^Cannot sort by size; sort by one of updated,/);
});
