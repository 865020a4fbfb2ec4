import assert from "node:assert/strict";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { shortIds } from "../../../lib/text/render/short_id.ts";

function row(agent: string, session_id: string): Summary {
  const ref = `${agent}:${session_id}`;
  return { ref, agent, session_id, path: "/p", title: "", status: "completed", archived: false };
}

Deno.test("a short id has eight characters, behind the agent's name where it is another's", () => {
  assert.deepEqual(
    shortIds([
      row("reprise", "3f2a9c1e-1111-4222"),
      row("codex", "3f2a9c1e-1111-4222"),
      row("pi", "17"),
    ]),
    ["3f2a9c1e", "codex:3f2a9c1e", "pi:17"],
  );
});

Deno.test("a short id is as long as it takes to tell it from the others", () => {
  const ids = ["20260921_1", "20260921_12", "20260921_2", "20260922_1"];
  assert.deepEqual(shortIds(ids.map((id) => row("goose", id))), [
    "goose:20260921_1",
    "goose:20260921_12",
    "goose:20260921_2",
    "goose:20260922",
  ]);
  assert.deepEqual(shortIds([row("reprise", "same-session"), row("reprise", "same-session")]), [
    "same-ses",
    "same-ses",
  ]);
});

Deno.test("a short id of a team's session keeps its member and its agent", () => {
  const id = "3f2a9c1e-1111-4222";
  const shared = (ref: string): Summary => ({ ...row("reprise", id), ref });
  assert.deepEqual(
    shortIds([
      row("reprise", id),
      shared(`team:${id}`),
      shared(`team:ann/${id}`),
      shared(`team:ann/claude:${id}`),
    ]),
    ["3f2a9c1e", "team:3f2a9c1e", "team:ann/3f2a9c1e", "team:ann/claude:3f2a9c1e"],
  );
});

Deno.test("a short id of another machine's continuation keeps the machine's name", () => {
  const id = "3f2a9c1e-1111-4222";
  const branch = { ...row("claude", `${id}.my-mac`), machine: "my mac" };
  assert.deepEqual(shortIds([row("claude", id), branch, row("claude", "3f2b")]), [
    "claude:3f2a9c1e",
    "claude:3f2a9c1e.my-mac",
    "claude:3f2b",
  ]);
});
