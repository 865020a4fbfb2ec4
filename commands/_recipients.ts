/** Recipients of encrypted files, as people type and configure them. */
import { SessionError } from "../lib/event/session_error.ts";
import { UsageError } from "./_failure.ts";

/** The recipients in a setting, with spaces or commas between them. */
export function splitRecipients(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== "");
}

/**
 * Checks recipients.
 *
 * @throws {UsageError} that names the one that is none
 */
export async function checkedRecipients(texts: readonly string[]): Promise<string[]> {
  const { checkRecipients } = await import("../lib/seal/keys.ts");
  try {
    return await checkRecipients(texts);
  } catch (error) {
    throw error instanceof SessionError ? new UsageError(error.message) : error;
  }
}
