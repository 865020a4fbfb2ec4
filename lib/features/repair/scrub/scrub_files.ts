/** Scrubs the files of a session in memory, one by one, after learning secrets from all files. */
import { createHmac, randomBytes } from "node:crypto";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { type RedactionFinding, Redactor } from "../../../text/redaction/redactor.ts";
import { SecretCounts } from "../../../text/redaction/secret_counts.ts";
import type {
  CopyFolder,
  ScrubbedBytes,
  ScrubbedFile,
} from "../../../library/machine/kept/scrubbed_copies.ts";
import { describeSource, isImportLog } from "./import_head.ts";
import type { ScrubValue } from "./scrub_bytes.ts";
import { learnRows, type ScrubbedRows, scrubRows } from "./scrub_database.ts";
import { bytesOf, infoOf, scrubFile, scrubOf } from "./scrubbed_file.ts";
import type { SessionPlaces } from "./session_places.ts";

export interface FileSecrets {
  path: string;
  /** Number of different secrets by kind. */
  kinds: Record<string, number>;
}

export interface Scrubbed extends FileSecrets {
  file: ScrubbedFile;
  bytes: Uint8Array;
  /** Paths of files to remove, because the scrubbed file makes them needless. */
  removed?: string[];
}

/** Makes a redactor. Its placeholders have four digits of a hash, whose key is not stored. */
function newRedactor(report: (finding: RedactionFinding) => void): Redactor {
  const key = randomBytes(32);
  return new Redactor({ report }, {
    placeholder(kind, secret): string {
      const hash = createHmac("sha256", key).update(secret).digest("hex").slice(0, 4);
      return `[scrubbed:${kind}:${hash}]`;
    },
    every_form: true,
  });
}

/** Returns the files of a session in the order in which they are replaced. */
export function filesOf({ folders, lists, originals }: SessionPlaces): ScrubbedFile[] {
  return [...folders.flatMap(({ files }) => files), ...lists, ...originals];
}

export interface ScrubbedAll {
  files: FileSecrets[];
  counts: SecretCounts;
  redactor: Redactor;
  linked: string[];
  /**
   * Changes of the session's rows. Absent if the session is in no database that can be scrubbed.
   */
  rows?: ScrubbedRows;
}

export async function scrubAll(
  handle: SessionHandle,
  places: SessionPlaces,
  onScrubbed: (scrubbed: Scrubbed) => void,
): Promise<ScrubbedAll> {
  let [counts, of_file] = [new SecretCounts(), new SecretCounts()];
  const redactor = newRedactor((finding) => [counts, of_file].forEach((one) => one.add(finding)));
  const groups = new Map(
    places.folders.flatMap((one) => one.files.map((file) => [file.path, one])),
  );
  const all = filesOf(places)
    .filter((file) => file.read !== undefined || infoOf(file.path) !== undefined);
  const learning = {
    full: (value: unknown): unknown => (redactor.observeValue(value), value),
    known: (value: unknown): unknown => value,
  };
  for (const file of all) {
    scrubFile(file, await bytesOf(file), scrubOf(file, handle.id, learning));
  }
  const { database } = places;
  if (database !== undefined) learnRows(database, learning.full);
  for await (const { events } of handle.allEvents({ all_branches: true })) {
    for (const event of events) redactor.observe(event);
  }
  const replacing = {
    full: (value: unknown): unknown => redactor.value(value, ""),
    known: (value: unknown): unknown => redactor.known(value, ""),
  };
  const describe = await sourceOf(handle, all, replacing);
  counts = new SecretCounts();
  const result: ScrubbedAll = { files: [], counts, redactor, linked: [] };
  const done = new Map<CopyFolder, Map<string, ScrubbedBytes>>();
  for (const [index, file] of all.entries()) {
    of_file = new SecretCounts();
    const replace = scrubOf(file, handle.id, replacing);
    const scrub: ScrubValue = isImportLog(file) ? (value) => describe(replace(value)) : replace;
    const scrubbed = scrubFile(file, await bytesOf(file), scrub);
    const folder = groups.get(file.path);
    if (scrubbed !== undefined) {
      const { kinds } = of_file;
      const one = { file, path: file.path, kinds, bytes: scrubbed.bytes };
      // An import without secrets changes in its head alone.
      if (Object.keys(kinds).length > 0) {
        result.files.push({ path: file.path, kinds });
        if ((infoOf(file.path)?.nlink ?? 1) > 1) result.linked.push(file.path);
      }
      if (folder !== undefined) {
        done.set(folder, (done.get(folder) ?? new Map()).set(file.path, scrubbed));
      }
      onScrubbed(one);
    }
    // The manifest comes after the copies that it describes, and before the originals.
    const next = all[index + 1];
    const scrubbed_copies = folder && done.get(folder);
    if (folder === undefined || scrubbed_copies === undefined) continue;
    if (next !== undefined && groups.get(next.path) === folder) continue;
    // A packed copy may be stored as the difference to a changed copy, so all copies become plain.
    for (const packed of folder.files.filter((one) => one.read && !scrubbed_copies.has(one.path))) {
      const bytes = await bytesOf(packed);
      scrubbed_copies.set(packed.path, { bytes, offset: (at) => at });
      onScrubbed({ file: packed, path: packed.path, kinds: {}, bytes });
    }
    const finished = folder.finish(scrubbed_copies);
    const { group = "" } = file;
    if (finished !== undefined) {
      onScrubbed({ ...finished, file: { path: finished.path, shared: false, group }, kinds: {} });
    }
  }
  if (database !== undefined) {
    of_file = new SecretCounts();
    result.rows = scrubRows(database, replacing);
    const { kinds } = of_file;
    if (result.rows.changes.length > 0) result.files.push({ path: database.path, kinds });
  }
  return result;
}

/** Returns a function that updates the main file's size and hash where an import recorded them. */
async function sourceOf(
  { id, path }: SessionHandle,
  all: readonly ScrubbedFile[],
  replacing: Parameters<typeof scrubOf>[2],
): Promise<ScrubValue> {
  const main = all.find((file) => file.path === path);
  const bytes = main && all.some(isImportLog) ? await bytesOf(main) : undefined;
  const scrubbed = main && bytes && scrubFile(main, bytes, scrubOf(main, id, replacing));
  return bytes && scrubbed ? describeSource(bytes, scrubbed) : (value) => value;
}
