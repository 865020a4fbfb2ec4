/**
 * The sessions that are handed over: made by their real agents once, and kept in the cache folder
 * with what the agent itself would send of them.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, type Command, type NpmClient } from "../resume/npm_client.ts";
import { libraryOf, say, sessionIds, type Stage } from "../resume/resumed_session.ts";
import type { Item } from "../resume/request_items.ts";
import { answerTo, type Step } from "../resume/scripted_answers.ts";
import { type Carried, carriedItems } from "./carried_items.ts";
import { ALL_CLIENTS, ask, ClientHome } from "./client_home.ts";
import { EDGE_ITEMS, makeEdgeSession } from "./edge_session.ts";

/** A session that is handed over. */
export interface SourceSession {
  /** Its name in messages. */
  name: string;
  agent: string;
  /** What `reprise` is given: a path, or an id where a database holds it. */
  ref: string;
  /** What a request must carry of it. */
  expected: Carried[];
  /** The home that it was made in. */
  home: string;
}

type Script = readonly (Step | "compact")[];

/** What happens in the sessions of the table. */
const USUAL: Script = ["parallel", "failing", "edited", "thought", "long", "plain"];

/** Sessions that only some agents have. */
const UNUSUAL: readonly { name: string; agent: string; script: Script }[] = [
  {
    name: "claude, compacted",
    agent: "claude",
    script: ["parallel", "plain", "compact", "failing", "plain"],
  },
  {
    name: "pi, stopped and compacted",
    agent: "pi",
    script: ["parallel", "stopped", "plain", "compact", "failing", "stopped", "plain"],
  },
];

/** Returns a session of each agent, in the order of the table, without those that npm has not. */
export async function usualSources(
  commands: ReadonlyMap<string, Command>,
): Promise<SourceSession[]> {
  const made: SourceSession[] = [];
  for (const client of ALL_CLIENTS) {
    if (!commands.has(client.agent)) continue;
    made.push(await cached(client, client.agent, (home) => play(client, commands, home, USUAL)));
  }
  return made;
}

/** Returns the sessions in which something unusual is. */
export async function unusualSources(
  commands: ReadonlyMap<string, Command>,
): Promise<SourceSession[]> {
  const made: SourceSession[] = [];
  for (const { name, agent, script } of UNUSUAL) {
    const client = ALL_CLIENTS.find((one) => one.agent === agent) as NpmClient;
    if (!commands.has(agent)) continue;
    made.push(await cached(client, name, (home) => play(client, commands, home, script)));
  }
  const own = ALL_CLIENTS.find(({ agent }) => agent === "reprise") as NpmClient;
  made.push(
    await cached(own, EDGE, async (home) => {
      const ref = await makeEdgeSession(join(home, "reprise"), join(home, "work"));
      return { ref, sent: [] };
    }),
  );
  return made.map((one) => one.name === EDGE ? { ...one, expected: [...EDGE_ITEMS] } : one);
}

const EDGE = "reprise, edge";

interface Made {
  ref: string;
  /** What its agent would send of it. */
  sent: Item[];
}

/** A session as it was made before, by the same scripts and the same version of its agent. */
async function cached(
  client: NpmClient,
  name: string,
  make: (home: string) => Promise<Made>,
): Promise<SourceSession> {
  const version = client.version.replaceAll(" ", "-");
  const key = `${name.replaceAll(/[ ,]+/g, "-")}-${version}-${scriptsHash()}`;
  const home = join(cacheFolder(), "sources", key);
  const record = join(home, "source.json");
  if (!existsSync(record)) {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(record, JSON.stringify(await make(home)));
  }
  const { ref, sent }: Made = JSON.parse(readFileSync(record, "utf8"));
  return { name, agent: client.agent, home, ref, expected: carriedItems(sent, client) };
}

function scriptsHash(): string {
  const hash = createHash("sha256");
  for (
    const file of [
      ...["source_sessions.ts", "edge_session.ts"],
      ...["../resume/scripted_answers.ts", "../resume/request_items.ts"],
    ]
  ) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest("hex").slice(0, 8);
}

async function play(
  client: NpmClient,
  commands: ReadonlyMap<string, Command>,
  folder: string,
  script: Script,
): Promise<Made> {
  await using home = new ClientHome(folder, commands);
  const stage = home.stage(client) as Stage;
  let id: string | undefined;
  for (const step of script) {
    await say(stage, step, id);
    id ??= (await sessionIds(stage))[0];
  }
  const before = await ask(stage, LAST_WORD, id as string);
  const answer = answerTo([{ kind: "user", text: LAST_WORD, exact: LAST_WORD }], true, client);
  const said = { kind: "assistant", text: "", exact: "" } as const;
  const exact = (answer.text ?? "").trim();
  const text = exact.replaceAll(/\s+/g, " ");
  const sent = [...before, { ...said, text, exact }];
  const handle = await libraryOf(stage.place).open(`${client.agent}:${id}`);
  return { ref: client.agent === "opencode" ? `opencode:${id}` : handle.path, sent };
}

/** In one word, as OpenCode puts two into quotation marks. */
const LAST_WORD = "last,step:plain";
