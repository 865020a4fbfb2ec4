/** A server that answers without end: it is stopped before it fills the memory. */
import assert from "node:assert/strict";
import { openTeamStore } from "../../../../lib/features/team/postgres/postgres_store.ts";
import { readSegments } from "../../../../lib/features/team/postgres/stored_rows.ts";
import { connect, type Connection } from "../../../../lib/features/team/postgres/connect.ts";

const DEVICE = { id: "11111111-1111-4111-8111-111111111111", label: "laptop" };
const MIB = 1024 * 1024;

function concatenated(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function number(value: number, bytes: 2 | 4 = 4): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 2) view.setUint16(0, value);
  else view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}

/** A message of the protocol, which may announce more than it has. */
function message(type: string, body: Uint8Array, announced = body.length): Uint8Array {
  return concatenated(new TextEncoder().encode(type), number(announced + 4), body);
}

const READY = message("Z", new TextEncoder().encode("I"));
const WELCOME = concatenated(message("R", number(0)), READY);
const BEGUN = concatenated(message("1", new Uint8Array()), message("2", new Uint8Array()));

/** The columns of an answer, all of type text. */
function columns(names: readonly string[], type = 25): Uint8Array {
  const fields = names.map((name) =>
    concatenated(
      new TextEncoder().encode(`${name}\0`),
      ...[number(0), number(0, 2), number(type), number(0xffff, 2), number(0), number(0, 2)],
    )
  );
  return message("T", concatenated(number(names.length, 2), ...fields));
}

function row(...values: readonly Uint8Array[]): Uint8Array {
  const cells = values.flatMap((value) => [number(value.length), value]);
  return message("D", concatenated(number(values.length, 2), ...cells));
}

/** What a server sends to a question: a beginning, and what comes after it again and again. */
interface Answer {
  first: Uint8Array;
  again?: Uint8Array;
  /** True where it is the answer to the greeting. */
  early?: boolean;
}

/** Runs a test against a server that answers each question so; gives the bytes that it could send. */
async function withServer(
  { first, again, early = false }: Answer,
  test: (url: string) => Promise<void>,
): Promise<number> {
  let sent = 0;
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const served: [Deno.TcpConn, Promise<void>][] = [];
  async function serve(socket: Deno.TcpConn): Promise<void> {
    const buffer = new Uint8Array(65536);
    const write = async (bytes: Uint8Array): Promise<void> => {
      for (let at = 0; at < bytes.length;) at += await socket.write(bytes.subarray(at));
      sent += bytes.length;
    };
    await socket.read(buffer);
    if (!early) {
      await write(WELCOME);
      await socket.read(buffer);
    }
    await write(first);
    while (again !== undefined) await write(again);
  }
  const serving = (async () => {
    // A client that is gone ends what is written to it.
    for await (const socket of listener) served.push([socket, serve(socket).catch(() => {})]);
  })();
  try {
    const { port } = listener.addr as Deno.NetAddr;
    await test(`postgresql://ada:pw@127.0.0.1:${port}/team`);
  } finally {
    listener.close();
    await serving;
    for (const [socket, answering] of served) {
      await answering;
      socket.close();
    }
  }
  return sent;
}

async function hello(url: string): Promise<void> {
  await using store = await openTeamStore(url);
  await store.hello(DEVICE);
}

const TEXT = new Uint8Array(MIB).fill(0x61);

const ENDLESS: Record<string, Answer> = {
  "rows of a megabyte": {
    first: concatenated(BEGUN, columns(["value"])),
    again: row(TEXT),
  },
  "rows without a byte": {
    first: concatenated(BEGUN, columns([])),
    again: concatenated(...Array.from({ length: 5000 }, () => row())),
  },
  "one message of two gigabytes": {
    first: concatenated(BEGUN, message("D", new Uint8Array(), 0x7ffffff0)),
    again: TEXT,
  },
  "columns by the hundred": {
    first: concatenated(BEGUN, columns(Array.from({ length: 200 }, (_, n) => `c${n}`))),
  },
  "JSON that becomes many objects": {
    first: concatenated(BEGUN, columns(["value"], 3802)),
    again: row(new TextEncoder().encode(`[${"[],".repeat(300_000)}[]]`)),
  },
  "notices": {
    first: BEGUN,
    again: message("N", concatenated(new TextEncoder().encode("M"), TEXT, number(0, 2))),
  },
  "settings, before the first question": {
    early: true,
    first: message("R", number(0)),
    again: message("S", concatenated(new TextEncoder().encode("a\0"), TEXT, number(0, 2))),
  },
};

// Slow: each answer goes on up to its bound of some megabytes.
Deno.test("an answer without end stops with one typed error, after a few megabytes", async (test) => {
  for (const [name, answer] of Object.entries(ENDLESS)) {
    await test.step(name, async () => {
      const before = Deno.memoryUsage().rss;
      const sent = await withServer(answer, async (url) => {
        await assert.rejects(hello(url), {
          name: "SessionError",
          code: "too-large",
          message: /^Cannot use the team's store: 127\.0\.0\.1 sent /,
        });
      });
      // What the system keeps on its way is on top of the bound.
      assert.ok(sent < 40 * MIB, `${sent} bytes were taken`);
      assert.ok(Deno.memoryUsage().rss - before < 300 * MIB);
    });
  }
});

/** Answers that have the right length, and no sense. */
const STRANGE: Record<string, Uint8Array> = {
  "no row": BEGUN,
  "a row without the value": concatenated(BEGUN, columns(["other"]), row(TEXT.subarray(0, 9))),
  "a greeting that is a text": concatenated(BEGUN, columns(["value"]), row(TEXT.subarray(0, 9))),
  "JSON that is none": concatenated(BEGUN, columns(["value"], 114), row(TEXT.subarray(0, 9))),
};

Deno.test("an answer of another shape is one typed error", async (test) => {
  const end = concatenated(message("C", new TextEncoder().encode("SELECT 1\0")), READY);
  for (const [name, answer] of Object.entries(STRANGE)) {
    await test.step(name, async () => {
      await withServer({ first: concatenated(answer, end) }, async (url) => {
        await assert.rejects(hello(url), (error: Error & { code?: string }) => {
          assert.equal(error.name, "SessionError");
          assert.ok(["damaged", "unreachable"].includes(error.code ?? ""), error.code);
          return true;
        });
        await using store = await openTeamStore(url);
        await assert.rejects(store.claim([], DEVICE.id), { name: "SessionError" });
      });
    });
  }
});

Deno.test("segments in a codec that is not known, or of no range, are typed errors", async () => {
  const good = { i: 0, off: "0", len: 1, sha: "", head: "", codec: 0, bytes: new Uint8Array(1) };
  const cases = [
    [{ ...good, codec: 9 }, "unsupported-version"],
    [{ ...good, i: 7 }, "damaged"],
    [{ ...good, i: null }, "damaged"],
    [{ ...good, bytes: null }, "damaged"],
    [{ ...good, len: 0 }, "damaged"],
    [{ ...good, len: -5 }, "damaged"],
    [{ ...good, off: "-7" }, "damaged"],
  ] as const;
  for (const [given, code] of cases) {
    const connection = { rows: () => Promise.resolve([given]) } as unknown as Connection;
    const ranges = [{ owner: "ada", session: "s", n: 1, from: 0 }];
    const reading = async (): Promise<void> => {
      for await (const _ of readSegments(connection, ranges)) assert.fail("it was given");
    };
    await assert.rejects(reading(), { name: "SessionError", code });
  }
});

Deno.test("a long list and a long line are within the bounds", async () => {
  const many = concatenated(
    ...[BEGUN, columns(["value"]), ...Array.from({ length: 6 }, () => row(TEXT))],
    ...[message("C", new TextEncoder().encode("SELECT 6\0")), READY],
  );
  await withServer({ first: many }, async (url) => {
    await using connection = await connect(url);
    const bounds = { rows: 6, bytes: 7 * MIB };
    const rows = await connection.rows<{ value: string }>("ask", "select", [1], bounds);
    assert.deepEqual([rows.length, rows[5]?.value.length], [6, MIB]);
  });
});
