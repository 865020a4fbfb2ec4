/** Several programs and one session: with the lock each event has its place; without, no line breaks. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { LogWriter } from "../../lib/core/log/log_writer.ts";
import { openStore } from "../../lib/core/store/open_store.ts";
import type { Rounds, RoundsAnswer } from "../_support/children/rounds_child.ts";
import { codesOf, type Read, readNow } from "../_support/log_bytes.ts";
import { Child } from "../_support/processes.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { withDirectory, withStore } from "../_support/temp_directory.ts";
import { needing, UNIX } from "../_support/needing.ts";

/** Each program takes a while to start. */
const MANY = ALL_TORTURE ? 8 : 4;

/** First words of the prompts in a log: who wrote it, and the count. */
function prompts({ events }: Read): string[] {
  return events.flatMap((event) => {
    if (event.form !== "known" || event.kind !== "user_message") return [];
    const { content } = event.payload;
    return typeof content === "string" ? [content] : [];
  });
}

/** The prompts of one writer must stand in the order in which it wrote them. */
function assertInOrder(all: readonly string[], name: string, expected: readonly string[]): void {
  const own = all.filter((text) => text.startsWith(`${name} `));
  assert.deepEqual(own.map((text) => text.trimEnd()), expected);
}

for (const writers of [2, MANY]) {
  // Slow: several programs run at once.
  Deno.test(
    needing(`P1 ${writers} programs resume one session by turns: every event has its place`, UNIX),
    async () => {
      await withStore(async (store, directory) => {
        const session = store.create({ cwd: directory });
        await session.append({ kind: "user_message", payload: { content: "first" } });
        await session.finish();
        const [rounds, events] = [writers === 2 ? 12 : 4, 3];
        const children = Array.from({ length: writers }, (_, index) => {
          const script: Rounds = {
            root: store.root,
            resume: session.id,
            rounds,
            events,
            name: `w${index}`,
          };
          return new Child("rounds_child", [JSON.stringify(script)]);
        });
        const answers = await Promise.all(children.map(async (child): Promise<RoundsAnswer> => {
          const [answer = "{}"] = await child.rest();
          assert.equal(await child.status(), 0);
          await child[Symbol.asyncDispose]();
          return JSON.parse(answer);
        }));
        assert.ok(answers.every(({ kept }) => kept === rounds));
        const read = readNow(Deno.readFileSync(session.path));
        assert.deepEqual(codesOf(read), []);
        assert.deepEqual(
          read.events.map(({ seq }) => seq),
          read.events.map((_, index) => index + 1),
        );
        const all = prompts(read);
        assert.equal(all.length, 1 + writers * rounds * events);
        for (let index = 0; index < writers; index++) {
          const expected = Array.from(
            { length: rounds * events },
            (_, count) => `w${index} ${Math.floor(count / events)} ${count % events}`,
          );
          assertInOrder(all, `w${index}`, expected);
        }
        const [row] = await store.list();
        assert.deepEqual([row?.status, row?.message_count], ["completed", all.length]);
      });
    },
  );
}

for (const [writers, count, bytes] of [[2, 100, 60_000], [MANY, 50, 20_000]] as const) {
  Deno.test(
    needing(`P4 ${writers} programs that write without the lock break no line`, UNIX),
    async () => {
      await withDirectory(async (directory) => {
        const path = join(directory, "log.jsonl");
        await LogWriter.create(path).close();
        const names = Array.from({ length: writers }, (_, index) => `w${index}`);
        const children = names.map((name) =>
          new Child("raw_writer_child", [path, name, String(count), String(bytes)])
        );
        for (const child of children) assert.equal(await child.line(), "ready");
        for (const child of children) await child.write("go\n");
        for (const child of children) {
          assert.equal(await child.status(), 0);
          await child[Symbol.asyncDispose]();
        }
        const read = readNow(Deno.readFileSync(path));
        assert.deepEqual([read.tally.damage, read.tally.blank], [0, 0]);
        assert.equal(read.events.length, writers * count);
        assert.ok(read.events.every(({ integrity }) => integrity === "verified"));
        const all = prompts(read).map((text) => text.replace(/ x*$/, ""));
        for (const name of names) {
          assertInOrder(all, name, Array.from({ length: count }, (_, index) => `${name} ${index}`));
        }
        // Numbers that come twice are told; nothing else is wrong.
        const codes = new Set(codesOf(read));
        assert.ok(codes.delete("seq-repeat"));
        codes.delete("seq-gap");
        assert.deepEqual([...codes], []);
      });
    },
  );
}

Deno.test(
  needing("after writers without the lock, the next number is greater than all", UNIX),
  async () => {
    await withStore(async (store, directory) => {
      const session = store.create({ cwd: directory });
      await session.append({ kind: "user_message", payload: { content: "p" } });
      const stray = LogWriter.open(session.path);
      const { encodeEvent } = await import("../../lib/core/event/encode.ts");
      for (const seq of [7, 3, 3]) {
        stray.write([
          encodeEvent({ seq, kind: "user_message", payload: { content: `stray ${seq}` } }),
        ]);
      }
      await stray.close();
      await session.finish();
      const resumed = await openStore({ root: store.root }).resume(session.id);
      const told = await resumed.append({ kind: "user_message", payload: { content: "q" } });
      assert.deepEqual(told, { seq: 8, state: "synced" });
      await resumed.finish();
    });
  },
);
