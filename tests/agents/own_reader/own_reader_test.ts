/**
 * Programs of the user that print sessions. Slow: a program is started for each read but those of cut
 * and damaged sessions, of which each byte is read as the program prints it.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { joinAgent } from "../../../lib/core/event/agent_name.ts";
import { ownReaderAgent } from "../../../lib/agents/own_reader/own_reader_agent.ts";
import type { ReaderRun } from "../../../lib/agents/own_reader/run_reader.ts";
import { loadAgent } from "../../../lib/library/machine/registry.ts";
import {
  codesOf,
  conversationOf,
  locateAll,
  makeHome,
  payloadsOf,
  readAll,
  testAgentContract,
} from "../../_support/agent_contract.ts";
import { needing, program, UNIX } from "../../_support/needing.ts";

const FIXTURES = new URL("../../../testdata/agents/own_reader/", import.meta.url);
const PYTHON = program("python3");
const EXAMPLE = fileURLToPath(new URL("../../../.github/examples/junie.py", import.meta.url));
const PRINT_LINES = fileURLToPath(new URL("print_lines.sh", FIXTURES));
const JUNIE = "session-260607-100000-acme";

const junie = {
  agent: await loadAgent(joinAgent("junie")),
  files: Object.fromEntries(
    ["index.jsonl", `${JUNIE}/events.jsonl`].map((path) => [
      `.junie/sessions/${path}`,
      new URL(`junie/${path}`, FIXTURES),
    ]),
  ),
  readers: (home: string) => ({
    junie: [
      // The system's Python starts sooner than one that a manager of versions chooses.
      ...["/usr/bin/env", `PATH=/usr/bin:${Deno.env.get("PATH")}`],
      ...[`JUNIE_HOME=${join(home, ".junie")}`, "python3", "-S", EXAMPLE],
    ],
  }),
};

const LINES = joinAgent("lines");

/** Prints the file that its program prints. */
async function* printFile({ argv, asked: [, id] }: ReaderRun): AsyncGenerator<Uint8Array> {
  yield await Deno.readFile(join(argv.at(-1) ?? "", `${id}.jsonl`));
}

const lines = {
  agent: await loadAgent(LINES),
  files: { "kept/one.jsonl": new URL("lines.jsonl", FIXTURES) },
  inProcess: ownReaderAgent(LINES, printFile),
  readers: (home: string) => ({ lines: ["/bin/sh", PRINT_LINES, join(home, "kept")] }),
};

// No session of theirs tells where it was forked.
const common = { recognized: false, cwd: "/w", fork: null };

if (UNIX.met) testAgentContract("own reader", { ...common, ...lines, ids: ["one"] });
if (UNIX.met && PYTHON.met) {
  const cwd = "/workspace/junie-fixture";
  // What is counted was printed, and is no file's.
  testAgentContract("own reader in Python", {
    ...common,
    ...junie,
    cwd,
    ids: [JUNIE],
    unit: "rows",
    damage: false,
    lists: false,
  });
}

Deno.test(needing("lines that a program prints are read as events of a log", UNIX).name, {
  ignore: !UNIX.met,
}, async () => {
  await using home = await makeHome(lines.files, {}, Deno.build.os, lines.readers);
  const [session] = await locateAll(lines.agent, home.environment);
  assert.ok(session !== undefined);
  const read = await readAll(lines.agent, session);
  assert.deepEqual(codesOf(read), ["invalid-payload"]);
  assert.deepEqual(read.events.map(({ kind }) => kind), [
    ...["session_started", "user_message", "reasoning_message", "assistant_message", "tool_end"],
    ...["notice", "extension", "assistant_message", "extension", "user_message"],
    ...["compaction_applied", "assistant_message"],
  ]);
  assert.deepEqual(payloadsOf(read.events, "session_started"), [{
    session_id: "one",
    created_at: "2026-11-20T10:00:00.000Z",
    cwd: "/w",
    app: { name: "lines" },
  }]);
  const { messages } = await conversationOf(lines.agent, session);
  assert.deepEqual(messages.map(({ content }) => content), [
    ...["Twelve files.", "And in é?", "None."],
  ]);
});
