import assert from "node:assert/strict";
import { parseSnapshot } from "../../../lib/library/machine/herdr_pointers.ts";

const FIXTURE = Deno.readTextFileSync(
  new URL("../../../testdata/herdr/session.json", import.meta.url),
);

Deno.test("a snapshot's panes point to sessions, with their names, the nearest first", () => {
  const pointers = parseSnapshot(FIXTURE) ?? [];
  assert.deepEqual(
    pointers.map(({ agent_word, own_names, target }) => [agent_word, own_names, target.kind]),
    [
      ["claude", ["api work", "Claude"], "id"],
      ["pi", [], "path"],
      ["codex", ["gone"], "id"],
      ["amp", ["other"], "id"],
    ],
  );
  assert.deepEqual(pointers[1]?.names_around, ["server", "Ledger"]);
});

Deno.test("an older snapshot has its panes in the workspace, and two panes of one session count once", () => {
  const pane = { cwd: "/", agent_session: { agent: "pi", kind: "id", value: "01a1" } };
  const workspace = { custom_name: "Old", layout: { Pane: 1 }, panes: { "1": pane, "2": pane } };
  const pointers = parseSnapshot(JSON.stringify({ version: 2, workspaces: [workspace] }));
  assert.deepEqual(pointers, [
    {
      ...{ own_names: [], names_around: ["Old"], agent_word: "pi" },
      target: { kind: "id", value: "01a1" },
    },
  ]);
});

Deno.test("invalid or later snapshots point to nothing; odd pointers are passed over", () => {
  for (const text of ["", "{", "[]", "null", '{"workspaces":3}', '{"version":4,"workspaces":[]}']) {
    assert.equal(parseSnapshot(text), undefined, text);
  }
  const odd = [
    { agent: "pi", kind: "id", value: "a\nb" },
    { agent: "pi", kind: "id", value: "" },
    { agent: "pi", kind: "url", value: "x" },
    { agent: "pi", kind: "id", value: "x".repeat(513) },
    { agent: 3, kind: "id", value: "x" },
    null,
  ];
  const panes = Object.fromEntries(odd.map((agent_session, at) => [at, { agent_session }]));
  const workspaces = [{ tabs: [{ panes }, null, { panes: [] }] }, 7];
  assert.deepEqual(parseSnapshot(JSON.stringify({ version: 3, workspaces })), []);
});
