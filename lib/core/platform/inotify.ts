/**
 * Tells what changes in single folders under Linux, by inotify itself. Deno's watcher opens each
 * path before it reports the path, so one named pipe blocks the watcher for ever. Inotify opens
 * nothing.
 */
import type { EntryListener, FolderWatch } from "./tree_watch.ts";

const LIBRARY = "libc.so.6";
const SYMBOLS = {
  inotify_init1: { parameters: ["i32"], result: "i32" },
  inotify_add_watch: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  inotify_rm_watch: { parameters: ["i32", "i32"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

/** IN_NONBLOCK and IN_CLOEXEC. */
const OPEN_FLAGS = 0o2004000;
/** MODIFY, ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE, ONLYDIR (only folders). */
const MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x01000000;
/** The notices about names: MOVED_FROM, MOVED_TO, CREATE and DELETE. */
const NAMES = 0x40 | 0x80 | 0x100 | 0x200;
const OVERFLOW = 0x4000;
/** The notice that the kernel dropped a watch, because its folder is gone (IN_IGNORED). */
const ENDED = 0x8000;
const EVENT_BYTES = 16;
const BUFFER_BYTES = 64 * 1024;
const BUFFER_SIZE = BigInt(BUFFER_BYTES);

/**
 * Returns a queue of notices about changes in folders. Undefined if inotify cannot be called.
 *
 * @param take_ms Milliseconds between two reads of the queue.
 */
export function openInotify(take_ms: number): Inotify | undefined {
  // If the permission is not granted, a request for it would stop the program with a question.
  if (Deno.permissions.querySync({ name: "ffi", path: LIBRARY }).state !== "granted") {
    return undefined;
  }
  try {
    return new Inotify(take_ms);
  } catch {
    // The C library is another one, or there are too many instances of inotify.
    return undefined;
  }
}

export class Inotify {
  readonly #library = Deno.dlopen(LIBRARY, SYMBOLS);
  readonly #queue: number;
  readonly #listeners = new Map<number, EntryListener>();
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(take_ms: number) {
    this.#queue = this.#library.symbols.inotify_init1(OPEN_FLAGS);
    if (this.#queue < 0) {
      this.#library.close();
      throw new Error("the system does not support inotify");
    }
    this.#timer = setInterval(() => this.take(), take_ms);
  }

  watch(folder: string, listener: EntryListener): FolderWatch {
    const { inotify_add_watch, inotify_rm_watch } = this.#library.symbols;
    const watch = inotify_add_watch(this.#queue, new TextEncoder().encode(`${folder}\0`), MASK);
    if (watch < 0) throw new Error("the system's limit for watched folders is reached");
    this.#listeners.set(watch, listener);
    return {
      close: () => {
        // Another path to the same folder took this watch over.
        if (this.#listeners.get(watch) !== listener) return;
        this.#listeners.delete(watch);
        inotify_rm_watch(this.#queue, watch);
      },
    };
  }

  /** Calls the listeners for all notices since the last call. */
  take(): void {
    for (;;) {
      const count = Number(this.#library.symbols.read(this.#queue, this.#buffer, BUFFER_SIZE));
      if (count <= 0) return;
      for (const { watch, mask, name } of eventsIn(this.#buffer.subarray(0, count))) {
        if ((mask & OVERFLOW) !== 0) {
          for (const { onLost } of [...this.#listeners.values()]) onLost();
          continue;
        }
        const listener = this.#listeners.get(watch);
        if ((mask & ENDED) !== 0) {
          this.#listeners.delete(watch);
          listener?.onEnd();
        } else if (name !== "") listener?.onEntry(name, (mask & NAMES) !== 0);
      }
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#library.symbols.close(this.#queue);
    this.#library.close();
  }
}

function* eventsIn(bytes: Uint8Array): Generator<{ watch: number; mask: number; name: string }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + EVENT_BYTES <= bytes.length;) {
    const length = view.getUint32(at + 12, true);
    const name = bytes.subarray(at + EVENT_BYTES, at + EVENT_BYTES + length);
    const end = name.indexOf(0);
    yield {
      watch: view.getInt32(at, true),
      mask: view.getUint32(at + 4, true),
      name: new TextDecoder().decode(end < 0 ? name : name.subarray(0, end)),
    };
    at += EVENT_BYTES + length;
  }
}
