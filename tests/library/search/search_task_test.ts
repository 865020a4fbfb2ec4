import assert from "node:assert/strict";
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import { parseQuery } from "../../../lib/library/search/query.ts";
import { matchPieces } from "../../../lib/library/search/query_match.ts";
import { TopHits } from "../../../lib/library/search/rank.ts";
import {
  makeSnippet,
  searchEvent,
  type SearchHit,
  toTask,
} from "../../../lib/library/search/search_task.ts";

function snippetOf(text: string, query: string, size?: number): { text: string; marked: string[] } {
  const parsed = parseQuery(query);
  const match = matchPieces(parsed, [text]);
  assert.ok(match !== undefined);
  const snippet = makeSnippet(parsed, match, size);
  return { text: snippet.text, marked: snippet.ranges.map(([a, b]) => snippet.text.slice(a, b)) };
}

Deno.test("a snippet of a given size has all of a text that fits", () => {
  const text = "which pool size is right for the database of the service, postgres?";
  assert.equal(snippetOf(text, "postgres", 80).text, text);
});

Deno.test("a snippet is one line around the match, all matches in it marked", () => {
  const found = snippetOf("one\n\n  two   three\ttwo", '"two  three" one');
  assert.deepEqual(found, { text: "one two three two", marked: ["one", "two three"] });
});

Deno.test("a snippet of a long text is cut on both sides, never through a character", () => {
  const found = snippetOf("🙂".repeat(400) + "Needle" + "🙂".repeat(400), "needle");
  assert.deepEqual(found.marked, ["Needle"]);
  assert.ok(found.text.startsWith("…") && found.text.endsWith("…"));
  assert.ok(found.text.length < 200 && found.text.isWellFormed());
});

Deno.test("a snippet leaves out the escapes of colours, also where it is cut", () => {
  const red = (text: string): string => `\x1b[1;31m${text}\x1b[0m`;
  assert.deepEqual(snippetOf(`${red("one")} ${red("two")} three`, "two"), {
    ...{ text: "one two three", marked: ["two"] },
  });
  for (let size = 0; size < 200; size++) {
    const { text, marked } = snippetOf(
      red(`${"x".repeat(size)} two ${red("y").repeat(60)}`),
      "two",
    );
    assert.match(text, /^…?(?:x* )?two y+…?$/, `${size}`);
    assert.deepEqual(marked, ["two"]);
  }
});

Deno.test("a very long match is cut", () => {
  const found = snippetOf("x".repeat(5000), `"${"x".repeat(900)}"`);
  assert.equal(found.marked[0]?.length, 160);
});

Deno.test("a hit in a call names its tool and file, and both narrow a search", () => {
  const call = (name: string, input: unknown): object => ({
    type: "tool_call",
    call_id: name,
    name,
    input,
  });
  const events = [
    {
      kind: "assistant_message",
      payload: {
        content: [
          call("read", { path: "a.ts" }),
          call("edit", { file_path: "b.ts", text: "zebra" }),
        ],
      },
    },
    { kind: "tool_end", payload: { call_id: "c", name: "grep", status: "ok", output: "zebra" } },
    { kind: "bash_start", payload: { call_id: "c", origin: "user", command: "echo zebra" } },
    { kind: "diff", payload: { path: "c.ts", lines: [{ kind: "added", content: "zebra" }] } },
    { kind: "user_message", payload: { content: "zebra" } },
  ].flatMap((event, at) => decodeEvent({ seq: at + 1, ...event }) ?? []);
  assert.equal(events.length, 5);
  const session = { agent: "reprise", id: "a", path: "/a" } as const;
  const found = (asked: { tool?: string; file?: string } = {}): (string | undefined)[][] => {
    const top = new TopHits<SearchHit>({ sort: "time", limit: 9 });
    const task = toTask({ query: "zebra", regex: false, now: 0, sort: "time", limit: 9, ...asked });
    for (const event of events) searchEvent(task, { session, updated: NaN }, event, top);
    return top.hits.toSorted((a, b) => a.seq - b.seq).map(({ tool, file }) => [tool, file]);
  };
  const [edit, grep, shell, diff] = [["edit", "b.ts"], ["grep", undefined], ["shell", undefined], [
    undefined,
    "c.ts",
  ]];
  assert.deepEqual(found(), [edit, grep, shell, diff, [undefined, undefined]]);
  assert.deepEqual(found({ tool: "edit" }), [edit]);
  assert.deepEqual(found({ file: "c.ts" }), [diff]);
  assert.deepEqual(found({ tool: "grep", file: "c.ts" }), []);
});
