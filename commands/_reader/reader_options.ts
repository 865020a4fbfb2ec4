/** Names what the reader of a session is given. */
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { TerminalScreen } from "../../lib/ui/terminal_screen.ts";
import type { Context } from "../_context.ts";
import type { HitPlace } from "../_picker/session_list.ts";
import type { ReaderDrawing } from "./drawing.ts";

/** What is read, and where. */
export interface SessionReaderOptions {
  context: Context;
  screen: TerminalScreen;
  drawing: ReaderDrawing;
  session: SessionHandle;
  /** Where to begin; at the end without it. */
  at?: HitPlace | undefined;
  title: string;
  directory: string;
  /** Called when the session is left; `quit` where the program is to end. */
  onLeave: (quit: boolean) => void;
  onError: (error: unknown) => void;
}
