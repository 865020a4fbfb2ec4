/** Reads from a compaction's boundary which earlier records it preserves. */
import { asList, asName, asObject } from "../../../reading/json_value.ts";
import type { Boundary } from "./record_index.ts";

/** Reads the record of a boundary. */
export function boundaryOf(value: Readonly<Record<string, unknown>>): Boundary {
  const { preservedSegment, preservedMessages } = asObject(value.compactMetadata);
  const segment = asObject(preservedSegment);
  const messages = asObject(preservedMessages);
  const ids = asList(messages.uuids).flatMap((id) => asName(id) ?? []);
  const names = {
    logical_parent_id: asName(value.logicalParentUuid),
    anchor_id: asName(messages.anchorUuid) ?? asName(segment.anchorUuid),
    head_id: asName(segment.headUuid),
    tail_id: asName(segment.tailUuid),
    ids: ids.length === 0 ? undefined : ids,
  };
  const boundary: Boundary = {};
  for (const [name, id] of Object.entries(names)) {
    if (id !== undefined) Object.assign(boundary, { [name]: id });
  }
  return boundary;
}
