/** Shows prompts that a person typed while the agent worked. */
import type { NoticePayload } from "../../../core/event/payload.ts";

export function unsentPrompt(text: string): NoticePayload {
  return { audience: "user", title: "queued, not sent", text };
}
