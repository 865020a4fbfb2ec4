/**
 * `kill -9` of an agent that runs calls side by side: what its model gets next is what the log says.
 * `REPRISE_TORTURE=all` kills 500 times.
 */
import assert from "node:assert/strict";
import { ALL_TORTURE } from "../_support/torture.ts";
import type { KnownEvent } from "../../lib/core/event/envelope.ts";
import { openedCalls, startedCall } from "../../lib/core/event/opened_calls.ts";
import { toMessages } from "../../lib/text/shape/message_shape.ts";
import { loadConversation } from "../../lib/core/store/load_session.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import { type Calling, outputOf } from "../_support/children/calls_child.ts";
import { readNow } from "../_support/log_bytes.ts";
import { Child } from "../_support/processes.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { type Random, seededRandom } from "./_random.ts";
import { needing, UNIX } from "../_support/needing.ts";

const SEED = 20261122;
const KILLS = ALL_TORTURE ? 500 : 5;
/** Of one session, each of a program that goes on with it. */
const KILLS_A_SESSION = 5;
/** Processes at a time: the cores are shared. */
const AT_ONCE = 2;

const NOT_RUN = "Not run: the session stopped before this call began.";
const NO_RESULT = "No result was recorded: the call did not finish.";

/** What the programs were told is kept. */
interface Acknowledged {
  /** Ids of the calls of each response. */
  responses: string[][];
  started: Set<string>;
  settled: Set<string>;
}

/** A response as it is sent: its calls and what each gave, in order. */
type SentCalls = [id: string, output: string][];

/** The part of a request that a response with calls and its results are. */
interface OpenAiMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

interface Outcome {
  kills: number;
  responses: number;
  not_run: number;
  no_result: number;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Runs an agent, and kills it: one in six times while it starts. */
async function kill(root: string, random: Random, said: Acknowledged): Promise<void> {
  const script: Calling = {
    root,
    durability: random(2) === 0 ? "boundary" : "none",
    seed: random(1e9),
    most_text: 1 + random(5000),
    most_turns: 400,
  };
  await using child = new Child("calls_child", [JSON.stringify(script)]);
  const lines: string[] = [];
  const early = random(6) === 0;
  if (!early) lines.push(await child.line() ?? "");
  await wait(random(early ? 250 : 120));
  child.kill();
  lines.push(...await child.rest());
  await child.status();
  for (const line of lines) {
    const [word, ...ids] = line.split(" ");
    const [id = ""] = ids;
    if (word === "response") said.responses.push(ids);
    else if (word === "start") said.started.add(id);
    else if (word === "result") said.settled.add(id);
    else assert.fail(`unknown line: ${line}`);
  }
}

/** The calls of a log with what each is answered, told by its lines alone. */
function callsInLog(path: string): SentCalls[] {
  const events = readNow(Deno.readFileSync(path)).events as KnownEvent[];
  const started = new Set(events.map(startedCall));
  const settled = new Set(
    events.flatMap(({ kind, payload }) =>
      kind === "tool_end" ? [(payload as { call_id: string }).call_id] : []
    ),
  );
  return events.map(openedCalls).filter(({ length }) => length > 0).map((calls) =>
    calls.map(({ call_id: id }): [string, string] => [
      id,
      settled.has(id) ? outputOf(id) : started.has(id) ? NO_RESULT : NOT_RUN,
    ])
  );
}

/** The same as a request has it: each response with its results right behind it. */
function callsInRequest(messages: readonly OpenAiMessage[]): SentCalls[] {
  return messages.flatMap(({ tool_calls: calls = [] }, index): SentCalls[] => {
    if (calls.length === 0) return [];
    const results = messages.slice(index + 1, index + 1 + calls.length);
    return [calls.map(({ id }, at): [string, string] => {
      assert.deepEqual([results[at]?.role, results[at]?.tool_call_id], ["tool", id]);
      return [id, String(results[at]?.content)];
    })];
  });
}

function assertAcknowledged(
  calls: readonly SentCalls[],
  { responses, started, settled }: Acknowledged,
): void {
  const sent = new Set(calls.map((one) => one.map(([id]) => id).join(" ")));
  for (const ids of responses) assert.ok(sent.has(ids.join(" ")), `response ${ids}`);
  const outputs = new Map(calls.flat());
  for (const id of settled) assert.equal(outputs.get(id), outputOf(id));
  for (const id of started) assert.notEqual(outputs.get(id), NOT_RUN, `start of ${id}`);
}

/** What a resumed session sends is what its log says, before and after it goes on. */
async function checkResumed(root: string, said: Acknowledged): Promise<SentCalls[]> {
  const store = openStore({ root });
  const [row, ...others] = await store.list();
  assert.deepEqual(others, [], "each program goes on with the session of the one before");
  if (row === undefined) {
    assert.equal(said.responses.length, 0);
    return [];
  }
  await using session = await store.resume(row.ref);
  const all = { reasoning: "include" } as const;
  const request = await session.request("openai");
  const { messages } = await loadConversation(row.path, all);
  assert.deepEqual(request, toMessages(messages, "openai"));
  const calls = callsInRequest(request.messages as OpenAiMessage[]);
  assert.deepEqual(calls, callsInLog(row.path));
  assertAcknowledged(calls, said);
  await session.turn().user("Go on.");
  const next = await session.request("openai");
  const { messages: again } = await loadConversation(row.path, all);
  assert.deepEqual(next, toMessages(again, "openai"));
  return calls;
}

async function killSession(random: Random): Promise<Outcome> {
  const said: Acknowledged = { responses: [], started: new Set(), settled: new Set() };
  let calls: SentCalls[] = [];
  await withDirectory(async (root) => {
    for (let at = 0; at < KILLS_A_SESSION; at++) {
      await kill(root, random, said);
      calls = await checkResumed(root, said);
    }
  });
  const outputs = calls.flat().map(([, output]) => output);
  return {
    kills: KILLS_A_SESSION,
    responses: said.responses.length,
    not_run: outputs.filter((output) => output === NOT_RUN).length,
    no_result: outputs.filter((output) => output === NO_RESULT).length,
  };
}

// Slow: each kill takes a process, and time to write.
Deno.test(
  needing("P1 after a kill the model gets every call of every acknowledged response", UNIX),
  async (t) => {
    const outcomes: Outcome[] = [];
    let next = 0;
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (next < KILLS / KILLS_A_SESSION) {
        outcomes.push(await killSession(seededRandom(SEED + next++)));
      }
    }));
    const sum = (field: keyof Outcome): number =>
      outcomes.reduce((total, outcome) => total + outcome[field], 0);
    const name =
      `${sum("kills")} kills, ${sum("responses")} responses acknowledged; of their calls ` +
      `${sum("not_run")} not run, ${sum("no_result")} without a result`;
    await t.step(name, () => assert.ok(sum("responses") > sum("kills")));
  },
);
