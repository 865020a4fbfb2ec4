import assert from "node:assert/strict";
import { join } from "node:path";
import { digestOf, type ProjectDigest } from "../../../lib/features/digest/digest.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { sessionId } from "../../_support/cli_home.ts";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { user } from "../../_support/log_bytes.ts";
import { BlamedHome } from "../blame/_repository.ts";

/** Digests the time from 10:00 to 12:00 of the day on which all of these sessions are. */
async function digested(home: BlamedHome, until = "12:00"): Promise<ProjectDigest[]> {
  const library = openLibrary({ root: home.store, variable: () => undefined });
  const at = (time: string): Date => new Date(`2026-11-21T${time}:00Z`);
  const { entries } = await library.query({ since: at("10:00"), archived: "any" });
  return await digestOf(library, entries, { since: at("10:00"), until: at(until) });
}

function edit(
  hour: string,
  path: string,
): { time: string; path: string; old_text: string; new_text: string } {
  return { time: `2026-11-21T${hour}:00Z`, path, old_text: "a", new_text: "b" };
}

function answer(hour: string, cost_usd: number): NewEvent {
  return {
    kind: "assistant_message",
    time: `2026-11-21T${hour}:00Z`,
    payload: { content: "Yes", model: "m", usage: { input: 5, output: 2 }, cost_usd },
  };
}

Deno.test("a digest holds the prompts and files of its time, and nothing from before or after", async () => {
  await using home = new BlamedHome();
  home.edits("aaaa", [
    edit("09:00", "early.ts"),
    edit("10:30", "src/a.ts"),
    edit("11:00", "again.ts"),
    edit("13:00", "again.ts"),
  ]);
  home.edits("bbbb", [edit("13:00", "late.ts")]);
  const [project, ...others] = await digested(home);
  assert.deepEqual(others, []);
  assert.equal(project?.project, home.work);
  assert.deepEqual(project?.sessions.map(({ row }) => row.session_id), [sessionId("aaaa")]);
  assert.deepEqual(project?.sessions[0]?.prompts, [
    { time: "2026-11-21T10:30:00Z", text: "Change 1" },
    { time: "2026-11-21T11:00:00Z", text: "Change 2" },
  ]);
  assert.deepEqual(project?.files, ["again.ts", "src/a.ts"].map((name) => join(home.work, name)));
});

Deno.test("a digest adds up what the answers of its time cost, by session and project", async () => {
  await using home = new BlamedHome();
  const created = new Date("2026-11-21T09:00:00Z");
  home.keep(sessionId("aaaa"), [answer("09:30", 4), answer("10:30", 1), answer("11:30", 2)], {
    created,
  });
  home.keep(sessionId("bbbb"), [answer("11:00", 8)], { created });
  const [project] = await digested(home);
  assert.deepEqual(project?.sessions.map(({ cost, tokens }) => [cost.cost_usd, tokens]), [[3, 14], [
    8,
    7,
  ]]);
  assert.equal(project?.cost.cost_usd, 11);
});

Deno.test("a digest names the commits that were made in the work trees of its sessions", async () => {
  await using home = new BlamedHome();
  home.edits("aaaa", [edit("10:30", "a.ts")]);
  home.commit("2026-11-21T09:00:00Z", { "a.ts": "a" });
  home.commit("2026-11-21T11:00:00Z", { "a.ts": "b" });
  const [project] = await digested(home);
  assert.deepEqual(
    project?.commits.map(({ at, subject }) => [new Date(at).toISOString(), subject]),
    [
      ["2026-11-21T11:00:00.000Z", "at 2026-11-21T11:00:00Z"],
    ],
  );
});

Deno.test("the projects of a digest begin with the one that was used last", async () => {
  await using home = new BlamedHome();
  const [one, other] = ["one", "other"].map((name) => join(home.path, name));
  home.edits("aaaa", [edit("11:00", "a.ts")], one);
  home.edits("bbbb", [edit("10:30", "a.ts")], other);
  assert.deepEqual((await digested(home)).map(({ project }) => project), [one, other]);
  assert.deepEqual(await digested(home, "10:00"), []);
});

Deno.test("a prompt that a fork has copied is told once, with its original", async () => {
  await using home = new BlamedHome();
  const created = new Date("2026-11-21T10:10:00Z");
  home.keep(sessionId("aaaa"), [user("One"), user("Two")], { created });
  const library = openLibrary({ root: home.store, variable: () => undefined });
  const { stdout } = await home.succeed(["fork", "aaaa"]);
  const session = await library.open(stdout.trim());
  assert.equal(
    (await Array.fromAsync(session.events())).flat().filter(({ kind }) => kind === "user_message")
      .length,
    2,
  );
  const { entries } = await library.query({ archived: "any" });
  const [project] = await digestOf(library, entries, { since: new Date("2026-11-21T10:00:00Z") });
  assert.deepEqual(
    project?.sessions.map(({ row, prompts }) => [row.ref.slice(0, 4), prompts.length]).sort(),
    [["aaaa", 2], [stdout.slice(0, 4), 0]].sort(),
  );
});
