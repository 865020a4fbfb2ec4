import assert from "node:assert/strict";
import { join } from "node:path";
import { pi } from "../../../lib/agents/pi/descriptor.ts";
import { piWriter } from "../../../lib/agents/pi/write/pi_writer.ts";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import type { AgentDescriptor } from "../../../lib/agents/contract/agent_descriptor.ts";
import { familyMember } from "../../../lib/agents/contract/agent_family.ts";
import {
  agentPlaces,
  hasTraces,
  watchedFolders,
} from "../../../lib/agents/contract/agent_roots.ts";
import { makeHome, readAll } from "../../_support/agent_contract.ts";

const TURN = new URL("../../../testdata/agents/pi/turn.jsonl", import.meta.url);
const FILE = ".toy/sessions/--w--/2026-11-21T20-00-00-000Z_1111aaaa.jsonl";

/** An agent that writes pi's format to a folder of its own. */
const toy: AgentDescriptor = familyMember(pi, {
  name: "toy" as AgentName,
  title: "Toy",
  roots: [["$TOY_HOME", "~/.toy"]],
  resumeCommand: ({ id }) => ({ argv: ["toy", id], in_directory: true }),
});

Deno.test("a member of a family finds the sessions in its own roots, under its own name", async () => {
  await using home = await makeHome({
    [FILE]: TURN,
    ".pi/agent/sessions/--w--/2026-11-21T20-00-00-000Z_2222bbbb.jsonl": TURN,
  });
  const { environment } = home;
  assert.ok(hasTraces(toy, environment));
  assert.deepEqual(watchedFolders(toy, environment), [join(home.path, ".toy/sessions")]);
  const [place] = agentPlaces(toy, environment);
  assert.ok(place !== undefined);
  const found = await Array.fromAsync((await toy.loadLocate())(place));
  assert.deepEqual(found, [{ agent: "toy", id: "1111aaaa", path: join(home.path, FILE) }]);
  assert.deepEqual(toy.resumeCommand({ agent: toy.name, id: "1", path: "" })?.argv, ["toy", "1"]);
});

Deno.test("a member of a family is read as the format's agent, under its own name", async () => {
  await using home = await makeHome({ [FILE]: TURN });
  const reader = await toy.loadReader();
  const path = join(home.path, FILE);
  assert.ok(reader.recognize(path, await Deno.readFile(path)));
  const [session] = await reader.sessionsIn(path);
  assert.ok(session !== undefined);
  assert.deepEqual([reader.name, session.agent], ["toy", "toy"]);
  const { agent, ref } = await reader.open(session).summarize() ?? {};
  assert.deepEqual([agent, ref], ["toy", `toy:${session.id}`]);
  const { events } = await readAll(reader, session);
  const sources = events.flatMap((event) => event.form === "known" ? [event.source?.agent] : []);
  assert.deepEqual(new Set(sources), new Set(["toy"]));
  const original = await readAll(await pi.loadReader(), { ...session, agent: "pi" });
  const kindsOf = (all: readonly { kind: unknown }[]): unknown[] => all.map(({ kind }) => kind);
  assert.ok(events.length > 3);
  assert.deepEqual(kindsOf(events), kindsOf(original.events));
});

Deno.test("a member knows the format's variables under its own names alone", async () => {
  const renaming = familyMember(pi, {
    name: toy.name,
    title: "Toy",
    roots: [["~/.toy"]],
    renames: { PI_CODING_AGENT_SESSION_DIR: "TOY_SESSIONS" },
    resumeCommand: () => undefined,
  });
  await using home = await makeHome({ "own/a_1111aaaa.jsonl": TURN, "pis/a_2222bbbb.jsonl": TURN });
  const values = {
    TOY_SESSIONS: `${home.path}/own`,
    PI_CODING_AGENT_SESSION_DIR: `${home.path}/pis`,
  };
  const variable = (name: string): string | undefined => (values as Record<string, string>)[name];
  const found: string[][] = [];
  for (const member of [renaming, toy]) {
    const [place] = agentPlaces(member, { ...home.environment, variable });
    assert.ok(place !== undefined);
    const sessions = await Array.fromAsync((await member.loadLocate())(place));
    found.push(sessions.map(({ id }) => id));
  }
  assert.deepEqual(found, [["1111aaaa"], []]);
  assert.deepEqual([renaming.variables, renaming.format], [["TOY_SESSIONS"], "pi"]);
});

Deno.test("a member has no writer, expiry or repair of the format's agent", () => {
  assert.deepEqual([toy.loadWriter, toy.loadRepair, toy.loadExpiry], [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("a member that takes the format's writer gives it places without the other's variables", async () => {
  const writing = familyMember(pi, {
    name: toy.name,
    title: "Toy",
    roots: [["~/.toy"]],
    resumeCommand: () => undefined,
    loadWriter: () => Promise.resolve(piWriter),
  });
  await using home = await makeHome({});
  const variable = (): string => join(home.path, "elsewhere");
  const [place] = agentPlaces(writing, { ...home.environment, variable });
  const writer = await writing.loadWriter?.();
  assert.ok(place !== undefined && writer !== undefined);
  const start = { id: "1111aaaa", from: "claude:1", cwd: "/w", begun: 0, now: 0 };
  const { path } = writer.place(place, start, "/tmp");
  assert.equal(
    path,
    join(home.path, ".toy/sessions/--w--/1970-01-01T00-00-00-000Z_1111aaaa.jsonl"),
  );
});
