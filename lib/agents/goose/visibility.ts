/**
 * Tells the audience of a message: `metadata` of a message, `{userVisible, agentVisible, …}`, both
 * true where nothing is said (conversation/message.rs, `MessageMetadata`).
 */
import { parseCell } from "../../reading/sqlite/json_cell.ts";
import { asObject } from "../../reading/json_value.ts";
import type { Visibility } from "./goose_entry.ts";

/** Takes the visibility from metadata, as an object or as the JSON of one. */
export function visibilityOf(metadata: unknown): Visibility {
  const { userVisible, agentVisible } = asObject(objectOf(metadata));
  return { agent: agentVisible !== false, user: userVisible !== false };
}

function objectOf(metadata: unknown): unknown {
  if (typeof metadata !== "string") return metadata;
  const parsed = parseCell(metadata);
  // Metadata that cannot be read is as good as none: session_manager.rs, `get_conversation`.
  return "value" in parsed ? parsed.value : {};
}

/** True if one of user and model gets a message, and the other does not. */
export function isOneSided({ agent, user }: Visibility): boolean {
  return agent !== user;
}
