/** A file that is one JSON document, as a source of records. */
import { readJsonDocument } from "../records/json_document.ts";
import type { SourceRecord } from "../records/source_record.ts";
import { count } from "../../source/source_account.ts";
import type { RewrittenSource } from "./record_source.ts";

/**
 * Makes the source of a document, which is one record unless it is damaged.
 *
 * @param partsOf Returns the records that the document holds, each a part of it.
 */
export function documentSource(
  path: string,
  partsOf?: (document: readonly SourceRecord[]) => readonly SourceRecord[],
): RewrittenSource {
  return {
    rewritten: true,
    *read({ report, account } = {}): Generator<readonly SourceRecord[]> {
      const document = readJsonDocument(path, { report, account });
      if (partsOf === undefined) return yield document;
      for (const { position } of document) count(account, "events", position.length);
      yield partsOf(document).map((record) => ({ ...record, part: record.part ?? 0 }));
    },
  };
}
