/**
 * Finds what travelled with the calls of a session that was handed over. It is the key `reprise` in
 * the metadata of a tool part. A long one is read again when it is asked for.
 */
import type { AgentSession } from "../../../source/agent.ts";
import { asName, asObject } from "../../../reading/json_value.ts";
import { openSession } from "../store/open_session.ts";
import type { Fields, StoredMessage, StoredPart } from "../stored_session.ts";

/** Characters of JSON of one message's calls. */
const MOST_HELD = 4096;

/** What is known of a call: its key, or the message that has it. */
type Travelled = { reprise: unknown } | { index: number };

/**
 * Reads a session, and returns what the record of a call says under the key.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function handedOriginals(session: AgentSession): (call_id: string) => unknown {
  const found = new Map<string, Travelled>();
  {
    using records = openSession(session);
    for (let index = 0; index < records.count; index++) {
      const message = records.load(index);
      for (const [id, own] of originalsOf(message)) {
        const is_short = JSON.stringify(own).length <= MOST_HELD;
        found.set(id, is_short ? { reprise: own } : { index });
      }
      // What was handed over stands before all that was made here.
      if (message?.parts.some(isOwnCall)) break;
    }
  }
  return (call_id) => {
    const known = found.get(call_id);
    if (known === undefined || "reprise" in known) return known?.reprise;
    using records = openSession(session);
    return originalsOf(records.load(known.index)).get(call_id);
  };
}

function isOwnCall({ data }: StoredPart): boolean {
  return data.type === "tool" && travelledWith(data) === undefined;
}

function travelledWith({ state }: Fields): unknown {
  return asObject(asObject(state).metadata).reprise;
}

function originalsOf(message: StoredMessage | undefined): Map<string, unknown> {
  const calls = new Map<string, unknown>();
  for (const { id, data } of message?.parts ?? []) {
    const own = travelledWith(data);
    if (data.type === "tool" && own !== undefined) calls.set(asName(data.callID) ?? id, own);
  }
  return calls;
}
