import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import type { HandedMessage } from "../../../lib/source/session_writer.ts";
import { checkRoundTrip } from "../../_support/handed_session.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import {
  anyMessages,
  assertReadBack,
  assertStreams,
  BEGUN,
  call,
  IMAGE,
  nastyMessages,
  NOW,
  readItems,
  recordsOf,
  rowOf,
  said,
  textOf,
  writerOf,
  written,
} from "../_written.ts";

const writer = await writerOf(codexAgent);
const START = { id: "01a20719-19d2-7879-93d5-b82e5a9831a7", from: "pi:1", cwd: "/w" };
const TIMES = { begun: BEGUN, now: NOW };

/** The payloads of the lines that messages become, behind the head. */
async function payloadsOf(messages: HandedMessage[]): Promise<Record<string, unknown>[]> {
  const records = recordsOf(await textOf(writer, { ...START, ...TIMES }, messages));
  return records.slice(1).map(({ payload }) => payload as Record<string, unknown>);
}

Deno.test("a rollout reads back as what was handed over", async () => {
  await assertReadBack(codexAgent, nastyMessages(writer), { title: "The title" });
  await assertReadBack(codexAgent, nastyMessages(writer));
});

Deno.test("any conversation reads back from a rollout", async () => {
  await fc.assert(
    fc.asyncProperty(anyMessages(writer), (messages) => assertReadBack(codexAgent, messages)),
    { numRuns: 25, seed: 65 },
  );
});

Deno.test("a rollout is listed with its title and its directory", async () => {
  await using made = await written(codexAgent, nastyMessages, { title: "The title" });
  const { title, cwd, created_at, updated_at } = await rowOf(codexAgent, made.session);
  assert.deepEqual([title, cwd], ["The title", "/home/dev/some dir.d"]);
  assert.deepEqual([created_at, updated_at], [
    "2026-08-01T10:00:00.000Z",
    "2026-08-01T10:00:11.000Z",
  ]);
});

Deno.test("a rollout lies in the folder of the local day on which it was made", () => {
  const variable = (name: string): string | undefined =>
    name === "CODEX_HOME" ? "/homes/codex" : undefined;
  const environment = { home: "/home/a", os: "linux", variable };
  assert.equal(writer.home(environment), "/homes/codex");
  const day = new Date(NOW);
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = [String(day.getFullYear()), two(day.getMonth() + 1), two(day.getDate())];
  const time = [day.getHours(), day.getMinutes(), day.getSeconds()].map(two).join("-");
  const start = { ...START, ...TIMES };
  const folder = join("/homes/codex", "sessions", ...date);
  const path = join(folder, `rollout-${date.join("-")}T${time}-${START.id}.jsonl`);
  assert.deepEqual(writer.place(environment, start, "/tmp"), { path });
  const { appended } = writer.place(environment, { ...start, title: "A\u2028title" }, "/tmp");
  assert.deepEqual(appended, {
    path: join("/homes/codex", "session_index.jsonl"),
    line: `{"id":"${START.id}","thread_name":"A\\u2028title",` +
      `"updated_at":"2026-11-23T06:30:15.250Z"}\n`,
  });
  assert.equal(writer.home({ ...environment, variable: () => undefined }), "/home/a/.codex");
  assert.match(
    writer.newSessionId(NOW),
    /^01a20719-19d2-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assert.match(writer.newCallId(), /^call_[0-9a-f]{24}$/);
});

Deno.test("the head of a rollout names no provider, and every line its time", async () => {
  const records = recordsOf(await textOf(writer, { ...START, ...TIMES }, nastyMessages(writer)));
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
    { role: "user", time: BEGUN, parts: [said("one"), IMAGE, said("two")] },
    { role: "assistant", time: BEGUN + 1, text: "look", reasoning: [], calls },
    { role: "assistant", time: BEGUN + 2, text: "done", reasoning: [], calls: [], total_tokens: 7 },
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
  const [, shown] = await payloadsOf([{ role: "user", time: BEGUN, parts: [IMAGE] }]);
  assert.equal(shown?.message, "");
  assert.match(String((shown?.images as string[])[0]), /^data:image\/png;base64,iVBOR/);
});

Deno.test("a call's line says what the call was", async () => {
  const made = call(writer, "exec_command", { input: { cmd: "ls" }, status: "skipped" });
  const text = await textOf(writer, { ...START, ...TIMES }, [
    { role: "user", time: BEGUN, parts: [said("hi")] },
    { role: "assistant", time: BEGUN + 1, text: "", reasoning: [], calls: [made] },
  ]);
  const record = recordsOf(text).find(({ reprise }) => reprise !== undefined);
  assert.equal((record?.payload as { type?: string }).type, "function_call");
  assert.deepEqual(record?.reprise, {
    from: "pi:1",
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
  const answer = { role: "assistant", time: BEGUN + 1, text: "yes", calls: [], model: "gpt-5.5" };
  const messages: HandedMessage[] = [
    { role: "user", time: BEGUN, parts: [said("hi")] },
    { ...answer, role: "assistant", reasoning: [sealed, hollow] },
  ];
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

Deno.test("images that no model of Codex takes are named", () => {
  const types = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/svg+xml",
    "image/bmp",
  ];
  assert.deepEqual(types.map((type) => writer.takesImage?.(type)), [
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("a rollout is written as its messages come", () => assertStreams(codexAgent));

Deno.test("a writer of Codex does what every writer must do", async () => {
  await withDirectory((home) => checkRoundTrip(codexAgent, home).then(() => undefined));
});
