/**
 * Sessions that real agents make once, and that the cache folder keeps with what the agent itself
 * sends of them.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cached } from "../../_support/client_cache.ts";
import { type Command, type NpmClient, RunningClient } from "../resume/npm_client.ts";
import type { Item } from "../resume/request_items.ts";
import { libraryOf, say, sessionIds, type Stage } from "../resume/resumed_session.ts";
import { answerTo, type Step } from "../resume/scripted_answers.ts";
import { ask, ClientHome } from "./client_home.ts";

/** What happens in a session. */
export type Script = readonly (Step | "compact" | "fork")[];

/** A session that was made. */
export interface MadeSession extends Made {
  /** The home that it was made in. */
  home: string;
}

/** Makes a session by its real agent, or gives the one that was made before. */
export function playedSession(
  client: NpmClient,
  commands: ReadonlyMap<string, Command>,
  name: string,
  script: Script,
): Promise<MadeSession> {
  return madeSession(
    client,
    `${name} ${script.join(" ")}`,
    (home) => play(client, commands, home, script),
  );
}

/** Where a session is, and what it holds. */
export interface Made {
  /** What `reprise` is given: a path, or an id where a database holds it. */
  ref: string;
  /** What its agent would send of it. */
  sent: Item[];
}

/** A session as it was made before, by the same scripts and the same version of its agent. */
export async function madeSession(
  client: NpmClient,
  name: string,
  make: (home: string) => Promise<Made>,
): Promise<MadeSession> {
  const hash = scriptsHash(`${client.version} ${name}`);
  const key = `${client.agent}-${hash}`;
  const home = await cached(join("sources", key), async (folder) => {
    writeFileSync(join(folder, "source.json"), JSON.stringify(await make(folder)));
  });
  const made: Made = JSON.parse(readFileSync(join(home, "source.json"), "utf8"));
  return { home, ...made };
}

function scriptsHash(name: string): string {
  const hash = createHash("sha256").update(name);
  const scripts = ["../resume/scripted_answers.ts", "../resume/request_items.ts"];
  for (const file of ["made_session.ts", ...scripts]) {
    hash.update(readFileSync(new URL(file, import.meta.url)));
  }
  return hash.digest("hex").slice(0, 12);
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
    if (step === "fork") id = await fork(stage, id as string);
    else await say(stage, step, id);
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

/** Goes on in a copy of a session; gives its id. */
async function fork(stage: Stage, id: string): Promise<string | undefined> {
  const { client, command, place } = stage;
  const known = await sessionIds(stage);
  const args = client.fork?.(id, "fork step:plain") ?? [];
  await new RunningClient(client, command, place, args).ended;
  return (await sessionIds(stage)).find((one) => !known.includes(one));
}

/** In one word, as OpenCode puts two into quotation marks. */
const LAST_WORD = "last,step:plain";
