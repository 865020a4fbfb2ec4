/** A place of objects in memory, for tests that bring it into many states. */
import { type ObjectStore, objectTooLarge } from "../../lib/features/team/objects/object_store.ts";

interface KeptObject {
  bytes: Uint8Array;
  tag: string;
}

/** Objects by key. A copy of it is cheap. */
export class MemoryObjects implements ObjectStore {
  readonly #objects: Map<string, KeptObject>;
  #tags = 0;

  /** @param from The objects that it begins with */
  constructor(from?: MemoryObjects) {
    this.#objects = new Map(from === undefined ? [] : from.#objects);
    this.#tags = from === undefined ? 0 : from.#tags;
  }

  get keys(): string[] {
    return [...this.#objects.keys()];
  }

  /** True if a text is in any object, as it is. */
  holds(text: string): boolean {
    const decoder = new TextDecoder();
    return [...this.#objects.values()].some(({ bytes }) => decoder.decode(bytes).includes(text));
  }

  async *list(prefix: string): ReturnType<ObjectStore["list"]> {
    yield await Promise.resolve(
      [...this.#objects].filter(([key]) => key.startsWith(prefix))
        .map(([key, { bytes, tag }]) => ({ key, size: bytes.length, tag })),
    );
  }

  async get(key: string, limit: number): Promise<KeptObject | undefined> {
    const found = await Promise.resolve(this.#objects.get(key));
    if (found !== undefined && found.bytes.length > limit) throw objectTooLarge(key, limit);
    return found && { ...found, bytes: found.bytes.slice() };
  }

  async put(key: string, bytes: Uint8Array, if_tag?: string | null): Promise<string | undefined> {
    const there = await Promise.resolve(this.#objects.get(key)?.tag);
    if (if_tag !== undefined && there !== (if_tag ?? undefined)) return undefined;
    const tag = `${++this.#tags}`;
    this.#objects.set(key, { bytes: bytes.slice(), tag });
    return tag;
  }

  async delete(key: string): Promise<void> {
    await Promise.resolve(this.#objects.delete(key));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
