/** Lists the copies that a machine sent. */
import { type CopyPart, parsePart } from "./copy_parts.ts";
import {
  deviceCopies,
  type DevicePlace,
  parseCopyKey,
  projectCopies,
  type ProjectPlace,
} from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

export interface ListedCopy {
  /** The hash of the project's name, from `hashedName`. */
  project: string;
  session: string;
  parts: CopyPart[];
  /** The keys of files that are no parts, such as conflict copies and torn parts. */
  others: string[];
}

export async function listCopies(
  objects: ObjectStore,
  place: DevicePlace | ProjectPlace,
): Promise<ListedCopy[]> {
  const prefix = deviceCopies(place);
  const found = new Map<string, ListedCopy>();
  for await (const page of objects.list("project" in place ? projectCopies(place) : prefix)) {
    for (const { key, size } of page) {
      const named = parseCopyKey(key.slice(prefix.length));
      if (named === undefined) continue;
      const { project, session } = named;
      const name = `${project}/${session}`;
      const copy = found.get(name) ?? { project, session, parts: [], others: [] };
      found.set(name, copy);
      const part = parsePart(named.part);
      // A part of another length has not arrived whole.
      if (part?.size === size) copy.parts.push(part);
      else copy.others.push(key);
    }
  }
  return [...found.values()];
}
