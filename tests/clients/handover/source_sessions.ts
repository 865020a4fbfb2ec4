/**
 * The sessions that are handed over: made by their real agents once, and kept in the cache folder
 * with what the agent itself would send of them.
 */
import { join } from "node:path";
import type { Command, NpmClient } from "../resume/npm_client.ts";
import { type Carried, carriedItems } from "./carried_items.ts";
import { ALL_CLIENTS, clientOf } from "./client_home.ts";
import { edgeItems, makeEdgeSession } from "./edge_session.ts";
import { type MadeSession, madeSession, playedSession, type Script } from "./made_session.ts";

/** A session that is handed over. */
export interface SourceSession {
  /** Its name in messages. */
  name: string;
  agent: string;
  /** What `reprise` is given: a path, or an id where a database holds it. */
  ref: string;
  /** What a request must carry of it. */
  expected: Carried[];
  /** The same once a log of ours holds it, where that is not all the same. */
  expected_in_ours?: Carried[];
  /** The home that it was made in. */
  home: string;
}

/** What happens in the sessions of the table. */
const USUAL: Script = ["parallel", "failing", "edited", "thought", "long", "plain"];

/** Sessions that only some agents have. */
const UNUSUAL: readonly { name: string; agent: string; script: Script }[] = [
  {
    name: "claude compacted",
    agent: "claude",
    script: ["parallel", "plain", "compact", "failing", "plain"],
  },
  {
    name: "pi stopped and forked",
    agent: "pi",
    script: ["parallel", "stopped", "plain", "compact", "failing", "stopped", "fork", "parallel"],
  },
];

/** Returns a session of each agent, in the order of the table, without those that npm has not. */
export async function usualSources(
  commands: ReadonlyMap<string, Command>,
): Promise<SourceSession[]> {
  const made: SourceSession[] = [];
  for (const client of ALL_CLIENTS) {
    if (!commands.has(client.agent)) continue;
    const session = await playedSession(client, commands, "usual", USUAL);
    made.push(sourceOf(client, client.agent, session));
  }
  return made;
}

/** Returns the sessions in which something unusual is. */
export async function unusualSources(
  commands: ReadonlyMap<string, Command>,
): Promise<SourceSession[]> {
  const made: SourceSession[] = [];
  for (const { name, agent, script } of UNUSUAL) {
    if (!commands.has(agent)) continue;
    const client = clientOf(agent);
    made.push(sourceOf(client, name, await playedSession(client, commands, name, script)));
  }
  return [...made, await edgeSource()];
}

/** Returns the session of ours with all that is hard to carry. */
export async function edgeSource(): Promise<SourceSession> {
  const own = clientOf("reprise");
  const script = await Deno.readTextFile(new URL("edge_session.ts", import.meta.url));
  const edge = await madeSession(own, script, async (home) => {
    const ref = await makeEdgeSession(join(home, "reprise"), join(home, "work"));
    return { ref, sent: [] };
  });
  const expected = { expected: edgeItems(false), expected_in_ours: edgeItems(true) };
  return { ...sourceOf(own, "reprise edge", edge), ...expected };
}

function sourceOf(
  client: NpmClient,
  name: string,
  { ref, home, sent }: MadeSession,
): SourceSession {
  return { name, agent: client.agent, home, ref, expected: carriedItems(sent, client) };
}
