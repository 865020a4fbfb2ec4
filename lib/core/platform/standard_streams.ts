/** Standard input, output and error, and the size of their terminal. */
import type { WritableFile } from "./file_system.ts";
import { pauseSync } from "./pause.ts";
import { builtin, isDeno, nodeProcess } from "./runtime.ts";

export interface OutputStream extends WritableFile {
  isTerminal(): boolean;
  /** Writes without blocking. May write only some bytes, and resolves with their number. */
  write(bytes: Uint8Array): Promise<number>;
}

export interface InputStream {
  isTerminal(): boolean;
  setRaw(raw: boolean): void;
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export function standardInput(): InputStream {
  return isDeno ? Deno.stdin : NodeInput.instance;
}

export function standardOutput(): OutputStream {
  return isDeno ? Deno.stdout : new NodeOutput(1);
}

export function standardError(): OutputStream {
  return isDeno ? Deno.stderr : new NodeOutput(2);
}

/**
 * Returns the size of the terminal.
 *
 * @throws If there is no terminal, or the terminal does not report its size.
 */
export function consoleSize(): { columns: number; rows: number } {
  return isDeno ? Deno.consoleSize() : terminalSize();
}

/** Milliseconds between retries when a pipe is full, or has no input yet. */
const RETRY_MS = 4;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EAGAIN";
}

/** Writes standard output or error unbuffered, because buffered output would be lost at exit. */
class NodeOutput {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  isTerminal(): boolean {
    return builtin("node:tty").isatty(this.#fd);
  }

  writeSync(bytes: Uint8Array): number {
    const { writeSync } = builtin("node:fs");
    for (;;) {
      try {
        return writeSync(this.#fd, bytes);
      } catch (error) {
        // Whoever made the pipe may have made it one that does not wait.
        if (!isBusy(error)) throw error;
        pauseSync(RETRY_MS);
      }
    }
  }

  async write(bytes: Uint8Array): Promise<number> {
    for (;;) {
      try {
        return await writeOnce(this.#fd, bytes);
      } catch (error) {
        if (!isBusy(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}

function terminalSize(): { columns: number; rows: number } {
  const { isatty, WriteStream } = builtin("node:tty");
  const fd = [1, 2, 0].find((fd) => isatty(fd));
  if (fd === undefined) {
    throw new Error("Cannot find the size of the terminal: there is no terminal");
  }
  const known = fd === 1 ? nodeProcess.stdout : fd === 2 ? nodeProcess.stderr : new WriteStream(0);
  const [columns, rows] = known.getWindowSize();
  return { columns, rows };
}

class NodeInput {
  static readonly instance = new NodeInput();
  #readable: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  isTerminal(): boolean {
    return builtin("node:tty").isatty(0);
  }

  setRaw(raw: boolean): void {
    nodeProcess.stdin.setRawMode(raw);
  }

  get readable(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#readable ??= this.isTerminal() ? terminalInput() : plainInput();
  }
}

/**
 * Reads a terminal through `process.stdin`, because no other stream has a raw mode. Reads keys only
 * on demand. Then `stdin` must flow, else Node and Bun exit and notice no key.
 */
function terminalInput(): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { stdin } = nodeProcess;
  return new ReadableStream({
    pull(controller): Promise<void> {
      return new Promise((resolve) => {
        const settle = (step: () => void): void => {
          stdin.off("data", take).off("end", end).off("error", end).pause();
          step();
          resolve();
        };
        const take = (chunk: Uint8Array): void =>
          settle(() => controller.enqueue(new Uint8Array(chunk)));
        const end = (): void => settle(() => controller.close());
        stdin.on("data", take).on("end", end).on("error", end).resume();
      });
    },
  }, { highWaterMark: 0 });
}

const CHUNK_BYTES = 64 * 1024;

function plainInput(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller): Promise<void> {
      const bytes = new Uint8Array(CHUNK_BYTES);
      const count = await readInput(bytes);
      if (count === 0) controller.close();
      else controller.enqueue(bytes.subarray(0, count));
    },
  }, { highWaterMark: 0 });
}

async function readInput(bytes: Uint8Array): Promise<number> {
  for (;;) {
    try {
      return await readOnce(bytes);
    } catch (error) {
      // Windows says so at the end of a pipe.
      if ((error as { code?: string }).code === "EOF") return 0;
      if (!isBusy(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function writeOnce(fd: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    builtin("node:fs").write(fd, bytes, (error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}

function readOnce(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    builtin("node:fs").read(0, bytes, 0, bytes.length, null, (error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}
