/** The engine on the smallest format: a line is a prompt, an answer, or the name of the session. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isoTime } from "../../../../lib/agents/engine/events/iso_time.ts";
import { formatReader } from "../../../../lib/agents/engine/format_reader.ts";
import { openFormat } from "../../../../lib/agents/engine/linear/read_format.ts";
import { readFormatTail } from "../../../../lib/agents/engine/linear/read_tail.ts";
import { asName, asText } from "../../../../lib/agents/engine/json.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import type { SessionFormat } from "../../../../lib/agents/engine/session_format.ts";
import { lineSource } from "../../../../lib/agents/engine/sources/line_source.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { accountSum } from "../../../_support/account_sum.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

interface ToyState {
  /** Number of answers so far. */
  answers: number;
}

const TOY: SessionFormat<ToyState, number> = {
  source: ({ path }) => lineSource(path),
  begin({ session, writer }, first): ToyState {
    const created_at = isoTime(first?.value.time) ?? "";
    writer.emit("session_started", {
      session_id: session.id,
      created_at,
      cwd: "/",
      app: { name: "toy" },
    });
    return { answers: 0 };
  },
  emit(record, state, { writer, last }): string | void {
    const { role, text } = record.value;
    if (role === "noise") return "noise";
    const origin = { id: asName(record.value.id), record, time: last ? 0 : undefined };
    const content = asText(text) ?? "";
    if (role === "user") writer.emit("user_message", { content }, origin);
    else writer.emit("assistant_message", { content: `${++state.answers} ${content}` }, origin);
  },
  end({ answers }, { writer }): void {
    writer.emit("session_renamed", { title: `${answers} answers` });
  },
  standsAlone: ({ value }) => value.role === "user",
  saveState: ({ answers }) => answers,
  startState: () => ({ answers: 0 }),
  restoreState: (answers) => ({ answers }),
};

const LINES = 400;

function lines(count = LINES): string {
  return Array.from({ length: count }, (_, index) => {
    const role = index % 7 === 3 ? "noise" : index % 2 === 0 ? "user" : "assistant";
    return JSON.stringify({
      id: `r${index}`,
      role,
      text: `text ${index} ${"x".repeat(index % 90)}`,
    });
  }).join("\n") + "\n";
}

async function withToy(
  text: string,
  run: (session: AgentSession) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const path = join(folder, "toy.jsonl");
    Deno.writeTextFileSync(path, text);
    await run({ agent: "fen", id: "toy", path });
  });
}

async function eventsOf(batches: AsyncIterable<readonly LogEvent[]>): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const batch of batches) events.push(...batch);
  return events;
}

Deno.test("each record becomes events, and each byte is accounted for", async () => {
  const torn = lines().slice(0, -20);
  await withToy(torn, async (session) => {
    const account = emptyAccount();
    const found: string[] = [];
    const report = ({ code }: { code: string }): void => void found.push(code);
    const events = await eventsOf(formatReader(TOY)(session).read({ account, report }));
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => index + 1));
    assert.deepEqual([events[0]?.kind, events.at(-1)?.kind], [
      "session_started",
      "session_renamed",
    ]);
    assert.deepEqual([accountSum(account), account.total], [torn.length, torn.length]);
    assert.ok((account.side.noise ?? 0) > 0);
    assert.deepEqual(found, ["torn-tail"]);
  });
});

Deno.test("a format without records may still have a head", async () => {
  await withToy("", async (session) => {
    const kinds = (await eventsOf(formatReader(TOY)(session).read())).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["session_started", "session_renamed"]);
  });
});

Deno.test("a read goes on from each place, kept as JSON, with the same events", async () => {
  // Several chunks of the file, each with a place.
  await withToy(lines(5500), async (session) => {
    const reading = openFormat(TOY, session, {}, 0);
    assert.ok(reading !== undefined);
    const all = await eventsOf(formatReader(TOY)(session).read());
    const places: { seq: number }[] = [];
    for await (const { place } of reading.from()) {
      if (place !== undefined) places.push(JSON.parse(JSON.stringify(place)));
    }
    assert.ok(places.length > 3, `${places.length}`);
    for (const place of places) {
      const behind: LogEvent[] = [];
      for await (const { events } of reading.from(place)) behind.push(...events);
      assert.deepEqual(behind, all.slice(place.seq));
    }
  });
});

Deno.test("the end holds the last messages, from a record that stands alone", async () => {
  await withToy(lines(), async (session) => {
    const all = await eventsOf(formatReader(TOY)(session).read());
    for (const messages of [1, 2, 9, 50]) {
      const end = await readFormatTail(TOY, session, { messages }, 1);
      const said = end.filter(({ kind }) => /_message$/.test(kind)).length;
      assert.ok(said >= messages && said < 8 * (messages + 1), `${said} of ${messages}`);
      assert.equal(end[0]?.kind, "user_message");
      assert.deepEqual(
        end.map(({ kind, time }) => [kind, time]),
        all.slice(-end.length).map(({ kind, time }) => [kind, time]),
      );
    }
  });
});

Deno.test("the end looks no further back than it may", async () => {
  await withToy(lines(), async (session) => {
    const options = { messages: Infinity, most_bytes: 2000 };
    const end = await readFormatTail(TOY, session, options, 100);
    const first = end[0]?.position?.offset ?? 0;
    assert.ok(lines().length - first <= 2000, `${first}`);
    assert.ok(end.length > 5);
  });
});

Deno.test("a row tells of the first prompt, the last one, and the name that the end gives", async () => {
  await withToy(lines(5500), async (session) => {
    const row = await formatReader(TOY)(session).summarize();
    const exact = await formatReader(TOY)(session).summarize({ exact: true });
    assert.equal(row?.first_user_message, exact?.first_user_message);
    assert.equal(row?.last_user_message, exact?.last_user_message);
    assert.equal(row?.message_count, undefined);
    assert.ok((exact?.message_count ?? 0) > 3000);
    assert.match(row?.title ?? "", /answers$/);
  });
});

Deno.test("a row is made of all records where the last turn is longer than the end", async () => {
  const answer = JSON.stringify({ role: "assistant", text: "y".repeat(2000) });
  const long = `${JSON.stringify({ role: "user", text: "the last" })}\n${
    `${answer}\n`.repeat(600)
  }`;
  await withToy(lines() + long, async (session) => {
    const row = await formatReader(TOY)(session).summarize();
    const exact = await formatReader(TOY)(session).summarize({ exact: true });
    assert.equal(row?.last_user_message, "the last");
    assert.equal(row?.updated_at, exact?.updated_at);
    assert.equal(row?.title, exact?.title);
  });
});

Deno.test("a row has the first prompt where the record behind it is long", async () => {
  const answer = JSON.stringify({ role: "assistant", text: "y".repeat(300_000) });
  const long = `${JSON.stringify({ role: "user", text: "the first" })}\n${answer}\n`;
  await withToy(long + lines(), async (session) => {
    const row = await formatReader(TOY)(session).summarize();
    assert.equal(row?.first_user_message, "the first");
    assert.equal(row?.message_count, undefined, "the middle is not read");
  });
});

Deno.test("a format may tell by a record whether the last turn was left open", async () => {
  const format: typeof TOY = {
    ...TOY,
    leavesOpen(records): boolean | undefined {
      const last = records.findLast(({ value }) => value.role === "noise");
      return last && last.value.text === "busy";
    },
  };
  const noise = (text: string): string => `${JSON.stringify({ role: "noise", text })}\n`;
  const prompt = `${JSON.stringify({ role: "user", text: "x".repeat(70_000) })}\n`;
  for (const text of [lines(2), lines(4000)]) {
    for (const [end, status] of [["busy", "interrupted"], ["done", "idle"]] as const) {
      await withToy(text + noise(end) + prompt, async (session) => {
        const reader = formatReader(format)(session);
        assert.equal((await reader.summarize())?.status, status);
        assert.equal((await reader.summarize({ exact: true }))?.status, status);
        assert.equal((await formatReader(TOY)(session).summarize())?.status, "interrupted");
      });
    }
  }
});

Deno.test("a thread that is not there is refused", async () => {
  await withToy(lines(2), async (session) => {
    const reader = formatReader(TOY);
    await assert.rejects(
      async () => await eventsOf(reader(session).read({ thread: "other" })),
      (error) => error instanceof SessionError && error.code === "not-found",
    );
    await assert.rejects(async () => {
      await reader(session).readTail({ thread: "other", messages: 1 });
    }, SessionError);
    await assert.rejects(async () => {
      await reader(session).openReading({ thread: "other" });
    }, SessionError);
  });
});

Deno.test("the last bytes of one long turn begin amid it", async () => {
  const text = ["user", ..."a".repeat(300).split("").map(() => "assistant")]
    .map((role, index) => JSON.stringify({ id: `r${index}`, role, text: "x".repeat(100) })).join(
      "\n",
    );
  await withToy(text, async (session) => {
    const options = { messages: Infinity, most_bytes: 2000 };
    assert.deepEqual(await readFormatTail(TOY, session, options), []);
    const format = { ...TOY, beginsAmid: ({ value }: SourceRecord) => value.role === "assistant" };
    const end = await readFormatTail(format, session, options);
    assert.ok(end.length > 10 && end.length < 20, `${end.length}`);
    const whole = await readFormatTail(format, session, { messages: Infinity });
    assert.equal(whole.length, 303);
  });
});
