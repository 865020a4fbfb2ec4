/** Appends a line to a file of an agent, and removes the line again. */
import { Buffer } from "node:buffer";
import { dirname } from "node:path";
import { readShortFile, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { openOrMakeOwnFile } from "../../core/log/own_file.ts";
import { readAt } from "../../core/log/read_whole.ts";
import { replaceFile } from "../../core/log/replace_file.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import { chmodSync, removeSync, statSync } from "../../core/platform/files.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import { makeDirectories } from "../../core/store/create_log.ts";

export interface AppendedLine {
  /** Absolute path of the file that got the line. */
  path: string;
  /** The added text: the line with its newline, and a newline first if the file lacked one. */
  text: string;
  /** True if the file was missing or empty before the line was added. */
  made: boolean;
}

const LF = 0x0a;

/** Appends a line in one write. Adds a newline before it if the file does not end with one. */
export function appendToFile(path: string, line: string): AppendedLine {
  makeDirectories(dirname(path));
  using file = openOrMakeOwnFile(path, { append: true, read: true });
  const { size } = file.statSync();
  const [last = LF] = size === 0 ? [] : readAt(file, size - 1, new Uint8Array(1));
  const own = line.endsWith("\n") ? line : `${line}\n`;
  const text = last === LF ? own : `\n${own}`;
  writeWhole(file, new TextEncoder().encode(text));
  file.syncDataSync();
  return { path, text, made: size === 0 };
}

/** Removes an added line if it is still the last one. Returns false if other lines follow it. */
export function removeLastLine({ path, text }: AppendedLine): boolean {
  const own = new TextEncoder().encode(text);
  using file = openOrMakeOwnFile(path, { read: true, write: true });
  const at = file.statSync().size - own.length;
  const is_last = at >= 0 && Buffer.from(readAt(file, at, new Uint8Array(own.length))).equals(own);
  if (is_last) file.truncateSync(at);
  return is_last;
}

/** Removes an added line if it is still there. Deletes the file if adding the line created it. */
export function removeLine({ path, text, made }: AppendedLine): void {
  try {
    const now = Buffer.from(readShortFile(path, RECORDS_BYTES));
    const at = now.lastIndexOf(text);
    const rest = now.subarray(at + Buffer.byteLength(text));
    if (at < 0) return;
    // The newline before the removed line stays if other lines follow.
    const between = rest.length > 0 && text.startsWith("\n") ? "\n" : "";
    const left = Buffer.concat([now.subarray(0, at), Buffer.from(between), rest]);
    if (left.length === 0 && made) removeSync(path);
    else {
      replaceFile(path, [left], (draft) => {
        chmodSync(draft, (statSync(path).mode ?? 0o600) & 0o777);
        // An agent may have added to the file meanwhile.
        return now.equals(readShortFile(path, RECORDS_BYTES));
      });
    }
  } catch (error) {
    if (!isNotFound(error)) throw toSessionError(error, "remove title", path);
  }
}
