/** A server that answers without end: it is stopped before it fills the memory. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { openDatabase } from "../../../../lib/features/team/postgres/database_store.ts";
import { connect } from "../../../../lib/features/team/postgres/connect.ts";

const MIB = 1024 * 1024;

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function concatenated(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

function number(value: number, bytes: 2 | 4 = 4): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 2) view.setUint16(0, value);
  else view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}

/** A message of the protocol, which may announce more than it has. */
function message(type: string, body: Uint8Array, announced = body.length): Uint8Array {
  return concatenated(bytesOf(type), number(announced + 4), body);
}

const READY = message("Z", bytesOf("I"));
const WELCOME = concatenated(message("R", number(0)), READY);
const BEGUN = concatenated(message("1", new Uint8Array()), message("2", new Uint8Array()));

/** The columns of an answer, of which the last one may have another type than text. */
function columns(names: readonly string[], last = 25): Uint8Array {
  const fields = names.map((name, at) =>
    concatenated(
      bytesOf(`${name}\0`),
      ...[
        number(0),
        number(0, 2),
        number(at === names.length - 1 ? last : 25),
        number(0xffff, 2),
        number(0),
        number(0, 2),
      ],
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
  /** The answer to each further question. */
  then?: Uint8Array;
  again?: Uint8Array;
  /** True where it is the answer to the greeting. */
  early?: boolean;
}

/** Runs a test against a server that answers each question so; gives the bytes that it could send. */
async function withServer(
  { first, then, again, early = false }: Answer,
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
    while (then !== undefined && await socket.read(buffer) !== null) await write(then);
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

async function open(url: string): Promise<void> {
  const { objects } = await openDatabase(url);
  await objects[Symbol.asyncDispose]();
}

/** The greeting's row: a name, and no older schema. */
const ADA = message(
  "D",
  concatenated(number(2, 2), number(3), bytesOf("ada"), number(0xffffffff)),
);

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
  "notices": {
    first: BEGUN,
    again: message("N", concatenated(bytesOf("M"), TEXT, number(0, 2))),
  },
  "settings, before the first question": {
    early: true,
    first: message("R", number(0)),
    again: message("S", concatenated(bytesOf("a\0"), TEXT, number(0, 2))),
  },
};

// Slow: each answer goes on up to its bound of some megabytes.
Deno.test("an answer without end stops with one typed error, after a few megabytes", async (test) => {
  for (const [name, answer] of Object.entries(ENDLESS)) {
    await test.step(name, async () => {
      const before = Deno.memoryUsage().rss;
      const sent = await withServer(answer, async (url) => {
        await assert.rejects(open(url), {
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

const END = concatenated(message("C", bytesOf("SELECT 1\0")), READY);

const GREETING = concatenated(BEGUN, columns(["owner", "old"]), ADA, END);

/** Texts, as an answer has them. */
function texts(...values: readonly string[]): Uint8Array {
  return row(...values.map((value) => bytesOf(value)));
}

/** What a server says instead of who is connected. */
const STRANGE: Record<string, Uint8Array> = {
  "no row": BEGUN,
  "a row without the value": concatenated(BEGUN, columns(["other"]), texts("ada")),
  "no name": concatenated(BEGUN, columns(["owner"], 23), texts("7")),
};

Deno.test("an answer of another shape is one typed error", async (test) => {
  for (const [name, answer] of Object.entries(STRANGE)) {
    await test.step(name, async () => {
      await withServer({ first: concatenated(answer, END) }, async (url) => {
        await assert.rejects(open(url), (error: Error & { code?: string }) => {
          assert.equal(error.name, "SessionError");
          assert.ok(["damaged", "unreachable"].includes(error.code ?? ""), error.code);
          return true;
        });
      });
    });
  }
});

/** A page of a list, after each question. */
function page(...rows: readonly Uint8Array[]): Uint8Array {
  return concatenated(BEGUN, columns(["key", "size", "tag"]), ...rows, END);
}

const LISTS: Record<string, Uint8Array> = {
  "a key elsewhere": page(texts("w1/a", "1", "t")),
  "a key above the prefix": page(texts("v1/../x", "1", "t")),
  "the keys in another order": page(texts("v1/b", "1", "t"), texts("v1/a", "1", "t")),
  "a key twice": page(texts("v1/b", "1", "t"), texts("v1/b", "1", "t")),
  "a size that is none": page(texts("v1/b", "-1", "t")),
  "no tag": concatenated(BEGUN, columns(["key", "size"]), texts("v1/b", "1"), END),
};

Deno.test("a list without sense is one typed error, and ends", async (test) => {
  for (const [name, answer] of Object.entries(LISTS)) {
    await test.step(name, async () => {
      await withServer({ first: GREETING, then: answer }, async (url) => {
        const { objects } = await openDatabase(url);
        await using _closed = objects;
        await assert.rejects(Array.fromAsync(objects.list("v1/b")), { code: "damaged" });
      });
    });
  }
});

Deno.test("an object longer than its limit is refused", async () => {
  const object = texts("k", "t", `\\x${"61".repeat(9)}`);
  const answer = concatenated(BEGUN, columns(["key", "tag", "bytes"], 17), object, END);
  await withServer({ first: GREETING, then: answer }, async (url) => {
    const { objects } = await openDatabase(url);
    await using _closed = objects;
    await assert.rejects(objects.get("k", 8), { code: "too-large" });
  });
});

Deno.test("a long list and a long line are within the bounds", async () => {
  const many = concatenated(
    ...[BEGUN, columns(["value"]), ...Array.from({ length: 6 }, () => row(TEXT))],
    ...[message("C", bytesOf("SELECT 6\0")), READY],
  );
  await withServer({ first: many }, async (url) => {
    await using connection = await connect(url);
    const bounds = { rows: 6, bytes: 7 * MIB };
    const rows = await connection.rows<{ value: string }>("ask", "select", [1], bounds);
    assert.deepEqual([rows.length, rows[5]?.value.length], [6, MIB]);
  });
});
