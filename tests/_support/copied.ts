/** The bytes that a session's copy has, as it is shared. */
import { Buffer } from "node:buffer";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { copyChunks, surveySession } from "../../lib/features/team/push/copy_of_session.ts";

/** Makes the copy of a session. */
export async function copied(handle: SessionHandle): Promise<string> {
  const survey = await surveySession(handle, await handle.summary());
  const chunks: Uint8Array[] = [];
  for await (const chunk of copyChunks(survey)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
