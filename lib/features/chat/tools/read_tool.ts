/**
 * The tool that reads a file.
 *
 * @module
 */
import { counted } from "../../../core/event/counted.ts";
import { present } from "../../../core/event/present.ts";
import { open, stat } from "../../../core/platform/files.ts";
import { type CalledFile, fileTool, notRead } from "./file_tool.ts";
import type { ChatTool, ToolOutcome } from "./tool.ts";
import { InvalidInput, optionalCount } from "./tool_input.ts";

const MAX_LINES = 2000;
const MAX_CHARACTERS = 60_000;
const MAX_LINE = 2000;

export function readTool(): ChatTool {
  return fileTool({
    name: "read",
    description: "Reads a text file and numbers its lines. Returns a long file in parts: to read " +
      "the next part, give offset.",
    properties: {
      offset: { type: "integer", minimum: 1, description: "First line to read (default: 1)" },
      limit: {
        type: "integer",
        minimum: 1,
        description: `Number of lines to read (default: ${MAX_LINES})`,
      },
    },
    required: [],
    verb: "reads",
    only_reads: true,
    run,
  });
}

async function run(
  input: unknown,
  { path, shown }: CalledFile,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const first = optionalCount(input, "offset", { least: 1, most: Infinity, otherwise: 1 });
  const count = optionalCount(input, "limit", {
    least: 1,
    most: MAX_LINES,
    otherwise: MAX_LINES,
  });
  const { isFile } = await stat(path).catch((error) => notRead(error, shown));
  // A pipe or a device may never end.
  if (!isFile) throw new InvalidInput(`Cannot read file: it is not a regular file: ${shown}`);
  const page = new Page({ first, last: first + count - 1 });
  for await (const text of textsOf(path, shown, signal)) {
    if (text.includes("\0")) throw new InvalidInput(`Cannot read file: it is binary: ${shown}`);
    if (!page.add(text)) break;
  }
  return page.outcome();
}

const BLOCK_BYTES = 64 * 1024;

/** Yields a file's text in pieces, each read only when needed. A stream would read ahead. */
async function* textsOf(path: string, shown: string, signal: AbortSignal): AsyncGenerator<string> {
  using file = await open(path).catch((error) => notRead(error, shown));
  const decoder = new TextDecoder();
  const block = new Uint8Array(BLOCK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const count = await file.read(block);
    if (count === null) break;
    yield decoder.decode(block.subarray(0, count), { stream: true });
  }
  yield decoder.decode();
}

/** Collects a range of a file's lines, up to the output's limit. */
class Page {
  readonly #first: number;
  readonly #last: number;
  #number = 1;
  #line = "";
  #cut = false;
  #output = "";
  #more = false;

  constructor({ first, last }: { first: number; last: number }) {
    this.#first = first;
    this.#last = last;
  }

  /** Adds text to the page. Returns false once the page is complete. */
  add(text: string): boolean {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      this.#extend(text.slice(from, at));
      this.#end();
      from = at + 1;
      this.#more = this.#isFull() && from < text.length;
      if (this.#more) return false;
    }
    this.#extend(text.slice(from));
    this.#more = this.#isFull() && this.#line !== "";
    return !this.#more;
  }

  outcome(): ToolOutcome {
    if (!this.#more && this.#line !== "") this.#end();
    const read = this.#number - 1;
    if (read < this.#first && !(read === 0 && this.#first === 1)) {
      throw new InvalidInput(
        `Cannot read line ${this.#first}: the file has only ${counted(read, "line")}`,
      );
    }
    const truncated = this.#cut || undefined;
    if (!this.#more) return present({ status: "ok", output: this.#output, truncated });
    const hint = `[more follows: continue with offset ${this.#number}]\n`;
    return { status: "ok", output: this.#output + hint, truncated: true };
  }

  #isFull(): boolean {
    return this.#number > this.#last || this.#output.length >= MAX_CHARACTERS;
  }

  #extend(text: string): void {
    if (this.#number < this.#first) {
      // Checks only if the file has any line.
      this.#line ||= text.slice(0, 1);
      return;
    }
    const room = MAX_LINE - this.#line.length;
    this.#line += text.slice(0, room);
    if (text.length > room) this.#cut = true;
  }

  #end(): void {
    if (this.#number >= this.#first && !this.#isFull()) {
      const line = this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line;
      // The cut may leave half a character.
      this.#output += `${this.#number}\t${line.toWellFormed()}\n`;
    }
    this.#line = "";
    this.#number++;
  }
}
