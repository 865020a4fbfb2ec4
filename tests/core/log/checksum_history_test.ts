import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { checksumHistory } from "../../../lib/core/log/checksum_history.ts";
import { readEvents } from "../../../lib/core/log/read_events.ts";
import { textTerm } from "../../../lib/library/search/query.ts";
import { makePrefilter } from "../../../lib/library/search/prefilter/prefilter.ts";
import { scanLog } from "../../../lib/library/search/scan/scan_session.ts";
import { ownAgent } from "../../../lib/library/machine/own/own_agent.ts";
import { concat, linesOf, plainLine, user } from "../../_support/log_bytes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Calls `check` with a log, and where each of its lines begins. */
async function withLog(
  lines: readonly (Uint8Array | string)[],
  check: (path: string, starts: number[]) => Promise<void> | void,
): Promise<void> {
  await withDirectory(async (directory) => {
    const path = join(directory, "log.jsonl");
    Deno.writeFileSync(path, concat(...lines));
    let at = 0;
    const starts = lines.map((line) => (at += concat(line).length) - concat(line).length);
    await check(path, starts);
  });
}

/** So many lines of some 80 bytes that none of the others is near. */
const FAR = 2000;
const plain = Array.from({ length: FAR }, (_, index) => plainLine(index + 1, "foreign text here"));
const summed = linesOf(Array.from({ length: FAR }, () => user("own")), FAR + 1);

Deno.test("every place behind the first line with a checksum has one before it", async () => {
  await withLog([plainLine(1), plainLine(2), ...linesOf([user("a"), user("b")], 3)], (path, at) => {
    const history = checksumHistory(path);
    assert.deepEqual(at.map(history), [false, false, false, true]);
    assert.deepEqual(at.toReversed().map(checksumHistory(path)), [true, false, false, false]);
  });
});

Deno.test("a log that began without checksums has them where its lines near a place do", async () => {
  const lines = [...plain, ...summed];
  await withLog(lines, (path, starts) => {
    const expected = starts.map((_, index) => index > FAR);
    assert.deepEqual(starts.map(checksumHistory(path)), expected);
    assert.deepEqual(starts.toReversed().map(checksumHistory(path)), expected.toReversed());
  });
});

Deno.test("a line that is longer than what is looked at counts by its end", async () => {
  const [long, next] = linesOf([user("x".repeat(200_000)), user("b")], 1);
  await withLog([long ?? "", next ?? "", plainLine(3)], (path, starts) => {
    assert.deepEqual(starts.map(checksumHistory(path)), [false, true, true]);
  });
});

Deno.test("readers of a part mark a line without a checksum as a reader of the whole does", async () => {
  const [head, last] = [summed.slice(0, -1), summed.slice(-1)];
  const bare = plainLine(2 * FAR, "needle");
  for (const lines of [[...head, bare], [...plain, ...summed, bare], [...head, bare, ...last]]) {
    await withLog(lines, async (path, starts) => {
      const session = { agent: "reprise", id: "log", path } as const;
      const from = starts[lines.indexOf(bare)] ?? 0;
      const found = new Map<string, LogEvent[]>();
      found.set("part", (await Array.fromAsync(readEvents(path, { from }))).flat());
      found.set("tail", await ownAgent.open(session).readTail({ messages: 2 }) as LogEvent[]);
      const shown = await Array.fromAsync(ownAgent.open(session).read({ last_messages: 2 }));
      found.set("last messages", shown.flat());
      const term = textTerm("needle");
      const hits: LogEvent[] = [];
      await scanLog(
        path,
        makePrefilter({ root: term, terms: [term] }),
        (hit) => void hits.push(hit),
      );
      found.set("scan", hits);
      for (const [reader, events] of found) {
        const one = events.find(({ seq, integrity }) =>
          seq === 2 * FAR && integrity !== "verified"
        );
        assert.equal(one?.integrity, "mismatch", reader);
      }
    });
  }
});

Deno.test("readers of a part believe a log that never had checksums", async () => {
  await withLog(plain, async (path, starts) => {
    const session = { agent: "reprise", id: "log", path } as const;
    const part = (await Array.fromAsync(readEvents(path, { from: starts[1500] ?? 0 }))).flat();
    const tail = await ownAgent.open(session).readTail({ messages: 2 });
    for (const { integrity } of [...part, ...tail]) assert.equal(integrity, "unverified");
  });
});
