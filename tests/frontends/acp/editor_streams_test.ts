import assert from "node:assert/strict";
import {
  EditorStreams,
  LineLimit,
  OutputQueue,
} from "../../../lib/frontends/acp/editor_streams.ts";

const BIG = 300 * 1024;

/** An editor that reads when it is told to. */
class SlowEditor {
  readonly got: string[] = [];
  #read = Promise.withResolvers<void>();

  async send(bytes: Uint8Array): Promise<void> {
    await this.#read.promise;
    this.got.push(new TextDecoder().decode(bytes));
  }

  read(): void {
    this.#read.resolve();
  }

  hangUp(): void {
    this.#read.reject(new Error("gone"));
  }
}

function queueTo(editor: SlowEditor): OutputQueue {
  return new OutputQueue((bytes) => editor.send(bytes));
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** True if it comes to an end while the editor reads nothing. */
async function ends(task: Promise<unknown>): Promise<boolean> {
  const late = new Promise<string>((done) => setTimeout(() => done("late"), 20));
  return await Promise.race([task, late]) !== "late";
}

Deno.test("sends output at once and in order while the editor reads", async () => {
  const editor = new SlowEditor();
  const queue = queueTo(editor);
  for (const text of ["a", "b", "c"]) await queue.write(bytesOf(text));
  editor.read();
  await queue.drained();
  assert.deepEqual(editor.got, ["a", "bc"]);
  await queue.write(bytesOf("d"));
  await queue.drained();
  assert.deepEqual(editor.got.join(""), "abcd");
});

Deno.test("a writer waits for an editor that does not read", async () => {
  const editor = new SlowEditor();
  const queue = queueTo(editor);
  await queue.write(bytesOf("first"));
  const second = queue.write(new Uint8Array(BIG));
  assert.equal(await ends(second), false);
  editor.read();
  await second;
  await queue.drained();
  assert.equal(editor.got.join("").length, 5 + BIG);
});

Deno.test("stops waiting for an editor that has gone or was left", async () => {
  for (const end of ["hangUp", "leave"] as const) {
    const editor = new SlowEditor();
    const queue = queueTo(editor);
    await queue.write(bytesOf("first"));
    const second = queue.write(new Uint8Array(BIG));
    if (end === "leave") queue.leave();
    else editor.hangUp();
    await assert.rejects(second);
    await assert.rejects(queue.write(bytesOf("third")));
    await queue.drained();
    editor.read();
  }
});

Deno.test("an editor that reads nothing more is left after a while, one that reads is not", async () => {
  const queue = queueTo(new SlowEditor());
  await queue.write(bytesOf("first"));
  await queue.leaveAfter(5);
  await assert.rejects(queue.write(bytesOf("second")), /has ended/);
  const reading = new SlowEditor();
  reading.read();
  const other = queueTo(reading);
  await other.write(bytesOf("first"));
  await other.drained();
  assert.equal(await ends(other.leaveAfter(5)), false);
  await other.write(bytesOf("second"));
  other.leave();
});

Deno.test("reads no more input from an editor that does not read", async () => {
  const editor = new SlowEditor();
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const streams = new EditorStreams({
    input: input.readable,
    send: (bytes) => editor.send(bytes),
  });
  const output = streams.output.getWriter();
  const writes = [output.write(bytesOf("first")), output.write(new Uint8Array(BIG))];
  await writes[0];
  const reader = streams.input.getReader();
  const asked = input.writable.getWriter();
  const sent = asked.write(bytesOf("request"));
  const read = reader.read();
  assert.equal(await ends(read), false);
  editor.read();
  assert.deepEqual((await read).value, bytesOf("request"));
  await Promise.all([...writes, sent]);
  const [end] = await Promise.all([reader.read(), asked.close()]);
  assert.equal(end.done, true);
  streams.leave();
});

/** Passes a text through the limit in pieces. */
function passed(text: string, size: number): string {
  const limit = new LineLimit(8);
  const bytes = new TextEncoder().encode(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(...limit.take(bytes.subarray(at, at + size)));
  }
  return parts.map((part) => new TextDecoder().decode(part)).join("");
}

Deno.test("lines that fit are passed on as they are, however they come", () => {
  const text = "\n1234567\n\n12\nrest";
  for (let size = 1; size <= text.length; size++) assert.equal(passed(text, size), text);
});

Deno.test("a line that is too long is cut, is no JSON, and hides no other", () => {
  const text = `{}\n"${"x".repeat(30)}"\n[]\n`;
  for (let size = 1; size <= text.length; size++) {
    const lines = passed(text, size).split("\n");
    assert.deepEqual([lines.length, lines[0], lines[2], lines[3]], [4, "{}", "[]", ""]);
    assert.ok((lines[1] ?? "").length <= 9);
    assert.throws(() => JSON.parse(lines[1] ?? ""), SyntaxError);
  }
});
