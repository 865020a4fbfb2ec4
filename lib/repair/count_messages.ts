/** Counts the messages of a conversation, as the reader of its agent gives them. */
import { basename, join } from "node:path";
import { makeTempDirSync, removeSync } from "../platform/files.ts";
import { openReader } from "../library/registry.ts";
import { SessionHandle } from "../library/session_handle.ts";
import type { AgentSession } from "../source/agent.ts";
import { writeBytes } from "./write_bytes.ts";

/** Counts the messages of a session. */
export async function countMessages(session: AgentSession): Promise<number> {
  const handle = new SessionHandle(await openReader(session), undefined);
  let count = 0;
  for await (const messages of handle.messages()) count += messages.length;
  return count;
}

/** Counts the messages that a session would have if its file had these bytes. */
export async function countMessagesOf(
  session: AgentSession,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const folder = makeTempDirSync({ prefix: "reprise-repair-" });
  try {
    const path = join(folder, basename(session.path));
    const { bytes: length } = await writeBytes(path, bytes, "keep a copy to count its messages");
    return length === 0 ? 0 : await countMessages({ ...session, path });
  } finally {
    removeSync(folder, { recursive: true });
  }
}
