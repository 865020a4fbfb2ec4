import assert from "node:assert/strict";
import { join } from "node:path";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import type { HandedMessage } from "../../../lib/agents/contract/session_writer.ts";
import { checkRoundTrip } from "../../_support/handed_session.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import {
  answer,
  call,
  IMAGE,
  nastyMessages,
  NOW,
  prompt,
  readItems,
  recordsWritten,
  said,
  START,
  testReadBack,
  testWriter,
  writerOf,
  written,
} from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(codexAgent);
const ID = "01a20719-19d2-7879-93d5-b82e5a9831a7";

/** The payloads of the lines that messages become, behind the head. */
async function payloadsOf(messages: HandedMessage[]): Promise<Record<string, unknown>[]> {
  const records = await recordsWritten(writer, messages);
  return records.slice(1).map(({ payload }) => payload as Record<string, unknown>);
}

testWriter("a rollout", writer);
testReadBack("a rollout", codexAgent, { updated_at: "2026-08-01T10:00:11.000Z" });

Deno.test("a rollout lies in the folder of the local day on which it was made", () => {
  const variable = (name: string): string | undefined =>
    name === "CODEX_HOME" ? "/homes/codex" : undefined;
  const environment = { home: "/home/a", os: "linux", variable };
  const place = placeOf("codex", environment);
  assert.equal(place.folder, "/homes/codex");
  const day = new Date(NOW);
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = [String(day.getFullYear()), two(day.getMonth() + 1), two(day.getDate())];
  const time = [day.getHours(), day.getMinutes(), day.getSeconds()].map(two).join("-");
  const start = { ...START, id: ID };
  const folder = join("/homes/codex", "sessions", ...date);
  const path = join(folder, `rollout-${date.join("-")}T${time}-${ID}.jsonl`);
  assert.deepEqual(writer.place(place, start, "/tmp"), { path });
  const { appended } = writer.place(place, { ...start, title: "A\u2028title" }, "/tmp");
  assert.deepEqual(appended, {
    path: join("/homes/codex", "session_index.jsonl"),
    line: `{"id":"${ID}","thread_name":"A\\u2028title",` +
      `"updated_at":"2026-11-23T06:30:15.250Z"}\n`,
  });
  assert.equal(
    placeOf("codex", { ...environment, variable: () => undefined }).folder,
    "/home/a/.codex",
  );
  assert.match(
    writer.newSessionId(NOW),
    /^01a20719-19d2-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

Deno.test("the head of a rollout names no provider, and every line its time", async () => {
  const records = await recordsWritten(writer, nastyMessages(writer));
  assert.deepEqual(records[0], {
    timestamp: "2026-08-01T10:00:00.000Z",
    type: "session_meta",
    payload: {
      id: START.id,
      timestamp: "2026-08-01T10:00:00.000Z",
      cwd: "/w",
      originator: "codex_cli_rs",
      cli_version: "0.169.0",
      source: "cli",
    },
  });
  const times = records.map(({ timestamp }) => String(timestamp));
  assert.deepEqual(times, times.toSorted());
  assert.ok(times.every((time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)));
});

Deno.test("each message is an item and an event, and parallel calls come before their outputs", async () => {
  const calls = [call(writer, "a", { input: { n: 1 }, output: [said("1")] }), call(writer, "b")];
  const [one, two] = calls.map(({ id }) => id);
  const payloads = await payloadsOf([
    prompt(said("one"), IMAGE, said("two")),
    answer("look", calls),
    answer("done", [], { total_tokens: 7 }),
  ]);
  assert.deepEqual(payloads.map(({ type, call_id }) => [type, call_id].filter(Boolean).join(" ")), [
    "message",
    "user_message",
    "message",
    "agent_message",
    `function_call ${one}`,
    `function_call ${two}`,
    `function_call_output ${one}`,
    `function_call_output ${two}`,
    "message",
    "agent_message",
    "token_count",
  ]);
  assert.deepEqual(payloads[1], { type: "user_message", message: "one\ntwo", images: [] });
  assert.equal(payloads[4]?.arguments, '{"n":1}');
  assert.deepEqual([payloads[6]?.output, payloads[7]?.output], ["1", ""]);
  const { last_token_usage } = payloads[10]?.info as Record<string, Record<string, unknown>>;
  assert.deepEqual([last_token_usage?.total_tokens, last_token_usage?.input_tokens], [7, 0]);
});

Deno.test("a prompt without words shows its image to a list", async () => {
  const [, shown] = await payloadsOf([prompt(IMAGE)]);
  assert.equal(shown?.message, "");
  assert.match(String((shown?.images as string[])[0]), /^data:image\/png;base64,iVBOR/);
});

Deno.test("a call's line says what the call was", async () => {
  const made = call(writer, "exec_command", { input: { cmd: "ls" }, status: "skipped" });
  const records = await recordsWritten(writer, [prompt(said("hi")), answer("", [made])]);
  const record = records.find(({ reprise }) => reprise !== undefined);
  assert.equal((record?.payload as { type?: string }).type, "function_call");
  assert.deepEqual(record?.reprise, {
    from: "codex:1",
    calls: {
      [made.id]: {
        id: "old|exec_command",
        name: "exec_command.old",
        input: { was: { cmd: "ls" } },
        status: "skipped",
      },
    },
  });
});

Deno.test("reasoning is kept with its encrypted content alone", async () => {
  const sealed = {
    type: "reasoning",
    text: "so",
    provider_data: { type: "reasoning", id: "rs_1", encrypted_content: "gAAA" },
  } as const;
  const hollow = { type: "reasoning", text: "hm" } as const;
  const said_so = answer("yes", [], { model: "gpt-5.5", reasoning: [sealed, hollow] });
  const messages = [prompt(said("hi")), said_so];
  const payloads = await payloadsOf(messages);
  assert.deepEqual(payloads.filter(({ type }) => type === "reasoning"), [{
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "so" }],
    encrypted_content: "gAAA",
  }]);
  await using made = await written(codexAgent, () => messages);
  assert.deepEqual(await readItems(codexAgent, made.session), [
    "user: hi",
    "reasoning: so",
    "assistant: yes",
  ]);
  const takes = (part: typeof sealed | typeof hollow, provider: string): boolean | undefined =>
    writer.takesReasoning?.(part, { model: "gpt-5.5", provider });
  assert.deepEqual(
    [takes(sealed, "openai"), takes(hollow, "openai"), takes(sealed, "anthropic")],
    [true, false, false],
  );
});

Deno.test("a writer of Codex does what every writer must do", async () => {
  await withDirectory((home) => checkRoundTrip(codexAgent, home).then(() => undefined));
});
