/** Does what keys ask for beside moving in a session. Each action returns a message. */
import { Buffer } from "node:buffer";
import { counted } from "../_counted.ts";
import { writeExport } from "./export_file.ts";
import type { SessionReaderOptions } from "./reader_options.ts";
import type { SessionView } from "./session_view.ts";

/** Copies the block at the top to the terminal's clipboard. */
export async function copyBlock(
  { drawing, screen }: SessionReaderOptions,
  view: SessionView,
): Promise<string> {
  const item = await view.rows.item(view.current);
  if (item === undefined) return "";
  const text = drawing.itemText(item);
  const encoded = Buffer.from(text).toString("base64");
  screen.send(`\x1b]52;c;${encoded}\x07`);
  return `Copied ${counted(text.length, "character")} to the clipboard`;
}

/** Writes the thread on the screen to a file. */
export async function exportThread(
  { context, session: { ref } }: SessionReaderOptions,
  { thread }: SessionView,
  path: string,
): Promise<string> {
  const flags = { out: path, ...(thread === undefined ? {} : { thread }) };
  return await writeExport(context, ref, flags);
}

/** Gives the mouse to the terminal, or takes it back. */
export function toggleMouse({ screen }: SessionReaderOptions): string {
  screen.mouse = !screen.mouse;
  return screen.mouse ? "The wheel scrolls" : "The mouse selects text";
}

/** Continues the session in its own agent, or in another one; returns why it could not. */
export async function continueSession(
  { context, screen, session }: SessionReaderOptions,
  how: "resume" | "hand_over",
): Promise<string> {
  if (how === "hand_over") {
    const { handOverHere } = await import("./hand_over_here.ts");
    return await handOverHere(context, screen, session);
  }
  const { resumeHere } = await import("./resume_here.ts");
  return await resumeHere(context, screen, session);
}
