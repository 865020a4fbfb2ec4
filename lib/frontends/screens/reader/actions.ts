/** The actions of keys that do not move the view. Each action returns a message. */
import { Buffer } from "node:buffer";
import type { Summary } from "../../../core/projection/summary_row.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { isFileThere } from "../../../core/file/presence.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { counted } from "../../../core/event/counted.ts";
import { inputPath } from "../../../text/render/input_summary.ts";
import type { TerminalScreen } from "../../ui/terminal_screen.ts";
import { sessionDirectory, sessionFilePath } from "../../../core/workspace/session_directory.ts";
import type { HitPlace, ScreenSettings } from "../screen.ts";
import type { ReaderDrawing } from "../item_drawing.ts";
import type { ReaderView } from "./reader_view.ts";

export interface FilePlace {
  path: string;
  /** Number of the line, from 1. */
  line: number;
}

export interface ReaderActions {
  export(session: SessionHandle, path: string, thread: string | undefined): Promise<string>;
  /** Sets the session's tags, separated by commas or spaces. */
  tag(session: SessionHandle, tags: string): Promise<string>;
  /** Pins the session, or unpins it if it is pinned. */
  pin(session: SessionHandle): Promise<string>;
  /** Hides the session from lists. */
  archive(session: SessionHandle): Promise<string>;
  edit(session: SessionHandle, screen: TerminalScreen, file: FilePlace): Promise<string>;
  /** Continues the session in its own agent. */
  resume(session: SessionHandle, screen: TerminalScreen): Promise<string>;
  /** Continues the session in another agent. */
  hand_over(session: SessionHandle, screen: TerminalScreen): Promise<string>;
}

export interface SessionReaderOptions {
  settings: ScreenSettings;
  actions: ReaderActions;
  screen: TerminalScreen;
  drawing: ReaderDrawing;
  session: SessionHandle;
  /** The hit to show when the session opens. @default {the end} */
  at?: HitPlace | undefined;
  /** The session's summary. It is read again after a change of the tags or the pin. */
  row: Summary;
  directory: string;
  /** Called when the user leaves the session. With `quit`, the program is to end. */
  onLeave: (quit: boolean) => void;
  onError: (error: unknown) => void;
}

/** Copies the selected block, or its code or command, to the clipboard of the terminal. */
export async function copyBlock(
  { drawing, screen }: SessionReaderOptions,
  view: ReaderView,
  part: "text" | "code",
): Promise<string> {
  const item = await view.rows.item(view.current);
  if (item === undefined) return "";
  const text = part === "code" ? drawing.itemCode(item) : drawing.itemText(item);
  if (text === "") return `This block has no ${part === "code" ? "code or command" : "text"}`;
  const encoded = Buffer.from(text).toString("base64");
  screen.send(`\x1b]52;c;${encoded}\x07`);
  return `Copied ${counted(text.length, "character")} to the clipboard`;
}

export async function editFile(
  { actions, session, screen, row }: SessionReaderOptions,
  { rows, current }: ReaderView,
): Promise<string> {
  const item = await rows.item(current);
  const file = fileOf(await rows.changeOf(current, item) ?? item);
  if (file === undefined) {
    return "This block does not change a file. To expand the block, press Enter.";
  }
  const path = sessionDirectory(sessionFilePath(file.path, row.cwd))?.local;
  if (path === undefined || !isFileThere(path)) {
    return `Cannot open ${file.path}: the file is not on this machine`;
  }
  return await actions.edit(session, screen, { ...file, path });
}

function fileOf(item: TranscriptItem | undefined): FilePlace | undefined {
  if (item?.type === "diff" && item.path !== undefined) {
    const changed = item.lines.find(({ kind }) => kind === "added" || kind === "removed");
    return { path: item.path, line: changed?.new ?? changed?.old ?? 1 };
  }
  const path = item?.type === "tool" ? inputPath(item.input) : undefined;
  return typeof path === "string" ? { path, line: 1 } : undefined;
}

/** Waits for `marking`, then reads the session's row again. Returns the message of `marking`. */
export async function marked(
  options: SessionReaderOptions,
  marking: Promise<string>,
): Promise<string> {
  const message = await marking;
  options.row = await options.session.summary();
  return message;
}

export function toggleMouse({ screen }: SessionReaderOptions): string {
  screen.mouse = !screen.mouse;
  return screen.mouse ? "The mouse wheel scrolls" : "The mouse selects text";
}

export async function promptFor(
  key: "ask_export" | "ask_tags",
  session: SessionHandle,
): Promise<{ mode: "export" | "tags"; input: string }> {
  if (key === "ask_export") return { mode: "export", input: exportName(session.id) };
  const { tags = [] } = await session.summary();
  return { mode: "tags", input: tags.join(" ") };
}

export function exportName(id: string): string {
  return `${id.replace(/[^\w.-]+/g, "-").slice(0, 40)}.html`;
}
