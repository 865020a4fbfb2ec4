/** The items of a thread of the TypeScript CLI. */
import { asList, asObject } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";

/**
 * Returns the items of a document of before 2025-09, as a rollout holds them: `{session: {timestamp,
 * id, instructions}, items: [...]}` (codex-cli/src/utils/storage/save-rollout.ts).
 */
export function documentItems([document]: readonly SourceRecord[]): SourceRecord[] {
  const { session, items } = document?.value ?? {};
  if (document === undefined || session === undefined) return [];
  const position = { ...document.position, length: 0 };
  return [
    { ...document, value: { ...asObject(session) } },
    ...asList(items).map((item) => ({ ...document, position, value: { ...asObject(item) } })),
  ];
}
