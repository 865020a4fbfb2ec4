/**
 * A head is an object for each machine and project. The head changes with each push, so one listing
 * shows which projects changed. Its sum shows whether all parts have arrived.
 */
import { fields, type Guard, number, text, whole } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { sumOfNames } from "./copy_parts.ts";
import { decodeDocument, encodeDocument } from "./document.ts";
import { headKey, HEADS, parseHeadKey, type ProjectPlace } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

export interface ProjectHead extends ProjectPlace {
  /** The machine's name, for people. */
  machine: string;
  /** Number of valid parts of the project's copies. */
  parts: number;
  /** Checksum of the names of the valid parts, which shows whether all have arrived. */
  sum: number;
}

const MAX_HEAD_BYTES = 64 * 1024;
const MAX_NAMES = 256 * 1024 * 1024;

const short: Guard = (value) =>
  typeof value === "string" && value !== "" && value.length <= 1000 ? undefined : "is no name";
const HEAD = fields({
  owner: short,
  device: text,
  project: short,
  machine: short,
  parts: whole(0),
  sum: number,
});

/** Lists the heads of all machines: their tags by key. Foreign files are left out. */
export async function listHeads(objects: ObjectStore): Promise<Map<string, string>> {
  const tags = new Map<string, string>();
  let listed = 0;
  for await (const page of objects.list(HEADS)) {
    for (const { key, tag } of page) {
      if (parseHeadKey(key) !== undefined) tags.set(key, tag);
      listed += key.length + tag.length;
    }
    if (listed > MAX_NAMES) {
      const reason = "the store has more machines and projects than fit in memory";
      throw new SessionError("too-large", `Cannot use the store: ${reason}`);
    }
  }
  return tags;
}

/** Reads a head; undefined if it is missing, torn, or not the head that its key names. */
export async function readHead(
  objects: ObjectStore,
  key: string,
): Promise<ProjectHead | undefined> {
  const found = await objects.get(key, MAX_HEAD_BYTES);
  const value = found && decodeDocument(found.bytes);
  if (HEAD(value) !== undefined) return undefined;
  const head = value as ProjectHead;
  return headKey(head) === key ? head : undefined;
}

/** Writes the head of a project. @param names The names of all valid parts. */
export async function writeHead(
  objects: ObjectStore,
  place: ProjectPlace & Pick<ProjectHead, "machine">,
  names: Iterable<string>,
): Promise<void> {
  const { owner, device, project, machine } = place;
  const { parts, sum } = sumOfNames(names);
  const head: ProjectHead = { owner, device, project, machine, parts, sum };
  const key = headKey(head);
  await objects.put(key, encodeDocument(head, await sizeOf(objects, key)));
}

/** Returns the size of a head in bytes. Returns 0 if the head is missing or too large to be one. */
async function sizeOf(objects: ObjectStore, key: string): Promise<number> {
  try {
    return (await objects.get(key, MAX_HEAD_BYTES))?.bytes.length ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === "too-large") return 0;
    throw error;
  }
}
