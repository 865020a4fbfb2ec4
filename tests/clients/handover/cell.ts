/** One session in one other agent: there, twice on, and back. */
import type { NpmClient } from "../resume/npm_client.ts";
import type { Stage } from "../resume/resumed_session.ts";
import { answerTo } from "../resume/scripted_answers.ts";
import { type Carried, carriedItems, countOf, lostItems } from "./carried_items.ts";
import { ask, type ClientHome } from "./client_home.ts";
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
  const { id, command } = await handOver(home, source.ref, client.agent);
  if (!command.some((word) => word.includes(id))) return [`its command names no ${id}`];
  const back = await lostOnTheWayBack(home, source, `${client.agent}:${id}`)
    .catch((error) => [String(error)]);
  const [first, second] = [`first-${++asks},step:plain`, `second-${asks},step:plain`];
  const sent = carriedItems(await ask(stage, first, id), { injects: client.injects });
  const once = [...source.expected, said("user", first)];
  const lost = [...lostItems(joined(once), sent), ...foreignShells(sent, client)];
  // The client itself doubles results from its second resume on.
  const again = carriedItems(await ask(stage, second, id), client);
  const answer = answerTo([{ kind: "user", text: first, exact: first }], true, client).text ?? "";
  const twice = [...once, said("assistant", answer), said("user", second)];
  return [
    ...back.map((line) => `back: ${line}`),
    ...lost,
    ...lostItems(joined(twice), again).map((line) => `second resume: ${line}`),
  ];
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
  const { name } = client.shell("true");
  return sent.filter((item) => item.kind === "call" && /^\d+ \{"shell":/.test(item.text))
    .filter((item) => item.name !== name)
    .map((item) => `a command by ${item.name}, not ${name}`);
}
