/** Opens an age file: decodes its ASCII armor, and splits off its header. */
import { joinBytes } from "../../core/event/bytes.ts";
import { ARMOR_BEGIN, ARMOR_END, SEALED_HEAD_BYTES, sealedForm } from "./sealed_form.ts";

/**
 * Maximum bytes of a header, so that a file cannot fill memory. It is enough for 600 post-quantum
 * recipients.
 */
const MOST_HEADER_BYTES = 1024 * 1024;

interface AgeFile {
  /** The file key wrapped for each recipient, and the header's authentication code. */
  header: Uint8Array;
  whole: ReadableStream<Uint8Array>;
}

async function readFirst(
  input: ReadableStream<Uint8Array>,
  isEnough: (bytes: Uint8Array) => boolean,
): Promise<Uint8Array> {
  const reader = input.getReader();
  let first: Uint8Array = new Uint8Array(0);
  try {
    while (!isEnough(first)) {
      const { done, value } = await reader.read();
      if (done) break;
      first = joinBytes([first, value]);
    }
  } finally {
    reader.releaseLock();
  }
  return first;
}

function withFirst(
  first: Uint8Array,
  rest: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  return rest.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(first),
    }),
  );
}

const [NEWLINE, DASH] = [0x0a, 0x2d];

/**
 * Returns the length of the header, whose last line begins with three dashes. Undefined if `bytes`
 * end before the header does.
 */
function headerLength(bytes: Uint8Array): number | undefined {
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (bytes[at + 1] !== DASH || bytes[at + 2] !== DASH || bytes[at + 3] !== DASH) continue;
    const end = bytes.indexOf(NEWLINE, at + 1);
    return end < 0 ? undefined : end + 1;
  }
  return undefined;
}

/**
 * Opens an age file, binary or in ASCII armor: strict base64 in lines of 64 characters.
 *
 * @returns The header, and the whole file as binary. Undefined if the input is not an age file.
 * @throws {Error} if the header has no end.
 */
export async function openAgeFile(
  input: ReadableStream<Uint8Array>,
): Promise<AgeFile | undefined> {
  const head = await readFirst(input, ({ length }) => length >= SEALED_HEAD_BYTES);
  const form = sealedForm(head);
  if (form === undefined) return undefined;
  const given = withFirst(head, input);
  const binary = form === "armor" ? given.pipeThrough(armorStream()) : given;
  const first = await readFirst(
    binary,
    (bytes) => bytes.length > MOST_HEADER_BYTES || headerLength(bytes) !== undefined,
  );
  const length = headerLength(first);
  if (length === undefined) throw new Error("the last line of the file's header is missing");
  return { header: first.slice(0, length), whole: withFirst(first, binary) };
}

export async function wantsPassphrase(head: Uint8Array): Promise<boolean> {
  try {
    const file = await openAgeFile(new Blob([head as Uint8Array<ArrayBuffer>]).stream());
    await file?.whole.cancel();
    return new TextDecoder("latin1").decode(file?.header).includes("\n-> scrypt ");
  } catch {
    // It is damaged, or its header is long: opening it says so.
    return false;
  }
}

const COLUMNS = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

interface ArmorState {
  rest: string;
  at: "begin" | "body" | "end";
  /** True after a short or padded base64 line. No further base64 line may follow. */
  short: boolean;
}

function decoded(line: string): Uint8Array {
  return Uint8Array.from(atob(line), (character) => character.charCodeAt(0));
}

function takeLine(state: ArmorState, line: string): Uint8Array | undefined {
  if (state.at === "end") {
    if (line.trim() !== "") {
      throw new Error("there is text after the END line of the encrypted text");
    }
    return undefined;
  }
  if (state.at === "begin") {
    if (line !== ARMOR_BEGIN) throw new Error("the BEGIN line of the encrypted text is missing");
    state.at = "body";
    return undefined;
  }
  if (line === ARMOR_END) {
    state.at = "end";
    return undefined;
  }
  if (state.short || line === "" || line.length > COLUMNS || !BASE64.test(line)) {
    throw new Error("a line of the encrypted text is not base64, or does not have 64 characters");
  }
  state.short = line.length < COLUMNS || line.endsWith("=");
  return decoded(line);
}

/** Decodes ASCII armor to an age file's bytes. The stream errors if the armor is cut or invalid. */
function armorStream(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder("latin1");
  const state: ArmorState = { rest: "", at: "begin", short: false };
  function take(text: string): Uint8Array {
    const lines = (state.rest + text).split("\n");
    state.rest = lines.pop() ?? "";
    if (state.rest.length > 2 * COLUMNS && state.at !== "end") {
      throw new Error("a line of the encrypted text is too long");
    }
    const parts = lines.map((line) => takeLine(state, line.replace(/\r$/, "")));
    return joinBytes(parts.filter((part) => part !== undefined));
  }
  return new TransformStream({
    transform(chunk, controller): void {
      const bytes = take(decoder.decode(chunk, { stream: true }));
      if (bytes.length > 0) controller.enqueue(bytes);
    },
    flush(controller): void {
      const bytes = take(state.rest === "" ? "" : "\n");
      if (bytes.length > 0) controller.enqueue(bytes);
      if (state.at !== "end") throw new Error("the END line of the encrypted text is missing");
    },
  });
}
