import assert from "node:assert/strict";
import { join } from "node:path";
import { openFacts } from "../../../../lib/library/catalogue/facts_database.ts";
import { forgetSessions } from "../../../../lib/library/catalogue/forget_sessions.ts";
import { factsPath } from "../../../../lib/library/catalogue/facts_file.ts";
import { lookAtSession } from "../../../../lib/library/catalogue/session_state.ts";
import { type ReadUsage, usageIn } from "../../../../lib/library/counts/usage/read_usage.ts";
import { DayRows } from "../../../../lib/library/counts/usage/usage_sums.ts";
import { type KnownUsage, UsageTable } from "../../../../lib/library/counts/usage/usage_table.ts";
import type { ResponseUsage } from "../../../../lib/core/projection/response_usage.ts";
import type { UsageRow } from "../../../../lib/core/projection/usage_rows.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";
import { LATER, makeSession } from "../../../_support/catalogued.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { usageRowsIn } from "../../../_support/summed_usage.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../../_support/torture.ts";
import { seededRandom } from "../../../bench/random.ts";

function response(
  key: string | undefined,
  output: number,
  more: Partial<ResponseUsage> = {},
): ResponseUsage {
  const time = "2026-01-01T23:50:00.000Z";
  return { ...(key === undefined ? {} : { key }), time, model: "m", usage: { output }, ...more };
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

function rowsOf(sessions: readonly ResponseUsage[][], options = {}): UsageRow[][] {
  return usageRowsIn(sessions, { dayOf, ...options });
}

function outputs(...sessions: ResponseUsage[][]): unknown[] {
  return rowsOf(sessions)
    .map((rows) => rows.map(({ messages, usage }) => [messages, usage.output]));
}

Deno.test("the record with the most tokens counts for a response, the first of equals", () => {
  const records = [response("a", 1), response("a", 9), response("b", 2), response("a", 4)];
  assert.deepEqual(outputs(records), [[[2, 11]]]);
});

Deno.test("a response belongs to the first session that has it, or to the one that has it best", () => {
  assert.deepEqual(outputs([response("a", 5)], [response("a", 5), response("b", 1)]), [
    [[1, 5]],
    [[1, 1]],
  ]);
  assert.deepEqual(outputs([response("a", 5)], [response("a", 6)], [response("a", 5)]), [
    [],
    [[1, 6]],
    [],
  ]);
});

Deno.test("a record without a key counts by itself", () => {
  assert.deepEqual(
    outputs([response(undefined, 5), response(undefined, 5)], [response(undefined, 5)]),
    [
      [[2, 10]],
      [[1, 5]],
    ],
  );
});

Deno.test("a side talk's copy of a message does not count, its own messages do", () => {
  const side = { sidechain: true } as const;
  const records = [response("a\n1", 5), response("a\n2", 9, side), response("b\n3", 7, side)];
  assert.deepEqual(outputs(records), [[[2, 12]]]);
});

Deno.test("the final record of a response counts, wherever it lies", () => {
  const side = { sidechain: true, thread: "acompact" } as const;
  assert.deepEqual(outputs([response("a\n1", 9, side), response("a\n1", 5)]), [[[1, 9]]]);
  assert.deepEqual(outputs([response("a\n1", 5), response("a\n1", 9, side)]), [[[1, 9]]]);
  assert.deepEqual(outputs([response("a\n1", 9), response("a\n1", 5, side)]), [[[1, 9]]]);
  const { threads } = usageIn([response("a\n1", 5), response("a\n1", 9, side)]);
  assert.deepEqual(threads, [""], "it belongs to the session's own thread");
});

Deno.test("sessions add up to the total, in any number", () => {
  const random = seededRandom(3);
  const best = new Map<string, number>();
  const sessions = Array.from({ length: 60 }, () =>
    Array.from({ length: 400 }, () => {
      const [key, output] = [`k${random.below(9000)}`, 1 + random.below(5)];
      best.set(key, Math.max(best.get(key) ?? 0, output));
      return response(key, output);
    }));
  let [messages, output] = [0, 0];
  for (const rows of rowsOf(sessions)) {
    for (const row of rows) {
      [messages, output] = [messages + row.messages, output + (row.usage.output ?? 0)];
    }
  }
  assert.equal(messages, best.size);
  assert.equal(output, [...best.values()].reduce((sum, one) => sum + one, 0));
});

Deno.test("rows go by the reader's day and by model, and keep unknown counts unknown", () => {
  const session = [
    response("a", 1),
    response("b", 2, { time: "2026-01-02T00:10:00.000Z", model: "other" }),
    { model: "", usage: {} },
    response("c", 3, { usage: { input: 4, cache_read: 0, reasoning: 1 } }),
  ];
  const [rows] = rowsOf([session]);
  assert.deepEqual(rows, [
    {
      day: "2026-01-01",
      model: "m",
      messages: 2,
      usage: { output: 1, input: 4, cache_read: 0, reasoning: 1 },
      unpriced: 2,
    },
    { day: "2026-01-02", model: "other", messages: 1, usage: { output: 2 }, unpriced: 1 },
    { day: "", model: "", messages: 1, usage: {} },
  ]);
  const tokyo = (milliseconds: number): string => dayOf(milliseconds + 9 * 3600e3);
  assert.deepEqual(rowsOf([session], { dayOf: tokyo })[0]?.map(({ day }) => day), [
    "2026-01-02",
    "2026-01-02",
    "",
  ]);
});

Deno.test("P13 a cost is the recorded one, else an estimate that is marked, else unknown", () => {
  const session = [
    response("a", 1, { cost_usd: 0 }),
    response("b", 2),
    response("c", 3, { model: "other", cache_write_1h: 7, usage: { output: 3, cache_write: 9 } }),
  ];
  const seen: unknown[] = [];
  const estimate = (model: string, tokens: unknown, seconds: number): number | undefined => {
    seen.push([model, tokens, new Date(seconds * 1000).toISOString()]);
    return model === "m" ? 0.5 : undefined;
  };
  const [rows] = rowsOf([session], { estimate });
  assert.deepEqual(
    rows?.map((row) => [row.model, row.cost_usd, row.cost_estimated, row.unpriced]),
    [
      ["m", 0.5, true, undefined],
      ["other", undefined, undefined, 1],
    ],
  );
  const counts = { input: 0, output: 3, cache_read: 0, cache_write: 9, cache_write_1h: 7 };
  assert.deepEqual(seen[1], ["other", { ...counts, responses: 1 }, "2026-01-01T23:45:00.000Z"]);
});

/** Responses that tell whose they are, of several days and models. */
function usageOf({ id }: AgentSession, responses = 4 * id.length): ReadUsage {
  const records = Array.from({ length: responses }, (_, index) => {
    const cost_usd = index % 3 === 0 ? index / 7 : undefined;
    return response(index % 5 === 0 ? undefined : `${id}${index}`, 100 * index + id.length, {
      time: new Date(Date.parse("2026-01-01") + index * 40_000_000).toISOString(),
      model: `model of ${id} ${index % 2}`,
      ...cost_usd === undefined ? {} : { cost_usd },
    });
  });
  return { ...usageIn(records), work: { tools: [[id, 900, 2, 1]], files: [] } };
}

/** Keeps the usage of sessions in a cache folder; returns its rows. */
function keep(folder: string, sessions: readonly AgentSession[], version = ""): UsageRow[][] {
  using table = new UsageTable({ folder, version, now: LATER });
  const asked = sessions.map((session) => ({
    session,
    usage: usageOf(session),
    read: { files: [session.path], state: lookAtSession(session) },
  }));
  const rows = new DayRows({ dayOf });
  return table.sums(asked, 900).map((sums = [], index) =>
    rows.of((asked[index] as typeof asked[number]).usage, sums)
  );
}

/** Returns the rows of sessions that a cache folder has; undefined for others. */
async function known(
  folder: string,
  sessions: readonly AgentSession[],
): Promise<(UsageRow[] | undefined)[]> {
  using table = new UsageTable({ folder });
  const rows = new DayRows({ dayOf });
  return await Promise.all(sessions.map(async (session) => {
    const usage = (await table.lookUp([{ session }]))[0]?.facts;
    const work = table.findWork(session);
    if (work !== undefined) assert.deepEqual(work, usageOf(session).work);
    const [sums] = usage === undefined ? [] : table.sums([{ session, usage }], 900);
    return sums && rows.of(usage as KnownUsage, sums);
  }));
}

async function withSessions(
  ids: readonly string[],
  test: (root: string, sessions: AgentSession[]) => void | Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    const root = join(directory, "store");
    Deno.mkdirSync(root);
    await test(root, ids.map((id) => makeSession(directory, id)));
  });
}

const IDS = ["a", "bb", "ccc", "dddd"];

Deno.test("UsageTable returns kept usage until the session changes, and of no other version", async () => {
  await withSessions(IDS, async (root, sessions) => {
    const right = keep(root, sessions);
    assert.ok(right.every((rows) => rows.length > 0));
    assert.deepEqual(await known(root, sessions), right);
    const [first] = sessions;
    Deno.writeTextFileSync(first?.path ?? "", "more\n", { append: true });
    assert.deepEqual(await known(root, sessions), [undefined, ...right.slice(1)]);
    keep(root, sessions.slice(0, 1));
    assert.deepEqual(await known(root, sessions), right);
    Deno.removeSync(factsPath({ folder: root }));
    keep(root, sessions, "1");
    assert.deepEqual(await known(root, sessions), IDS.map(() => undefined));
  });
});

Deno.test("P10 sums of many sessions are kept, and added up again where one of them changed", async () => {
  const ids = Array.from({ length: 101 }, (_, index) => `many${index}`);
  await withSessions(ids, async (root, sessions) => {
    const asked = async (folder: string | undefined, some: readonly AgentSession[], step = 900) => {
      using table = new UsageTable({ folder, now: LATER });
      const found = await table.lookUp(some.map((session) => ({ session })));
      const all = found.map(({ session, files, facts }) => {
        const usage = facts ?? usageOf(session, Deno.statSync(session.path).size);
        return { session, usage, read: files };
      });
      return table.sums(all, step).map((own) => own?.map((sum) => ({ ...sum })));
    };
    using facts = openFacts({ folder: root });
    const question = (): unknown =>
      facts.prepare("SELECT question FROM usage_sums").get()?.question;
    const check = async (some: readonly AgentSession[], step?: number): Promise<unknown> => {
      const right = await asked(undefined, some, step);
      assert.deepEqual(await asked(root, some, step), right);
      assert.deepEqual(await asked(root, some, step), right);
      return question();
    };
    const first = await check(sessions);
    assert.ok(first !== undefined, "they are kept");
    assert.notEqual(await check(sessions.slice(1)), first);
    assert.notEqual(await check(sessions.toReversed()), first);
    assert.notEqual(await check(sessions, 60), first);
    assert.equal(await check(sessions), first);
    Deno.writeTextFileSync(sessions[3]?.path ?? "", "more\n", { append: true });
    assert.notEqual(await check(sessions), first);
    forgetSessions({ folder: root }, "claude", ["nobody"]);
    assert.equal(question(), undefined);
  });
});

Deno.test("forgetSessions removes the responses of a session too", async () => {
  await withSessions(["secret", "b"], async (root, sessions) => {
    const [, right] = keep(root, sessions);
    forgetSessions({ folder: root }, "claude", ["secret"]);
    assert.deepEqual(await known(root, sessions), [undefined, right]);
    const text = new TextDecoder().decode(Deno.readFileSync(factsPath({ folder: root })));
    assert.ok(!text.includes("secret") && text.includes("model of b"));
  });
});

// Slow: the database is opened for each byte that tells something.
Deno.test("P10 a flipped bit or a cut never gives wrong responses", async () => {
  await withSessions(IDS.slice(1, 3), async (root, sessions) => {
    const right = keep(root, sessions);
    const path = factsPath({ folder: root });
    const bytes = Deno.readFileSync(path);
    const random = mulberry32(3);
    let [found, lost] = [0, 0];
    for (const [at, byte] of bytes.entries()) {
      if (byte === 0 && at % 64 > 0 || at % (ALL_TORTURE ? 1 : 8) > 0) continue;
      const flipped = bytes.slice();
      flipped[at] = byte ^ (1 << Math.floor(random() * 8));
      for (const damaged of at % 512 === 0 ? [flipped, bytes.subarray(0, at)] : [flipped]) {
        Deno.writeFileSync(path, damaged);
        for (const [index, rows] of (await known(root, sessions)).entries()) {
          if (rows === undefined) lost++;
          else found++;
          if (rows !== undefined) assert.deepEqual(rows, right[index], `byte ${at}`);
        }
      }
    }
    // Most of the bytes are the schema: without it nothing is found.
    assert.ok(found > lost / 4 && lost > 0, `${found} found, ${lost} lost`);
    assert.deepEqual(keep(root, sessions), right);
    assert.deepEqual(await known(root, sessions), right);
  });
});

// Slow: each round keeps usage in a file of its own.
Deno.test("P10 a session counts the same whether usage is kept or read, and whoever else is asked", async () => {
  const random = seededRandom(7);
  for (let round = 0; round < roundsOf(40, 8); round++) {
    await withSessions(IDS, async (folder, sessions) => {
      const read = sessions.map(() =>
        usageIn(Array.from({ length: random.below(30) }, () => {
          const key = random.below(5) === 0
            ? undefined
            : `m${random.below(25)}\n${random.below(2)}`;
          return response(key, random.below(4), random.below(6) === 0 ? { sidechain: true } : {});
        }))
      );
      const asked = async (some: readonly number[], is_kept: boolean): Promise<unknown> => {
        using table = new UsageTable(is_kept ? { folder, now: LATER } : {});
        const found = await table.lookUp(
          some.map((index) => ({ session: sessions[index] as AgentSession })),
        );
        const all = found.map(({ session, files, facts }, place) => {
          const usage = facts ?? read[some[place] ?? 0] as ReadUsage;
          return { session, usage, read: files };
        });
        return table.sums(all, 900)
          .map((sums = []) => sums.map((sum) => ({ ...sum, session: 0, digest: 0 })));
      };
      for (const some of [[0, 1], [0, 1, 2, 3], [3, 1], [2], [1, 0, 3]]) {
        assert.deepEqual(await asked(some, true), await asked(some, false));
        assert.deepEqual(await asked(some, true), await asked(some, false));
      }
    });
  }
});
