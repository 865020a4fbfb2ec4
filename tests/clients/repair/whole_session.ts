/** The sessions that are damaged: each made by its real agent, in a file of its own. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Command, NpmClient } from "../resume/npm_client.ts";
import { type MadeSession, playedSession } from "../handover/made_session.ts";
import type { RepairedAgent } from "./session_items.ts";

/** A session before it is damaged. */
export interface WholeSession {
  agent: RepairedAgent;
  id: string;
  /** The directory that it works in. */
  cwd: string;
  bytes: Uint8Array;
  /** Lays the home that it was made in elsewhere, with other bytes in its place; gives its path. */
  lay(home: string, bytes: Uint8Array): string;
}

/** Makes the session of a client. */
export async function wholeSession(
  client: NpmClient,
  commands: ReadonlyMap<string, Command>,
): Promise<WholeSession> {
  const agent = client.agent as RepairedAgent;
  const made = await playedSession(client, commands, "damaged", [
    ...["plain", "parallel", "failing", "plain"] as const,
  ]);
  const bytes = readFileSync(made.ref);
  return {
    agent,
    id: idIn(agent, made.ref, bytes),
    cwd: join(made.home, "work"),
    bytes: agent === "gemini" ? flattened(bytes) : bytes,
    lay: (home, damaged) => lay(made, home, damaged),
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

function idIn(agent: RepairedAgent, path: string, bytes: Uint8Array): string {
  const text = agent === "gemini" ? new TextDecoder().decode(bytes) : path.slice(-60);
  return UUID.exec(text)?.[0] ?? "";
}

/** A chat of Gemini CLI as one process leaves it: a resume would repeat all that is before it. */
function flattened(bytes: Uint8Array): Uint8Array {
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
  const messages = new Map<string, string>();
  for (const line of lines) {
    const { id, type, content } = JSON.parse(line);
    const is_result = type === "user" && content?.[0]?.functionResponse !== undefined;
    if (id !== undefined && !is_result) messages.set(id, line);
  }
  return new TextEncoder().encode([lines[0], ...messages.values()].join("\n") + "\n");
}

function lay({ home: made, ref }: MadeSession, home: string, bytes: Uint8Array): string {
  for (const name of readdirSync(made)) {
    if (name !== "work" && name !== "reprise") {
      cpSync(join(made, name), join(home, name), { recursive: true });
    }
  }
  const path = join(home, relative(made, ref));
  rmDatabases(join(home, ".codex"));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const hour_ago = Date.now() / 1000 - 3600;
  utimesSync(path, hour_ago, hour_ago);
  return path;
}

/** They hold the paths of the home that they were made in. */
function rmDatabases(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (/\.sqlite/.test(name)) rmSync(join(folder, name));
    }
  } catch {
    // Not of this agent.
  }
}
