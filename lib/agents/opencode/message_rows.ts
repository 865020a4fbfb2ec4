/** Reads the messages of a session as rows, up to the message to which the user reverted. */
import type { AgentSession } from "../contract/agent.ts";
import { count, countSide } from "../contract/source_account.ts";
import type { RecordSink } from "../engine/records/source_record.ts";
import type { SessionRow, SessionRows } from "../engine/sources/row_source.ts";
import { isFrame } from "./message_events.ts";
import { openSession } from "./store/open_session.ts";
import type { OpenCodeSession, StoredMessage } from "./stored_session.ts";

export interface WholeSession extends AgentSession {
  with_reverted?: boolean;
}

/** Approximate bytes of a message or a part whose size is unknown. */
const PART_BYTES = 1024;

/**
 * Opens a session as rows. Row 0 is its info, and each other row is a message.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function openRows(session: WholeSession): SessionRows {
  const records = openSession(session);
  const { info, unit } = records;
  const revert = session.with_reverted ? undefined : info.revert?.message_id;
  const reverted = revert === undefined ? undefined : records.indexOf(revert);
  return {
    unit,
    count: records.count + 1,
    at(number, sink): SessionRow | undefined {
      if (number === 0) return { value: { info }, weight: info.weight, size: 0 };
      const index = number - 1;
      const message = records.load(index, sink);
      if (message === undefined) return undefined;
      const live = reverted === undefined || index < reverted
        ? message
        : index === reverted
        ? beforeRevert(records, message)
        : undefined;
      countMessage(sink, message, live);
      if (live === undefined) return undefined;
      const { size = PART_BYTES * (live.parts.length + 1) } = live;
      return { value: { message: live }, weight: 0, size };
    },
    countRest: (sink) => records.countRest(sink),
    [Symbol.dispose]: () => records[Symbol.dispose](),
  };
}

/**
 * Returns the message with the parts before `revert.partID`, or undefined without a `partID`. The
 * next prompt deletes everything after this point (1.18.34, session/revert.ts, `cleanup`).
 */
function beforeRevert(
  { info }: OpenCodeSession,
  message: StoredMessage,
): StoredMessage | undefined {
  const { part_id } = info.revert ?? {};
  if (part_id === undefined) return undefined;
  const at = message.parts.findIndex(({ id }) => id === part_id);
  return at < 0 ? message : { ...message, parts: message.parts.slice(0, at) };
}

function countMessage(
  { account }: RecordSink,
  { weight, parts }: StoredMessage,
  live: StoredMessage | undefined,
): void {
  count(account, live === undefined ? "dead" : "events", weight);
  const kept = live?.parts.length ?? 0;
  for (const [index, part] of parts.entries()) {
    if (part.weight === 0) continue;
    if (index >= kept) count(account, "dead", part.weight);
    else if (isFrame(part)) countSide(account, `part/${part.data.type}`, part.weight);
    else count(account, "events", part.weight);
  }
}
