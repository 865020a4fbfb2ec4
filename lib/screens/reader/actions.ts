/** The actions of keys that do not move. Each returns a message. */
import { Buffer } from "node:buffer";
import type { Summary } from "../../projection/summary_row.ts";
import type { SessionHandle } from "../../library/session_handle.ts";
import { counted } from "../../render/counted.ts";
import type { TerminalScreen } from "../../ui/terminal_screen.ts";
import type { HitPlace, ScreenSettings } from "../screen.ts";
import type { ReaderDrawing } from "../item_drawing.ts";
import type { SessionView } from "./session_view.ts";

/** The functions of the program for the session. Each returns a message for the screen. */
export interface ReaderActions {
  /** Writes a thread of it to a file. */
  export(session: SessionHandle, path: string, thread: string | undefined): Promise<string>;
  /** Sets its tags, which stand between commas or spaces. */
  tag(session: SessionHandle, tags: string): Promise<string>;
  /** Pins it, or takes the pin back. */
  pin(session: SessionHandle): Promise<string>;
  /** Continues it in its own agent. */
  resume(session: SessionHandle, screen: TerminalScreen): Promise<string>;
  /** Continues it in another agent. */
  hand_over(session: SessionHandle, screen: TerminalScreen): Promise<string>;
}

export interface SessionReaderOptions {
  settings: ScreenSettings;
  actions: ReaderActions;
  screen: TerminalScreen;
  drawing: ReaderDrawing;
  session: SessionHandle;
  /** The place to open. @default {the end} */
  at?: HitPlace | undefined;
  /** The session's row as a list has it; read again when the user marks the session. */
  row: Summary;
  directory: string;
  /** Called when the session is left; `quit` where the program is to end. */
  onLeave: (quit: boolean) => void;
  onError: (error: unknown) => void;
}

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

/** Reads the row again once the session is marked; returns the message about the marking. */
export async function marked(
  options: SessionReaderOptions,
  marking: Promise<string>,
): Promise<string> {
  const message = await marking;
  options.row = await options.session.summary();
  return message;
}

/** Gives the mouse to the terminal, or takes it back. */
export function toggleMouse({ screen }: SessionReaderOptions): string {
  screen.mouse = !screen.mouse;
  return screen.mouse ? "The wheel scrolls" : "The mouse selects text";
}

/** Returns the line of input that a key opens, with what is proposed. */
export async function promptFor(
  key: "ask_export" | "ask_tags",
  session: SessionHandle,
): Promise<{ mode: "export" | "tags"; input: string }> {
  if (key === "ask_export") return { mode: "export", input: exportName(session.id) };
  const { tags = [] } = await session.summary();
  return { mode: "tags", input: tags.join(" ") };
}

/** Returns the name of the file that is proposed for a session. */
export function exportName(id: string): string {
  return `${id.replace(/[^\w.-]+/g, "-").slice(0, 40)}.html`;
}
