/** The bytes that a session's copy has, as it is shared. */
import { Buffer } from "node:buffer";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { copyChunks, surveySession } from "../../lib/features/team/push/copy_of_session.ts";

/** Makes the copy of a session. @param rewrite Takes out this machine's paths. @default {none} */
export async function copied(
  handle: SessionHandle,
  rewrite: (text: string) => string = (text) => text,
): Promise<string> {
  const survey = await surveySession(handle, await handle.summary(), rewrite);
  const chunks: Uint8Array[] = [];
  for await (const chunk of copyChunks(survey)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
