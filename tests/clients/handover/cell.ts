/** One session in one other agent: there, twice on, and back. */
import type { NpmClient } from "../resume/npm_client.ts";
import type { Stage } from "../resume/resumed_session.ts";
import { answerTo } from "../resume/scripted_answers.ts";
import { type Carried, carriedItems, countOf, lostItems } from "./carried_items.ts";
import { ask, type ClientHome, clientOf } from "./client_home.ts";
import { handOver } from "./handed_over.ts";
import { lostOnTheWayBack } from "./way_back.ts";
import type { SourceSession } from "./source_sessions.ts";
import type { Cell } from "./table_of_cells.ts";

/** Hands a session over and resumes it; says what was carried, and what was lost. */
export async function playCell(
  home: ClientHome,
  source: SourceSession,
  client: NpmClient,
): Promise<Cell> {
  const cell = { source: source.name, target: client.agent, count: countOf(source.expected) };
  try {
    return { ...cell, lost: await play(home, source, client) };
  } catch (error) {
    return { ...cell, lost: [error instanceof Error ? error.message : String(error)] };
  }
}

let asks = 0;

async function play(
  home: ClientHome,
  source: SourceSession,
  client: NpmClient,
): Promise<string[]> {
  const stage = await usedClient(home, client);
  await usedClient(home, clientOf(source.agent));
  const { id, command } = await handOver(home, source.ref, client.agent);
  if (!command.some((word) => word.includes(id))) return [`its command names no ${id}`];
  const back = await wayBack(home, source, client, id);
  // A log of ours keeps what its agent told its model, and calls as they were.
  const kept = client.agent === "reprise" ? clientOf(source.agent).injects : [];
  const reading = { injects: [...client.injects, ...kept], wraps: client.wraps };
  const [first, second] = [`first-${++asks},step:plain`, `second-${asks},step:plain`];
  const sent = carriedItems(await ask(stage, first, id), reading);
  const { expected, expected_in_ours = expected } = source;
  const carried = client.agent === "reprise" ? expected_in_ours : expected;
  const once = [...carried, said("user", first)];
  const lost = [...lostItems(joined(once), sent), ...foreignShells(sent, client)];
  const again = carriedItems(await ask(stage, second, id), reading);
  const answer = answerTo([{ kind: "user", text: first, exact: first }], true, client).text ?? "";
  const twice = [...once, said("assistant", answer), said("user", second)];
  const later = await wayBack(home, source, client, id);
  return [
    ...back.map((line) => `back: ${line}`),
    ...lost,
    ...lostItems(joined(twice), again).map((line) => `second resume: ${line}`),
    ...later.map((line) => `back after two turns: ${line}`),
  ];
}

/** What is lost of the session in its own agent again. A log of ours is not imported where it is. */
async function wayBack(
  home: ClientHome,
  source: SourceSession,
  { agent }: NpmClient,
  id: string,
): Promise<string[]> {
  if (agent === "reprise" && source.agent === "reprise") return [];
  // A command of the user comes back as words.
  if (source.expected_in_ours !== undefined) return [];
  try {
    return await lostOnTheWayBack(home, source, `${agent}:${id}`);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const used = new WeakSet<Stage>();

/** A client that was used before, as that of a user was. */
async function usedClient(home: ClientHome, client: NpmClient): Promise<Stage> {
  const stage = home.stage(client) as Stage;
  if (!used.has(stage)) await ask(stage, "hello,step:plain");
  used.add(stage);
  return stage;
}

function said(kind: "user" | "assistant", text: string): Carried {
  return { kind, text: text.replaceAll(/\s+/g, " ").trim(), pieces: [text.trim()] };
}

/** Texts of one speaker that follow each other as one. */
function joined(items: readonly Carried[]): Carried[] {
  const all: Carried[] = [];
  for (const item of items) {
    const last = all.at(-1);
    const same = last?.kind === item.kind && (item.kind === "user" || item.kind === "assistant");
    if (!same || last === undefined) all.push({ ...item, pieces: [...item.pieces] });
    else {
      last.text += ` ${item.text}`;
      last.pieces.push(...item.pieces);
    }
  }
  return all;
}

/** Commands must go by the name that the agent's own shell has. */
function foreignShells(sent: readonly Carried[], client: NpmClient): string[] {
  if (client.agent === "reprise") return [];
  const { name } = client.shell("true");
  return sent.filter((item) => item.kind === "call" && /^\d+ \{"shell":/.test(item.text))
    .filter((item) => item.name !== name)
    .map((item) => `a command by ${item.name}, not ${name}`);
}
