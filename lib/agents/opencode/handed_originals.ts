/**
 * Finds what travelled with the calls of a session that was handed over. It is the key `reprise` in
 * the metadata of a tool part. A long one is read again when it is asked for.
 */
import type { AgentSession } from "../../source/agent.ts";
import { asName, asObject } from "../json_value.ts";
import { openSession } from "./store/open_session.ts";
import type { StoredMessage } from "./stored_session.ts";

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
      for (const [id, reprise] of originalsOf(records.load(index))) {
        const is_short = JSON.stringify(reprise).length <= MOST_HELD;
        found.set(id, is_short ? { reprise } : { index });
      }
    }
  }
  return (call_id) => {
    const known = found.get(call_id);
    if (known === undefined || "reprise" in known) return known?.reprise;
    using records = openSession(session);
    return originalsOf(records.load(known.index)).get(call_id);
  };
}

function originalsOf(message: StoredMessage | undefined): Map<string, unknown> {
  const calls = new Map<string, unknown>();
  for (const { id, data } of message?.parts ?? []) {
    const { reprise } = asObject(asObject(data.state).metadata);
    if (data.type === "tool" && reprise !== undefined) {
      calls.set(asName(data.callID) ?? id, reprise);
    }
  }
  return calls;
}
