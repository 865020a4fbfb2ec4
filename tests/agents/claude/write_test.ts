import assert from "node:assert/strict";
import { join } from "node:path";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { checkRoundTrip } from "../../_support/handed_session.ts";
import {
  answer,
  BEGUN,
  call,
  IMAGE,
  nastyMessages,
  NOWHERE,
  prompt,
  readItems,
  recordsWritten,
  said,
  START,
  testReadBack,
  testWriter,
  withLink,
  writerOf,
  written,
} from "../_written.ts";
import { placeOf } from "../../_support/agent_place.ts";

const writer = await writerOf(claudeAgent);
const PROMPT = prompt(said("hi"));

type Fields = Record<string, unknown>;

function contentOf(record: Fields | undefined): Fields[] {
  return (record?.message as { content: Fields[] }).content;
}

testWriter("a session of Claude Code", writer, { call_id: /^toolu_01[0-9a-f]{24}$/ });
testReadBack("a session of Claude Code", claudeAgent, { updated_at: "2026-08-01T10:00:11.000Z" });

Deno.test("a session of Claude Code lies in the folder of the directory without links", async () => {
  await withLink(async (link, real) => {
    const environment = { ...NOWHERE, home: "/home/a" };
    const start = { ...START, cwd: link };
    const name = real.replaceAll(/[^A-Za-z0-9]/g, "-");
    assert.deepEqual(writer.place(placeOf("claude", environment), start, "/tmp"), {
      path: join("/home/a/.claude/projects", name, `${START.id}.jsonl`),
    });
    const [record] = await recordsWritten(writer, [PROMPT], start);
    assert.equal(record?.cwd, real);
    const variable = (name: string): string | undefined =>
      name === "CLAUDE_CONFIG_DIR" ? "~/elsewhere" : undefined;
    assert.equal(placeOf("claude", { ...environment, variable }).folder, "/home/a/elsewhere");
  });
});

Deno.test("the name of a long directory's folder is cut as Claude Code cuts it", () => {
  const folder = (cwd: string): string => {
    const { path } = writer.place(NOWHERE, { ...START, cwd }, "/tmp");
    return path.split(/[\\/]/).at(-2) ?? "";
  };
  assert.equal(folder(`/${"d".repeat(199)}`), `-${"d".repeat(199)}`);
  // Made by versions 2.1.100 and 2.1.330.
  const long = `/tmp/long-names/${"d".repeat(120)}/${"é".repeat(50)}${"e".repeat(60)}`;
  assert.equal(
    folder(long),
    `-tmp-long-names-${"d".repeat(120)}-${"-".repeat(50)}${"e".repeat(13)}-pemc0u`,
  );
});

Deno.test("records follow each other, and name no model", async () => {
  const records = await recordsWritten(writer, nastyMessages(writer), { title: "The title" });
  const dialogue = records.slice(0, -2);
  let parent: unknown = null;
  for (const { parentUuid, uuid, message, ...rest } of dialogue) {
    assert.equal(parentUuid, parent);
    parent = uuid;
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.equal((message as Fields).model, undefined);
    assert.deepEqual([rest.sessionId, rest.cwd, rest.isSidechain, rest.gitBranch, rest.version], [
      START.id,
      "/w",
      false,
      "",
      "2.1.330",
    ]);
  }
  const times = dialogue.map(({ timestamp }) => String(timestamp));
  assert.deepEqual(times, times.toSorted());
  assert.deepEqual(records.slice(-2), [
    { type: "custom-title", customTitle: "The title", sessionId: START.id },
    {
      type: "last-prompt",
      lastPrompt: contentOf(dialogue.at(-2)).map(({ text }) => text ?? "").join(" ")
        .replace(/\s+/g, " ").trim(),
      leafUuid: parent,
      sessionId: START.id,
    },
  ]);
});

Deno.test("all calls of an answer are in its record, and all their results in the next", async () => {
  const calls = [
    call(writer, "a", { input: { n: 1 }, output: [said("1")] }),
    call(writer, "b", { output: [said("no")], status: "error" }),
    call(writer, "c", { output: [said("no"), IMAGE], status: "error" }),
  ];
  const [, answered, results] = await recordsWritten(writer, [PROMPT, answer("look", calls)]);
  assert.deepEqual(contentOf(answered).map(({ type }) => type), [
    "text",
    "tool_use",
    "tool_use",
    "tool_use",
  ]);
  const [one, two, three] = contentOf(results);
  const id = (at: number): string | undefined => calls[at]?.id;
  assert.deepEqual(one, { type: "tool_result", tool_use_id: id(0), content: "1" });
  assert.deepEqual(two, { ...one, tool_use_id: id(1), content: "no", is_error: true });
  // The API takes no image in an error.
  assert.deepEqual([three?.tool_use_id, three?.is_error], [id(2), undefined]);
  const { reprise } = answered as { reprise: { from: string; calls: Fields } };
  assert.deepEqual([reprise.from, Object.keys(reprise.calls)], ["codex:1", [id(0), id(1), id(2)]]);
});

Deno.test("the screen can unfold the short output of a command that ran alone", async () => {
  const shown = async (...calls: ReturnType<typeof call>[]): Promise<unknown> => {
    return (await recordsWritten(writer, [PROMPT, answer("", calls)]))[2]?.toolUseResult;
  };
  const ls = call(writer, "Bash", { input: { command: "ls" }, output: [said("a\nb")] });
  assert.deepEqual(await shown(ls), {
    stdout: "a\nb",
    stderr: "",
    interrupted: false,
    isImage: false,
  });
  const long = { ...ls, output: [said("é".repeat(15_000))] };
  const failed = call(writer, "Bash", { output: [said("no")], status: "error" });
  const read = call(writer, "Read", { output: [said("text")] });
  const seen = call(writer, "Bash", { output: [IMAGE] });
  for (const calls of [[ls, ls], [long], [failed], [read], [seen]]) {
    assert.equal(await shown(...calls), undefined);
  }
});

Deno.test("the last prompt is kept on one line, and cut", async () => {
  const last = async (text: string): Promise<unknown> =>
    (await recordsWritten(writer, [prompt(said(text))])).at(-1)?.lastPrompt;
  assert.equal(await last("a\n\n b "), "a b");
  assert.equal(await last("👩".repeat(300)), `${"👩".repeat(200)}…`);
});

Deno.test("thoughts are kept with their signature alone, and then with their model", async () => {
  const signed = { type: "reasoning", text: "so", provider_data: { signature: "c2ln" } } as const;
  const data = { type: "redacted_thinking", data: "ZGF0YQ==" };
  const redacted = { type: "reasoning", text: "", provider_data: data } as const;
  const hollow = { type: "reasoning", text: "hm", provider_data: { signature: "" } } as const;
  const model = "claude-opus-4-5";
  const messages = [
    PROMPT,
    answer("yes", [], { model, reasoning: [hollow, signed, redacted] }),
    answer("yes", [], { model, reasoning: [hollow], time: BEGUN + 2 }),
  ];
  const [, kept, dropped] = await recordsWritten(writer, messages);
  assert.deepEqual(contentOf(kept), [
    { type: "thinking", thinking: "so", signature: "c2ln" },
    data,
    { type: "text", text: "yes" },
  ]);
  assert.equal((kept?.message as Fields).model, model);
  assert.deepEqual(contentOf(dropped), [{ type: "text", text: "yes" }]);
  assert.equal((dropped?.message as Fields).model, undefined);
  await using made = await written(claudeAgent, () => messages);
  assert.deepEqual((await readItems(claudeAgent, made.session)).slice(0, 3), [
    "user: hi",
    "reasoning: so",
    "reasoning: ",
  ]);
  const takes = (part: typeof signed | typeof hollow, by: object): boolean | undefined =>
    writer.takesReasoning?.(part, by);
  assert.equal(takes(signed, { provider: "anthropic", model }), true);
  assert.equal(takes(hollow, { provider: "anthropic", model }), false);
  assert.equal(takes(signed, { provider: "bedrock", model }), false);
  assert.equal(takes(signed, { provider: "anthropic", model: "mock-1" }), false);
});

Deno.test("a writer of Claude Code does what every writer must do", async () => {
  await withDirectory((home) => checkRoundTrip(claudeAgent, home).then(() => undefined));
});
