import assert from "node:assert/strict";
import { Keyboard } from "../../../lib/frontends/ui/keyboard.ts";
import { nextTurn } from "../../../lib/core/log/next_turn.ts";
import { eventually } from "../../_support/eventually.ts";

/** A keyboard at which a test types. */
class Typist {
  readonly #pipe = new TransformStream<Uint8Array<ArrayBuffer>>();
  readonly #writer = this.#pipe.writable.getWriter();
  raw: boolean[] = [];
  text = "";
  readonly keyboard = new Keyboard({
    stdin: () => this.#pipe.readable,
    setRaw: (raw) => void this.raw.push(raw),
    stdout: { width: 40, height: 10, write: (text) => void (this.text += text) },
  });

  /** Types what a terminal hands over at once. */
  async type(text: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(text));
    for (let turns = 0; turns < 3; turns++) await nextTurn();
  }

  /** Closes the terminal. */
  async hangUp(): Promise<void> {
    await this.#writer.close();
  }
}

const NEVER = new AbortController().signal;

Deno.test("keys typed during work become the next line, except the key that stops it", async () => {
  const typist = new Typist();
  const { keyboard } = typist;
  const stopped = await keyboard.during(async (signal) => {
    await typist.type("ear");
    await typist.type("\x1a");
    await typist.type("ly\rand");
    await typist.type("\x03");
    return signal.aborted;
  });
  assert.equal(stopped, true);
  assert.deepEqual(await keyboard.line({ prompt: "> " }), {
    type: "line",
    text: "early",
    shown: "early",
  });
  const next = keyboard.line({ prompt: "> " });
  await typist.type(" more\r");
  assert.deepEqual(await next, { type: "line", text: "and more", shown: "and more" });
  keyboard.close();
  assert.deepEqual(typist.raw, [true, false]);
});

Deno.test("a key answers, also behind one that does not; what is pasted does not", async () => {
  const typist = new Typist();
  const { keyboard } = typist;
  const answered = keyboard.key(["y", "n"], NEVER);
  await typist.type("\x1b[200~y\x1b[201~");
  await typist.type("yes, do");
  await typist.type("aN");
  assert.equal(await answered, "n");
  const cancelled = keyboard.key(["y", "n"], NEVER);
  await typist.type("\x03");
  assert.equal(await cancelled, "n");
  keyboard.close();
});

Deno.test("a terminal that is gone ends the line, the question and the work", async () => {
  const typist = new Typist();
  const { keyboard } = typist;
  const line = keyboard.line({ prompt: "> " });
  await typist.hangUp();
  assert.deepEqual(await line, { type: "end" });
  await eventually(() => Promise.resolve(keyboard.gone.aborted), () => "gone");
  assert.equal(keyboard.gone.reason, "hangup");
  assert.equal(await keyboard.key(["y", "n"], NEVER), "n");
  assert.deepEqual(await keyboard.line({ prompt: "> " }), { type: "end" });
  keyboard.close();
});

Deno.test("nothing of a hidden line is shown, and it is in no history", async () => {
  const typist = new Typist();
  const { keyboard } = typist;
  const hidden = keyboard.line({ prompt: "Passphrase: ", hidden: true });
  await typist.type("secret\r");
  assert.equal((await hidden as { text: string }).text, "secret");
  assert.match(typist.text, /Passphrase: /);
  assert.doesNotMatch(typist.text, /[tc]r|sec/);
  const line = keyboard.line({ prompt: "> " });
  await typist.type("\x1b[A\r");
  assert.equal((await line as { text: string }).text, "");
  keyboard.close();
});
