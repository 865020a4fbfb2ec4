/** The full-screen program: a list of sessions, and a reader of the chosen session. */
import { SessionError } from "../../core/event/session_error.ts";
import { sessionOf } from "../../library/query/query.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { directoryText } from "../../text/render/path_text.ts";
import type { Key } from "../ui/key.ts";
import { runScreen, type ScreenView, type ViewEnd } from "../ui/run_screen.ts";
import type { ScreenTerminal, TerminalScreen } from "../ui/terminal_screen.ts";
import type { ReaderActions } from "./reader/actions.ts";
import type { InteractiveReader } from "./reader/interactive_reader.ts";
import type { HitPlace, ListListener, ScreenSettings, SessionChooser } from "./screen.ts";

type BrowserEnd = "left" | "interrupted" | "terminated";

export interface BrowserOptions {
  settings: ScreenSettings;
  actions: ReaderActions;
  makeList(screen: TerminalScreen, listener: ListListener): SessionChooser;
}

export async function browseSessions(
  terminal: ScreenTerminal,
  options: BrowserOptions,
): Promise<BrowserEnd> {
  return await runScreen<BrowserEnd>(
    terminal,
    (screen, end) => new Browser(options, screen, end),
    (reason) => reason === "interrupted" ? reason : "terminated",
  );
}

class Browser implements ScreenView {
  readonly #options: BrowserOptions;
  readonly #screen: TerminalScreen;
  readonly #end: ViewEnd<BrowserEnd>;
  readonly #list: SessionChooser;
  #reader: InteractiveReader | undefined;

  constructor(options: BrowserOptions, screen: TerminalScreen, end: ViewEnd<BrowserEnd>) {
    this.#options = options;
    this.#screen = screen;
    this.#end = end;
    const listener: ListListener = {
      onChosen: (row, at) => {
        screen.pause();
        this.#read(row, at).catch(end.fail);
      },
      onCancelled: (interrupted = false) => end.finish(interrupted ? "interrupted" : "left"),
      onError: end.fail,
    };
    this.#list = options.makeList(screen, listener);
  }

  press(keys: readonly Key[]): void {
    (this.#reader ?? this.#list).press(keys);
  }

  draw(): void {
    (this.#reader ?? this.#list).draw();
  }

  show(): void {
    this.#list.show();
  }

  hide(): void {
    this.#list.hide();
    this.#reader?.close();
  }

  /** Shows a reader instead of the list. Reads no keys until the session is loaded. */
  async #read(row: Summary, at: HitPlace | undefined): Promise<void> {
    this.#list.hide();
    const { settings, actions } = this.#options;
    try {
      const [{ InteractiveReader }, { readerDrawing }] = await Promise.all([
        import("./reader/interactive_reader.ts"),
        import("./item_drawing.ts"),
      ]);
      const session = await settings.library.entry(sessionOf(row)).open();
      this.#reader = new InteractiveReader({
        settings,
        actions,
        screen: this.#screen,
        drawing: readerDrawing(settings, row.cwd),
        session,
        at,
        row,
        directory: row.cwd === undefined ? "" : directoryText(row.cwd, settings.home),
        onLeave: (quit) => this.#leave(quit),
        onError: this.#end.fail,
      });
      await this.#reader.open();
    } catch (error) {
      // A session that cannot be read must not end the program.
      if (!(error instanceof SessionError)) throw error;
      this.#reader?.close();
      this.#reader = undefined;
      this.#list.say(error.message);
      this.#list.show();
    } finally {
      this.#screen.goOn();
    }
  }

  #leave(quit: boolean): void {
    if (quit) return this.#end.finish("interrupted");
    this.#reader = undefined;
    this.#list.show();
  }
}
