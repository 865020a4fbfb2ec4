/**
 * Reads a file of Cline's: one JSON document, an object or a list. One that is cut is read as far as
 * it goes, because Cline writes it anew at every message.
 */
import { isDeeperThan, MAX_DEPTH } from "../../event/decode.ts";
import { readShortFile } from "../../file/short_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { asList, asObject, type Json } from "../../reading/json_value.ts";
import { keepExactMembers } from "../../reading/records/exact_members.ts";
import { parseJsonPrefix } from "../../reading/records/head_records.ts";
import type { RecordSink } from "../../reading/records/source_record.ts";
import { count } from "../../source/source_account.ts";

const LARGEST_DOCUMENT = 256 * 1024 * 1024;
const decoder = new TextDecoder();

/** The parts of a document. */
export interface TaskDocument {
  /** Its messages. A list is nothing else. */
  messages: readonly Json[];
  /** Its other members. */
  head: Json;
  length: number;
  /** True if it was cut. */
  salvaged: boolean;
}

/**
 * Reads a document, and counts its bytes.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readTaskDocument(path: string, { report, account }: RecordSink = {}): TaskDocument {
  const bytes = readBytes(path);
  const { length } = bytes;
  const text = decoder.decode(bytes);
  const find = (code: "malformed-line" | "torn-tail" | "too-deep", detail: string): void => {
    count(account, "damage", length);
    report?.({ code, offset: 0, length, line: 1, detail });
  };
  // A list becomes a member, because only members keep exact numbers.
  const isList = text.trimStart().startsWith("[");
  const whole = isList ? `{"messages":${text}}` : text;
  let value = parsed(whole);
  const salvaged = value === undefined;
  if (text.trim() === "") count(account, "blank", length);
  else if (value === undefined) {
    value = parseJsonPrefix(whole);
    const cut = value !== undefined;
    find(cut ? "torn-tail" : "malformed-line", cut ? "the file is cut" : "the file is not JSON");
  } else if (isDeeperThan(value, MAX_DEPTH)) {
    find("too-deep", `the file nests more than ${MAX_DEPTH} levels`);
    value = undefined;
  } else count(account, "events", length);
  if (value !== undefined && isDeeperThan(value, MAX_DEPTH)) value = undefined;
  if (value !== undefined && !salvaged) keepExactMembers(value, whole);
  const { messages, ...head } = asObject(value);
  return { messages: asList(messages).map(asObject), head, length, salvaged };
}

function readBytes(path: string): Uint8Array {
  try {
    return readShortFile(path, LARGEST_DOCUMENT, { what: "session" });
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // SyntaxError: it is cut, or no JSON.
    return undefined;
  }
}
