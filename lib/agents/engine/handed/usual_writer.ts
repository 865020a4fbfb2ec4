/** Members that most session writers share. */
import type { SessionWriter } from "../../contract/session_writer.ts";
import { hexDigits } from "./written_ids.ts";

const TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * Random ids, and a test for the image types that models accept. Other types make requests fail.
 */
export const USUAL_WRITER = {
  newSessionId: () => crypto.randomUUID(),
  newCallId: () => `call_${hexDigits(24)}`,
  takesImage: (media_type: string) => TYPES.has(media_type),
} satisfies Partial<SessionWriter>;
