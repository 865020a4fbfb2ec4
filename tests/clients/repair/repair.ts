/**
 * Damaged sessions go on in their own agents once they are repaired: `deno task test:clients`. For
 * each damage and each of five clients from npm: the client resumes the broken file, against a
 * scripted model on loopback; then `reprise repair --in-place --write` mends another copy of it, and
 * the client resumes that twice.
 *
 * `REPRISE_REPAIR=pi:torn,codex:` takes only some cells, and then looks at no page.
 */
import assert from "node:assert/strict";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ALL_CLIENTS, ask, ClientHome, installAll } from "../handover/client_home.ts";
import { runReprise } from "../handover/handed_over.ts";
import { chosen, QUICK, tell } from "../quick.ts";
import type { Command, NpmClient } from "../resume/npm_client.ts";
import type { Item } from "../resume/request_items.ts";
import type { Stage } from "../resume/resumed_session.ts";
import { type Damage, DAMAGES, itemsLeft } from "./damages.ts";
import { REPAIRED } from "./session_items.ts";
import { DamageTable } from "./damage_table.ts";
import { type WholeSession, wholeSession } from "./whole_session.ts";

const PAGE = new URL("../../../.github/SUPPORTED_AGENTS.md", import.meta.url);
const CHOSEN = Deno.env.get("REPRISE_REPAIR")?.split(",").map((cell) => cell.split(":"));

function isChosen(agent: string, damage: string): boolean {
  return CHOSEN === undefined ||
    CHOSEN.some(([one = "", name = ""]) => agent.startsWith(one) && damage.startsWith(name));
}

/** What a request carries of the session, without what is asked now. */
function carried(items: readonly Item[], prompt: string, client: NpmClient): Item[] {
  return items.filter(({ kind, text }) =>
    kind !== "reminder" && kind !== "reasoning" && !text.includes(prompt) &&
    !client.injects.some((start) => start.test(text))
  );
}

/** Results that are sent a second time count once. */
function without(items: readonly Item[], client: NpmClient): Item[] {
  if (client.repeats_results !== true) return [...items];
  const run = new Set<string>();
  return items.filter(({ kind, text }) => {
    if (kind !== "result") run.clear();
    else if (run.has(text)) return false;
    else run.add(text);
    return true;
  });
}

let asks = 0;

/** What the client sends of the session in one resume, or why it sends nothing. */
async function resume(stage: Stage, id: string): Promise<Item[] | string> {
  const prompt = `again-${++asks},step:plain`;
  try {
    const items = carried(await ask(stage, prompt, id), prompt, stage.client);
    const asked = stage.server.asked.findLast(({ body }) => JSON.stringify(body).includes(prompt));
    return [...without(items, stage.client), ...hollowThoughts(asked?.body ?? {})];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Thoughts that say nothing and carry no seal: a provider refuses them. */
function hollowThoughts({ messages = [], input = [] }: Body): Item[] {
  const blocks = messages.flatMap(({ content }) => Array.isArray(content) ? content : []);
  const hollow = [...blocks, ...(Array.isArray(input) ? input : [])].filter((block) =>
    (block.type === "thinking" && !block.signature) ||
    (block.type === "reasoning" && !block.encrypted_content)
  );
  return hollow.map(() => ({ kind: "reasoning", text: "hollow", exact: "hollow" }));
}

/** The parts of a request in which thoughts are. */
interface Body {
  messages?: { content: unknown }[];
  // deno-lint-ignore no-explicit-any
  input?: any;
}

interface Trial {
  client: NpmClient;
  commands: ReadonlyMap<string, Command>;
  whole: WholeSession;
}

async function withBroken(
  { client, commands, whole }: Trial,
  bytes: Uint8Array,
  use: (stage: Stage, home: ClientHome, path: string) => Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    await using home = new ClientHome(directory, commands, false, whole.cwd);
    const path = whole.lay(directory, bytes);
    await use(home.stage(client) as Stage, home, path);
  });
}

/** What a client sends of a session in two resumes. */
interface Sent {
  first: Item[] | string;
  second: Item[] | string;
}

async function sentOf(stage: Stage, id: string): Promise<Sent> {
  return { first: await resume(stage, id), second: await resume(stage, id) };
}

async function play(trial: Trial, damage: Damage, table: DamageTable): Promise<string[]> {
  const { whole } = trial;
  const { agent, id, cwd } = whole;
  const damaged = damage.apply(agent, whole.bytes);
  const left = itemsLeft(agent, whole.bytes, damaged).length;
  const untouched = damage.untouched.includes(agent);
  const wrong: string[] = [];
  let before: Sent | undefined;
  await withBroken(trial, damaged.bytes, async (stage) => {
    before = await sentOf(stage, id);
  });
  await withBroken(trial, damaged.bytes, async (stage, home, path) => {
    const options = (damage.needs[agent] ?? []).flatMap((option) =>
      option === "--cwd" ? [option, cwd] : option === "--trim-output" ? [option, "10000"] : [option]
    );
    await runReprise(home, ["repair", path, "--in-place", "--write", ...options]).catch((error) => {
      if (!untouched) wrong.push(error.message);
    });
    const bytes = Deno.readFileSync(path);
    const same = bytes.length === damaged.bytes.length &&
      bytes.every((byte, at) => byte === damaged.bytes[at]);
    if (same !== untouched) wrong.push(same ? "nothing was repaired" : "the file was changed");
    const resumed_id = sessionIdAfter(agent, bytes) ?? id;
    const after = await sentOf(stage, resumed_id);
    table.add(damage.name, agent, { before: before as Sent, after, left, untouched });
    if (untouched) return;
    const count = typeof after.first === "string" ? after.first : after.first.length;
    if (count !== left) wrong.push(`sends ${count} of ${left} at the first resume`);
    // The prompt and the answer between.
    const more = typeof after.second === "string" ? after.second : after.second.length;
    if (more !== left + 2) wrong.push(`sends ${more} of ${left + 2} at the second`);
  });
  return wrong.map((line) => `${agent}, ${damage.name}: ${line}`);
}

/** A chat of Gemini CLI whose header was lost has another id. */
function sessionIdAfter(agent: string, bytes: Uint8Array): string | undefined {
  if (agent !== "gemini") return undefined;
  return /"sessionId":"([^"]+)"/.exec(new TextDecoder().decode(bytes))?.[1];
}

Deno.test("damaged sessions go on in their own agents once they are repaired", async () => {
  const commands = await installAll();
  const table = new DamageTable();
  const wrong: string[] = [];
  for (const client of ALL_CLIENTS) {
    const { agent } = client;
    if (!(REPAIRED as readonly string[]).includes(agent) || !commands.has(agent)) continue;
    const whole = await wholeSession(client, commands);
    const damages = DAMAGES.filter(({ agents }) => agents.includes(whole.agent));
    for (const damage of chosen(damages, ALL_CLIENTS.indexOf(client))) {
      if (!isChosen(agent, damage.name)) continue;
      const found = await play({ client, commands, whole }, damage, table);
      tell(table.told(damage.name, agent));
      for (const line of found) tell(`  ${line}`);
      wrong.push(...found);
    }
  }
  tell(table.text());
  assert.equal(wrong.join("\n"), "");
  if (QUICK || CHOSEN !== undefined || commands.size < ALL_CLIENTS.length) return;
  assert.ok((await Deno.readTextFile(PAGE)).includes(table.text()), "the page has another table");
});
