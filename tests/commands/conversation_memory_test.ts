/** The memory that printing a long conversation takes, in each form. */
import assert from "node:assert/strict";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { peakMemoryOf } from "../bench/peak_memory.ts";
import { cliProcess } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { atFullSize } from "../_support/full_size.ts";
import { linesOf, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { LINUX, needing } from "../_support/needing.ts";

const MIB = 1024 * 1024;
/** Maximum memory of the whole process, `deno run` included. */
const MOST_MIB = 190;

function said(content: string): NewEvent {
  return { kind: "assistant_message", payload: { content } };
}

/** Turns of some 100 KiB, with a call each. */
function turn(at: number): NewEvent[] {
  const text = `Line ${at} of a text.\n`.repeat(2500);
  const events = [user(text), toolStart(`c${at}`), toolEnd(`c${at}`, text), said(`Done ${at}.`)];
  return events.map((event) => ({ ...event, turn_id: `t${at}` }) as NewEvent);
}

function keepLong(home: CliHome, bytes: number): number {
  const { path } = home.keep(sessionId("aaaa"), []);
  using file = Deno.openSync(path, { append: true });
  let turns = 0;
  for (let size = 0; size < bytes;) {
    for (const line of linesOf(turn(turns), 2 + 4 * turns)) {
      for (let at = 0; at < line.length;) at += file.writeSync(line.subarray(at));
      size += line.length;
    }
    turns++;
  }
  return turns;
}

/** Runs a command; gives what is counted of its output, and the most memory that it had. */
async function peakOf(
  home: CliHome,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ messages: number; mib: number }> {
  const child = cliProcess(args, { home: home.path, cwd: home.work, env }).spawn();
  const count = args[0] === "resume" ? countConversation : countMessages;
  const [peak = 0, messages, stderr] = await Promise.all([
    peakMemoryOf(child),
    count(child.stdout),
    new Response(child.stderr).text(),
  ]);
  assert.deepEqual([(await child.status).code, stderr], [0, ""]);
  return { messages, mib: peak / MIB };
}

/** Every message is on a line of its own. */
async function countMessages(stdout: ReadableStream<Uint8Array>): Promise<number> {
  let lines = 0;
  for await (const chunk of stdout) {
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
  }
  return lines - 2;
}

async function countConversation(stdout: ReadableStream<Uint8Array>): Promise<number> {
  const { summary, conversation } = await new Response(stdout as BodyInit).json();
  assert.match(summary.session_id, /^aaaa/);
  return conversation.length;
}

const NAME = "conversation and resume --json print a long log in every form without holding it";

// The peak of a process varies by 30 MiB, so a log must be longer than that to be noticed in it.
// A heap with little room for more than the program shows the same of a short log.
for (
  const [test, bytes, env] of [
    [needing(NAME, LINUX), 8 * MIB, { DENO_V8_FLAGS: "--max-old-space-size=24" }],
    [atFullSize(NAME, LINUX), 64 * MIB, {}],
  ] as const
) {
  // Slow: a process for each form prints a log that its heap cannot hold.
  Deno.test({
    ...test,
    async fn(): Promise<void> {
      await using home = new CliHome();
      const turns = keepLong(home, bytes);
      const lines = ["plain", "openai", "anthropic", "ai-sdk"].map((
        format,
      ) => ["conversation", "aaaa", "--format", format]);
      for (const line of [...lines, ["resume", "aaaa", "--json"]]) {
        const { messages, mib } = await peakOf(home, line, env);
        assert.equal(messages, 4 * turns, line.join(" "));
        assert.ok(mib > 0 && mib < MOST_MIB, `${line.join(" ")}: ${Math.round(mib)} MiB`);
      }
    },
  });
}
