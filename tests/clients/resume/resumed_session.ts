/**
 * A client's session that goes on, and what the client sent when it did.
 */
import { type Message, toMessages } from "../../../mod.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, type NpmClient, type Place, RunningClient } from "./npm_client.ts";
import { type Item, requestItems } from "./request_items.ts";
import { sameItems, type Sameness } from "./same_items.ts";
import type { Step } from "./scripted_answers.ts";
import type { ScriptedServer } from "./scripted_server.ts";
import { listed } from "../../_support/listed.ts";

/** A client with a home of its own and its model. */
export interface Stage {
  client: NpmClient;
  command: Command;
  place: Place;
  server: ScriptedServer;
}

/** What the library says of a session. */
async function ourMessages({ client, place }: Stage, id: string): Promise<Message[]> {
  const handle = await libraryOf(place).open(`${client.agent}:${id}`);
  const { messages } = await handle.conversation({ reasoning: "include" });
  return messages;
}

/** Messages in the shape of the client's last request, where there is one. */
function ourItems({ server }: Stage, messages: readonly Message[]): Item[] {
  const api = server.asked.at(-1)?.api;
  if (api === "messages") return requestItems("messages", toMessages(messages, "anthropic"));
  if (api === "chat") return requestItems("chat", toMessages(messages, "openai"));
  return requestItems("plain", { messages: toMessages(messages, "plain") });
}

/** Whether a session was compacted. */
export async function isCompacted({ client, place }: Stage, id: string): Promise<boolean> {
  const handle = await libraryOf(place).open(`${client.agent}:${id}`);
  for await (const batch of handle.events()) {
    if (batch.some(({ kind }) => kind === "compaction_applied")) return true;
  }
  return false;
}

/** Ids of all sessions that the client has, the newest first. */
export async function sessionIds({ client, place }: Stage): Promise<string[]> {
  const rows = await listed(libraryOf(place), { agents: [client.agent] });
  return rows.map(({ session_id }) => session_id);
}

/** Opens the library of a client's home. */
export function libraryOf({ home }: Place): ReturnType<typeof openLibrary> {
  return openLibrary({
    root: join(home, "reprise"),
    variable: (name) => name === "HOME" ? home : undefined,
  });
}

let asks = 0;

/** Says one thing in a session; gives what the request for it held before it. */
export async function say(
  stage: Stage,
  step: Step | "compact",
  id?: string,
): Promise<Item[] | undefined> {
  const { client, command, place, server } = stage;
  const mark = `ask-${++asks}`;
  // A file that is mentioned comes into the request beside the words.
  const mention = step === "mentioned" ? " @notes.txt" : "";
  const prompt = step === "compact" ? {} : { prompt: `${mark} step:${step}${mention}` };
  if (step === "compact" && client.compact !== undefined && id !== undefined) {
    const start = (args: string[]): RunningClient =>
      new RunningClient(client, command, place, args, true);
    await client.compact(place, id, start);
    return undefined;
  }
  const args = client.args({ ...prompt, ...(id === undefined ? {} : { id }) });
  if (args === undefined) return undefined;
  const from = server.asked.length;
  const running = new RunningClient(client, command, place, args);
  server.onHang = () => void sleep(800).then(() => running.signal("SIGINT"));
  if (step === "killed") void killWhenAsked(stage, from, mark, running);
  const { code, output } = await running.ended;
  if (step === "compact") return undefined;
  for (const { api, body } of server.asked.slice(from)) {
    const items = requestItems(api, body);
    let at = items.findLastIndex(({ kind, text }) => kind === "user" && text.includes(mark));
    const item = items[at];
    if (item === undefined || (body.tools ?? []).length === 0) continue;
    // What a mention brings in stands before the words.
    const from_mention = step === "mentioned" && items[at - 1]?.kind === "reminder";
    while (from_mention && items[at - 1]?.kind === "reminder") items.splice(--at, 1);
    const before = item.text.slice(0, item.text.indexOf(mark)).replace(/"$/, "").trim();
    const kept = before === "" ? [] : [{ ...item, text: before, exact: before }];
    return [...items.slice(0, at), ...kept];
  }
  throw new Error(`${client.agent} asked nothing (${code}): ${output.slice(0, 2000)}`);
}

async function killWhenAsked(
  { server }: Stage,
  from: number,
  mark: string,
  running: RunningClient,
): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const asked = server.asked.slice(from).some(({ body }) =>
      JSON.stringify(body).includes(mark) && (body.tools ?? []).length > 0
    );
    if (asked) break;
    await sleep(100);
  }
  await sleep(2500);
  running.signal("SIGKILL");
}

/** Resumes a session and compares what the client sends with what we say. */
export async function compareResume(stage: Stage, id: string, step: Step): Promise<Sameness> {
  const messages = await ourMessages(stage, id);
  const theirs = await say(stage, step, id);
  const ours = ourItems(stage, messages);
  return sameItems(theirs ?? [], renamed(ours, stage.client.renames ?? {}), stage.client.injects);
}

function renamed(items: readonly Item[], names: Record<string, string>): Item[] {
  return items.map((item) => {
    const [number = "", name = "", ...rest] = item.text.split(" ");
    const other = item.kind === "call" ? names[name] : undefined;
    return other === undefined ? item : { ...item, text: [number, other, ...rest].join(" ") };
  });
}

/** Puts a copy of a file where the client finds it; gives the ids of its sessions. */
export async function adopt(stage: Stage, path: string): Promise<string[]> {
  const { client, command, place } = stage;
  const start = (args: string[]): RunningClient => new RunningClient(client, command, place, args);
  const id = await client.adopt?.(place, path, start);
  return id === "all" ? await sessionIds(stage) : id === undefined ? [] : [id];
}
