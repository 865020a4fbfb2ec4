/**
 * Threads of the TypeScript CLI (before 2025-09): one JSON document, `{session: {timestamp, id,
 * instructions}, items: [...]}` (codex-cli/src/utils/storage/save-rollout.ts).
 */
import { readJsonDocument } from "../../reading/records/json_document.ts";
import { asList, asObject } from "../../reading/json_value.ts";
import { count } from "../../source/source_account.ts";
import type { RecordSink, SourceRecord } from "../../reading/records/source_record.ts";

/**
 * The records of a document, as a rollout holds them: the first one carries all of its bytes.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readDocument(path: string, sink: RecordSink = {}): SourceRecord[] {
  const [document, ...more] = readJsonDocument(path, sink);
  if (document === undefined) return [];
  for (const { position: { length } } of more) count(sink.account, "events", length);
  const { session, items } = document.value;
  if (session === undefined) {
    count(sink.account, "events", document.position.length);
    return [];
  }
  const none = { ...document.position, length: 0 };
  return [
    { ...document, value: { ...asObject(session) } },
    ...asList(items).map((item) => ({ ...document, position: none, value: { ...asObject(item) } })),
  ];
}
