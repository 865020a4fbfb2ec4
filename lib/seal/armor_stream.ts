/** ASCII armor of age files, line by line: strict base64 in lines of 64 characters. */
import { joinBytes } from "../event/bytes.ts";
import { ARMOR_BEGIN, ARMOR_END } from "./sealed_form.ts";

const COLUMNS = 64;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** How far the armor was read. */
interface ArmorState {
  rest: string;
  at: "begin" | "body" | "end";
  /** True once a line was shorter than the others: it is the last one. */
  short: boolean;
}

function decoded(line: string): Uint8Array {
  return Uint8Array.from(atob(line), (character) => character.charCodeAt(0));
}

/** The bytes of one line; undefined for a line that holds none. */
function takeLine(state: ArmorState, line: string): Uint8Array | undefined {
  if (state.at === "end") {
    if (line.trim() !== "") throw new Error("text behind the armor");
    return undefined;
  }
  if (state.at === "begin") {
    if (line !== ARMOR_BEGIN) throw new Error("no beginning of armor");
    state.at = "body";
    return undefined;
  }
  if (line === ARMOR_END) {
    state.at = "end";
    return undefined;
  }
  if (state.short || line === "" || line.length > COLUMNS || !BASE64.test(line)) {
    throw new Error("a line of the armor is not base64 of 64 columns");
  }
  state.short = line.length < COLUMNS || line.endsWith("=");
  return decoded(line);
}

/** Turns ASCII armor into the bytes of the age file. It errors where the armor is cut or changed. */
export function armorStream(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder("latin1");
  const state: ArmorState = { rest: "", at: "begin", short: false };
  function take(text: string): Uint8Array {
    const lines = (state.rest + text).split("\n");
    state.rest = lines.pop() ?? "";
    if (state.rest.length > 2 * COLUMNS && state.at !== "end") {
      throw new Error("a line is too long");
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
      if (state.at !== "end") throw new Error("the end of the armor is missing");
    },
  });
}
