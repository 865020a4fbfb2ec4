/**
 * Writes the compressed form of a copy, and restores the copy from it. `zstd -d` can read the form
 * of a whole copy. A difference to a base copy begins with a line of JSON, its list of steps. The
 * bytes that the base lacks follow. Each step says how many of these bytes come next, and which
 * bytes of the base come then.
 */
import { createHash } from "node:crypto";
import { SessionError } from "../../core/event/session_error.ts";
import { openOwnFile } from "../../core/log/own_file.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import type { CopyDifference, DifferenceStep } from "./copy_difference.ts";
import { piecesOf } from "./source_file.ts";
import { heldPieces, readZstd } from "./zstd_file.ts";

/** Maximum bytes of a difference's list of steps, enough for a step at every chunk of 8 GB. */
const MOST_STEPS_BYTES = 64 * 1024 * 1024;

export async function* differencePieces(
  file: OpenFile,
  { steps }: CopyDifference,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`${JSON.stringify(steps)}\n`);
  let at = 0;
  for (const [own_bytes, , length] of steps) {
    yield* heldPieces(file, at, at + own_bytes, signal);
    at += own_bytes + length;
  }
}

/**
 * @param base Path of the copy to which the form is a difference; undefined if the form is whole.
 * @returns SHA-256 of the restored bytes.
 * @throws {SessionError} `damaged`, `not-found`, `permission`, `io`
 */
export async function readPacked(
  path: string,
  base: string | undefined,
  write: (bytes: Uint8Array) => void = () => {},
): Promise<string> {
  const hash = createHash("sha256");
  const put = (bytes: Uint8Array): void => {
    hash.update(bytes);
    write(bytes);
  };
  if (base === undefined) {
    for await (const bytes of readZstd(path)) put(bytes);
    return hash.digest("hex");
  }
  using opened = openOwnFile(base, { read: true });
  await using reader = new DifferenceReader(path);
  for (const [own_bytes, from, length] of await reader.steps()) {
    for await (const bytes of reader.take(own_bytes)) put(bytes);
    for (const bytes of piecesOf(opened, from, from + length)) put(bytes);
  }
  return hash.digest("hex");
}

class DifferenceReader implements AsyncDisposable {
  readonly #path: string;
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(path: string) {
    this.#path = path;
    this.#chunks = readZstd(path);
  }

  async steps(): Promise<DifferenceStep[]> {
    const line: Uint8Array[] = [];
    let length = 0;
    while (length < MOST_STEPS_BYTES && await this.#fill()) {
      const end = this.#rest.indexOf(0x0a);
      const part = end < 0 ? this.#rest : this.#rest.subarray(0, end);
      line.push(part);
      length += part.length;
      this.#rest = this.#rest.subarray(end < 0 ? part.length : end + 1);
      if (end >= 0) return this.#parse(line);
    }
    throw this.#damaged();
  }

  async #parse(line: readonly Uint8Array[]): Promise<DifferenceStep[]> {
    try {
      const steps = JSON.parse(await new Blob(line as Uint8Array<ArrayBuffer>[]).text());
      if (Array.isArray(steps) && steps.every(isStep)) return steps;
    } catch {
      // No JSON.
    }
    throw this.#damaged();
  }

  async *take(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0;) {
      if (!await this.#fill()) throw this.#damaged();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return(undefined);
  }

  #damaged(): SessionError {
    const message = "Cannot decompress file: the file is damaged, because the sizes of its " +
      "parts do not match: " +
      `${this.#path}`;
    return new SessionError("damaged", message, { path: this.#path });
  }
}

function isStep(value: unknown): value is DifferenceStep {
  return Array.isArray(value) && value.length === 3 &&
    value.every((one) => Number.isSafeInteger(one) && one >= 0);
}
