import { join } from "node:path";
import { openLibrary } from "../../../../lib/library/library.ts";
import type { SessionHandle } from "../../../../lib/library/handle/session_handle.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import { logOf } from "../../../_support/log_bytes.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

/** Returns the text of a message, or of what is attached to it; other items have none. */
export function textOf(item: TranscriptItem): string {
  return item.type === "message" || item.type === "attached" ? `${item.content}` : "";
}

/** Draws each item as its text, and an empty row. */
export const DRAWING = {
  rowsFor: () => (item: TranscriptItem) => [textOf(item), ""],
  loadColors: () => Promise.resolve(false),
  itemText: textOf,
  itemCode: () => "",
};

/** Opens a session of these events. */
export async function withSession(
  events: Parameters<typeof logOf>[0],
  run: (session: SessionHandle) => Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    const path = join(directory, "log");
    Deno.writeFileSync(path, logOf(events));
    await run(await openLibrary({ variable: () => undefined }).open(path));
  });
}
