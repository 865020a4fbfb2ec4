import assert from "node:assert/strict";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/keys.ts";
import { openSealed, openSealedBytes } from "../../../lib/text/seal/open_sealed.ts";
import { sealBytes, sealTo } from "../../../lib/text/seal/seal.ts";
import { isSealed } from "../../../lib/text/seal/sealed_form.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { roundsOf } from "../../_support/few_rounds.ts";

/** Bytes of plain text in a chunk of the format. */
const CHUNK = 64 * 1024;

const identity = await makeIdentity();
const OWN = { identities: [identity] };
const recipients = [await recipientOf(identity)];

function randomBytes(count: number, random: () => number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
}

/** A stream of bytes in pieces of random lengths. */
function inPieces(bytes: Uint8Array, random: () => number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller): void {
      if (at >= bytes.length) return controller.close();
      const length = 1 + Math.floor(random() * 3 * CHUNK);
      controller.enqueue(bytes.slice(at, at + length));
      at += length;
    },
  });
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(
    await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>)
      .arrayBuffer(),
  );
}

Deno.test("sealed bytes open, whatever their length and their chunks", async () => {
  const random = mulberry32(74);
  const near = [0, 1, 2].flatMap((chunks) => [-1, 0, 1].map((more) => chunks * CHUNK + more));
  const some = Array.from({ length: roundsOf(16) }, () => Math.floor(random() * 4 * CHUNK));
  for (const length of [...near.filter((one) => one >= 0), ...some]) {
    const bytes = randomBytes(length, random);
    const sealed = await collect(inPieces(bytes, random).pipeThrough(await sealTo({ recipients })));
    assert.ok(isSealed(sealed), `${length}`);
    const opened = await collect(
      inPieces(sealed, random).pipeThrough(openSealed(OWN)),
    );
    assert.deepEqual(opened, bytes, `${length}`);
  }
});

Deno.test("each of several recipients opens it, and no other key does", async () => {
  const identities = await Promise.all([makeIdentity(), makeIdentity({ post_quantum: true })]);
  const bytes = new TextEncoder().encode("for two");
  const sealed = await sealBytes(bytes, {
    recipients: await Promise.all(identities.map(recipientOf)),
  });
  for (const one of identities) {
    assert.deepEqual(await openSealedBytes(sealed, { identities: [one] }), bytes);
  }
  const both = { identities: [identity, identities[1] ?? ""] };
  assert.deepEqual(await openSealedBytes(sealed, both), bytes);
  await assert.rejects(openSealedBytes(sealed, { identities: [identity], path: "a.age" }), {
    code: "encrypted",
    message:
      "Cannot decrypt: the file is encrypted for another key, so this identity (private key) cannot decrypt it: a.age",
  });
});

Deno.test("a sealed file shows its size and the number of its recipients", async () => {
  const keys = await Promise.all(
    [1, 2, 3].map(async () => await recipientOf(await makeIdentity())),
  );
  const bytes = new TextEncoder().encode("x".repeat(5000));
  for (const count of [1, 2, 3]) {
    const options = { recipients: keys.slice(0, count) };
    const short = await sealBytes(bytes.slice(1000), options);
    const long = await sealBytes(bytes, options);
    assert.equal(long.length, short.length + 1000);
    const [header = ""] = new TextDecoder("latin1").decode(long).split("\n---");
    assert.equal(header.match(/^-> /gm)?.length, count);
  }
});

Deno.test("a passphrase opens what it sealed, a wrong one does not", async () => {
  const bytes = new TextEncoder().encode("words");
  const sealed = await sealBytes(bytes, { passphrase: "correct horse", work_factor: 4 });
  assert.deepEqual(await openSealedBytes(sealed, { passphrase: "correct horse" }), bytes);
  await assert.rejects(openSealedBytes(sealed, { passphrase: "battery" }), {
    code: "encrypted",
    message: "Cannot decrypt: the passphrase is wrong",
  });
  await assert.rejects(openSealedBytes(sealed, OWN), {
    code: "encrypted",
    message: "Cannot decrypt: the file is encrypted with a passphrase",
  });
});

Deno.test("a passphrase that costs more than 2^20 is not tried", async () => {
  const sealed = await sealBytes(new Uint8Array(3), { passphrase: "words", work_factor: 2 });
  const [head = "", ...rest] = new TextDecoder("latin1").decode(sealed).split(" 2\n");
  const costly = Uint8Array.from(`${head} 21\n${rest.join(" 2\n")}`, (one) => one.charCodeAt(0));
  await assert.rejects(openSealedBytes(costly, { passphrase: "words" }), {
    code: "encrypted",
    message:
      "Cannot decrypt: checking the passphrase would take too long; decrypt the file with: age -d",
  });
});

Deno.test("a file without a key to try says that it is encrypted", async () => {
  const sealed = await sealBytes(new Uint8Array(3), { recipients });
  await assert.rejects(openSealedBytes(sealed, {}), {
    code: "encrypted",
    message: "Cannot decrypt: the file is encrypted; give --identity FILE, or set REPRISE_IDENTITY",
  });
});

/** Reads a stream to its end or its error. */
async function readPart(
  stream: ReadableStream<Uint8Array>,
): Promise<{ count: number; error?: unknown }> {
  let count = 0;
  try {
    for await (const bytes of stream) count += bytes.length;
    return { count };
  } catch (error) {
    return { count, error };
  }
}

Deno.test("a file that was cut off anywhere is an error, and its part a beginning", async () => {
  const random = mulberry32(7);
  const bytes = randomBytes(2 * CHUNK + 100, random);
  const sealed = await sealBytes(bytes, { recipients });
  const head = sealed.length - 3 * 16 - bytes.length;
  const near = [0, 1, head - 1, head, head + 16, head + CHUNK + 16, head + 2 * (CHUNK + 16)];
  const cuts = Array.from({ length: roundsOf(60) }, () => Math.floor(random() * sealed.length));
  for (const cut of [...near, sealed.length - 1, ...cuts]) {
    const source = inPieces(sealed.subarray(0, cut), random);
    const read = await readPart(source.pipeThrough(openSealed(OWN)));
    assert.ok(read.error instanceof Error, `${cut}`);
    const { code } = read.error as Error & { code?: string };
    assert.equal(code, cut < 34 ? "unsupported-source" : "damaged", `${cut}: ${read.error}`);
    assert.ok(read.count % CHUNK === 0, `${cut}: ${read.count}`);
  }
});

Deno.test("a byte that was changed anywhere is noticed", async () => {
  const random = mulberry32(8);
  const bytes = randomBytes(CHUNK + 1000, random);
  const sealed = await sealBytes(bytes, { recipients });
  const head = sealed.length - 2 * 16 - bytes.length;
  const places = Array.from({ length: roundsOf(60) }, () => Math.floor(random() * sealed.length));
  const every = Array.from({ length: head }, (_, place) => place);
  for (const place of [...every, head + CHUNK, head + CHUNK + 16, sealed.length - 1, ...places]) {
    const changed = Uint8Array.from(sealed);
    changed[place] = (changed[place] ?? 0) ^ (1 << Math.floor(random() * 8));
    const { error } = await readPart(
      inPieces(changed, random).pipeThrough(openSealed(OWN)),
    );
    const { code = "" } = error as { code?: string };
    const codes = ["damaged", "encrypted", "unsupported-source"];
    assert.ok(codes.includes(code), `${place}: ${error}`);
    if (place >= head) assert.equal(code, "damaged", `${place}`);
  }
});

Deno.test("chunks that change places are noticed, and so are bytes behind the end", async () => {
  const bytes = new Uint8Array(3 * CHUNK);
  const sealed = await sealBytes(bytes, { recipients });
  const head = sealed.length - 3 * (CHUNK + 16);
  const chunk = (index: number): Uint8Array =>
    sealed.subarray(head + index * (CHUNK + 16), head + (index + 1) * (CHUNK + 16));
  const swapped = Uint8Array.from(sealed);
  swapped.set(chunk(1), head);
  swapped.set(chunk(0), head + CHUNK + 16);
  const repeated = new Uint8Array([...sealed, ...chunk(2)]);
  for (const wrong of [swapped, repeated, new Uint8Array([...sealed, 10])]) {
    await assert.rejects(openSealedBytes(wrong, OWN), { code: "damaged" });
  }
});

Deno.test("a file that is no age file is not decrypted", async () => {
  const bytes = new TextEncoder().encode('{"seq":1,"kind":"session_start"}\n'.repeat(3));
  await assert.rejects(openSealedBytes(bytes, { identities: [identity], path: "a" }), {
    code: "unsupported-source",
    message: "Cannot decrypt: the file is not encrypted with age: a",
  });
  assert.ok(!isSealed(bytes));
});

Deno.test("a header without an end is given up before it fills the memory", async () => {
  const head = new TextEncoder().encode("age-encryption.org/v1\n");
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller): void {
      controller.enqueue(sent === 0 ? head : new Uint8Array(CHUNK).fill(0x41));
      sent++;
    },
  });
  const { error } = await readPart(endless.pipeThrough(openSealed(OWN)));
  assert.equal((error as { code?: string }).code, "damaged");
  assert.ok(sent < 30, `${sent}`);
});

Deno.test("a source is closed when reading stops, and when its bytes do not open", async () => {
  const sealed = await sealBytes(new Uint8Array(10 * CHUNK), { recipients });
  function closing(bytes: Uint8Array): { readable: ReadableStream<Uint8Array>; closed: boolean } {
    let at = 0;
    const source = {
      closed: false,
      readable: new ReadableStream<Uint8Array>({
        pull(controller): void {
          controller.enqueue(bytes.slice(at, at + 1000));
          at += 1000;
        },
        cancel(): void {
          source.closed = true;
        },
      }),
    };
    return source;
  }
  const left = closing(sealed);
  for await (const _ of left.readable.pipeThrough(openSealed(OWN))) break;
  assert.ok(left.closed);
  for (const place of [100, 5000]) {
    const changed = Uint8Array.from(sealed);
    changed[place] = (changed[place] ?? 0) ^ 1;
    const source = closing(changed);
    const opened = source.readable.pipeThrough(openSealed(OWN));
    assert.ok((await readPart(opened)).error instanceof Error);
    await new Promise((resolve) => setTimeout(resolve));
    assert.ok(source.closed, `${place}`);
  }
});

Deno.test("an error of the source passes as it is", async () => {
  const failure = new Error("the disk is gone");
  for (const through of [openSealed(OWN), await sealTo({ recipients })]) {
    const failing = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(failure),
    });
    assert.equal((await readPart(failing.pipeThrough(through))).error, failure);
  }
});
