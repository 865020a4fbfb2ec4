import assert from "node:assert/strict";
import { basename, join } from "node:path";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { GivenEvents, REMEMBERED } from "../../../../lib/library/handle/follow/given_events.ts";
import { loadAgent } from "../../../../lib/library/machine/registry.ts";
import type { AgentName } from "../../../../lib/core/event/agent_name.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

const WHOLE = { held: 0, whole: true };

/** Events of a source without ids of its own, such as a history in Markdown. */
function said(...texts: string[]): LogEvent[] {
  return texts.map((content, index) => ({
    ...{ seq: index + 1, kind: "user_message", payload: { content } },
    ...{ form: "known", integrity: "unverified" },
  }));
}

function texts(events: readonly LogEvent[]): unknown[] {
  return events.map((event) => (event as { payload: { content: unknown } }).payload.content);
}

Deno.test("appended events are new, even if they repeat earlier ones", () => {
  const given = new GivenEvents();
  given.add(said("yes", "yes"), true);
  assert.deepEqual(given.compare(said("yes", "yes"), WHOLE)?.fresh, []);
  const grown = given.compare(said("yes", "yes", "yes", "no"), WHOLE);
  assert.deepEqual(texts(grown?.fresh ?? []), ["yes", "no"]);
  assert.deepEqual(grown?.fresh.map(({ seq }) => seq), [3, 4]);
  assert.equal(grown?.rewritten, false);
});

Deno.test("an end of a session is enough, if it reaches what was given", () => {
  const given = new GivenEvents();
  given.add(said("a", "b", "c"), true);
  const tail = given.compare(said("b", "c", "d"), { held: 0, whole: false });
  assert.deepEqual(texts(tail?.fresh ?? []), ["d"]);
  assert.equal(given.compare(said("x", "y"), { held: 0, whole: false }), undefined);
  assert.deepEqual(texts(given.compare(said("d", "e"), { held: 0, whole: false })?.fresh ?? []), [
    "e",
  ]);
});

Deno.test("held events are given later, and once", () => {
  const given = new GivenEvents();
  given.add(said("a"), true);
  assert.deepEqual(given.compare(said("a", "b"), { held: 1, whole: true })?.fresh, []);
  assert.deepEqual(texts(given.compare(said("a", "b"), WHOLE)?.fresh ?? []), ["b"]);
  assert.deepEqual(given.compare(said("a", "b"), WHOLE)?.fresh, []);
});

Deno.test("a prompt that is there no more is named, and what is new is given", () => {
  const given = new GivenEvents();
  given.add(said("a", "b", "c"), true);
  const back = given.compare(said("a", "d"), WHOLE);
  assert.deepEqual(texts(back?.fresh ?? []), ["d"]);
  assert.equal(back?.gone.length, 2);
  assert.equal(back?.rewritten, false);
  assert.deepEqual(given.compare(said("a", "d"), WHOLE)?.gone, []);
});

Deno.test("few events are remembered of a long session, and it goes on all the same", () => {
  const given = new GivenEvents();
  const all = Array.from({ length: 5 * REMEMBERED }, (_, index) => `line ${index}`);
  for (let at = 0; at < all.length; at += 100) given.add(said(...all.slice(at, at + 100)), true);
  assert.ok(given.skipped > 2 * REMEMBERED);
  const now = said(...all, "more").slice(given.skipped);
  assert.ok(now.length <= 2 * REMEMBERED + 1);
  assert.deepEqual(texts(given.compare(now, WHOLE)?.fresh ?? []), ["more"]);
});

/** Reads a file line by line as it grows, as a follower does; gives what it gives. */
async function grown(name: AgentName, fixture: URL): Promise<[LogEvent[], LogEvent[]]> {
  const agent = await loadAgent(name);
  const lines = (await Deno.readTextFile(fixture)).trimEnd().split("\n");
  const given = new GivenEvents();
  const followed: LogEvent[] = [];
  let all: LogEvent[] = [];
  await withDirectory(async (directory) => {
    const path = join(directory, basename(fixture.pathname));
    for (let count = 1; count <= lines.length; count++) {
      await Deno.writeTextFile(path, `${lines.slice(0, count).join("\n")}\n`);
      const [session] = await agent.sessionsIn(path);
      if (session === undefined) continue;
      all = [];
      for await (const events of agent.open(session).read()) all.push(...events);
      if (given.empty) followed.push(...given.add(all, true));
      else followed.push(...given.compare(all.slice(given.skipped), WHOLE)?.fresh ?? all);
    }
  });
  return [followed, all];
}

/** The texts of prompts and results, and of responses all their text. */
function heard(events: readonly LogEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.form !== "known") return [];
    if (event.kind === "user_message") return [`user ${JSON.stringify(event.payload.content)}`];
    if (event.kind !== "assistant_message") return [];
    const { content } = event.payload;
    if (typeof content === "string") return [content];
    return content.flatMap((part) => part.type === "text" ? [part.text] : []);
  }).filter((text) => text !== "");
}

const GROWING: [AgentName, string][] = [
  ...["turn", "small", "queued", "images", "commands", "sidechain"].map((name) =>
    ["claude", name] as [AgentName, string]
  ),
  ["codex", "legacy"],
  ["codex", "paginated"],
  ["codex", "tools"],
  ["pi", "turn"],
  ["qwen", "tools"],
  ["keen", "plain"],
  ["keen", "tools"],
];

for (const [agent, name] of GROWING) {
  Deno.test(`following ${agent}'s ${name} line by line says what reading it at the end says`, async () => {
    const fixture = new URL(`../../../../testdata/agents/${agent}/${name}.jsonl`, import.meta.url);
    const [followed, all] = await grown(agent, fixture);
    assert.ok(all.length > 3);
    assert.deepEqual(heard(followed), heard(all));
  });
}
