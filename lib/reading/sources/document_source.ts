/** A file that is one JSON document, as a source of one record. */
import { readJsonDocument } from "../records/json_document.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { RecordSource } from "./record_source.ts";

/** Makes the source of a document. Its end cannot be read by itself, and nothing stands behind it. */
export function documentSource(path: string): RecordSource {
  return {
    async *read(options = {}, from): AsyncGenerator<SourceRecord[]> {
      if (from === undefined) yield await Promise.resolve(readJsonDocument(path, options));
    },
  };
}
