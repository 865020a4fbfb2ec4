/**
 * Threads of the TypeScript CLI (before 2025-09): one JSON document, `{session: {timestamp, id,
 * instructions}, items: [...]}` (codex-cli/src/utils/storage/save-rollout.ts).
 */
import { SessionError } from "../../event/session_error.ts";
import type { Report } from "../../log/diagnostic.ts";
import { toSessionError } from "../../log/io_error.ts";
import type { SourceAccount } from "../agent.ts";
import { asList, asObject } from "../json_value.ts";
import { count } from "../source_account.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";

const LARGEST_DOCUMENT = 256 * 1024 * 1024;

/** Where what is wrong goes. */
interface Sink {
  report?: Report | undefined;
  account?: SourceAccount | undefined;
}

/**
 * The records of a document, as a rollout holds them: the first one carries all of its bytes.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readDocument(path: string, sink: Sink = {}): SourceRecord[] {
  const bytes = readBytes(path);
  const position = { offset: 0, length: bytes.length, line: 1 };
  const line = { bytes: oneLine(bytes), ...position, terminated: true, oversized: false };
  const found: SourceRecord[] = [];
  parseRecords(line, found, sink);
  const [document, ...more] = found;
  if (document === undefined) return [];
  for (const { position: { length } } of more) count(sink.account, "events", length);
  const { session, items } = document.value;
  if (session === undefined) {
    count(sink.account, "events", document.position.length);
    return [];
  }
  const none = { ...position, length: 0 };
  return [
    { ...document, value: { ...asObject(session) } },
    ...asList(items).map((item) => ({ ...document, position: none, value: { ...asObject(item) } })),
  ];
}

/** A copy without newlines: between values they mean nothing, inside of one they are escaped. */
function oneLine(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte === 0x0a || byte === 0x0d ? 0x20 : byte);
}

function readBytes(path: string): Uint8Array {
  try {
    const { size, isFile } = Deno.statSync(path);
    if (isFile && size <= LARGEST_DOCUMENT) return Deno.readFileSync(path);
    const reason = isFile ? "the document is too large" : "not a file";
    const message = `Cannot read session: ${reason}: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}
