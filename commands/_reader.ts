/**
 * The full-screen program: a list of sessions, and the one that is read.
 */
import type { Summary } from "../lib/projection/summary_row.ts";
import type { Key } from "../lib/ui/key.ts";
import { TerminalScreen } from "../lib/ui/terminal_screen.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { Context } from "./_context.ts";
import { STATUS } from "./_failure.ts";
import { contextTerminal } from "./_terminal.ts";
import { contextLibrary } from "./_library.ts";
import { type HitPlace, type ListListener, SessionList } from "./_picker/session_list.ts";
import type { SessionReader } from "./_reader/session_reader.ts";

/** A list of sessions on the whole screen, to which the reader comes back. */
export interface SessionChooser {
  /** Takes keys; whatever follows one that chooses is for what comes next. */
  press(keys: readonly Key[]): void;
  draw(): void;
  /** Shows it, with what has changed since it was hidden. */
  show(): void;
  /** Draws nothing, until it is shown again. */
  hide(): void;
  /** Says something, until the next key. */
  say(message: string): void;
}

/** Makes a list on a screen. */
export type MakeChooser = (screen: TerminalScreen, listener: ListListener) => SessionChooser;

/**
 * Shows the list of sessions and reads the chosen ones, until the person leaves. The terminal is as
 * before at the end, however it ends.
 *
 * @returns The exit status.
 */
export async function browseSessions(context: Context): Promise<number> {
  const makeList = await SessionList.load();
  return await readFrom(
    context,
    (screen, listener) => makeList(context, { action: "read" }, screen, listener),
    STATUS.done,
  );
}

/**
 * Shows a list and reads the sessions that are chosen in it, as {@linkcode browseSessions} does.
 *
 * @param interrupted The status after ^C in a session.
 * @returns The exit status.
 */
export async function readFrom(
  context: Context,
  makeList: MakeChooser,
  interrupted: number,
): Promise<number> {
  return await new Browser(context, makeList, interrupted).run();
}

/** The program: it ends once, with a status or an error. */
class Browser {
  readonly #context: Context;
  readonly #interrupted: number;
  readonly #done = Promise.withResolvers<number>();
  readonly #screen: TerminalScreen;
  readonly #list: SessionChooser;
  #reader: SessionReader | undefined;

  constructor(context: Context, makeList: MakeChooser, interrupted: number) {
    this.#context = context;
    this.#interrupted = interrupted;
    const onError = (error: unknown): void => this.#end(() => this.#done.reject(error));
    this.#screen = TerminalScreen.open(contextTerminal(context), {
      onKeys: (keys) => this.#try(() => this.#press(keys)),
      onResize: () => this.#try(() => this.#draw()),
      onEnd: (reason) =>
        this.#end(() =>
          this.#done.resolve(reason === "interrupted" ? interrupted : STATUS.terminated)
        ),
      onError,
    });
    this.#list = makeList(this.#screen, {
      onChosen: (row, at) => {
        this.#screen.pause();
        this.#read(row, at).catch(onError);
      },
      onCancelled: () => this.#end(() => this.#done.resolve(STATUS.done)),
      onError,
    });
  }

  async run(): Promise<number> {
    try {
      this.#try(() => this.#list.show());
      return await this.#done.promise;
    } finally {
      this.#end(() => {});
    }
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#end(() => this.#done.reject(error));
    }
  }

  /** Ends at once: whatever is typed from now on is for what comes next. */
  #end(settle: () => void): void {
    this.#list.hide();
    this.#reader?.close();
    this.#screen.close();
    settle();
  }

  #press(keys: readonly Key[]): void {
    if (this.#reader === undefined) this.#list.press(keys);
    else this.#reader.press(keys);
  }

  #draw(): void {
    if (this.#reader === undefined) this.#list.draw();
    else this.#reader.draw();
  }

  /** Reads a session in place of the list; no key is read until it is there. */
  async #read(row: Summary, at: HitPlace | undefined): Promise<void> {
    this.#list.hide();
    const context = this.#context;
    try {
      const [
        { SessionReader },
        { readerDrawing },
        { directoryText },
        { markedTitle },
      ] = await Promise.all([
        import("./_reader/session_reader.ts"),
        import("./_reader/drawing.ts"),
        import("../lib/render/directory_text.ts"),
        import("../lib/render/integrity_mark.ts"),
      ]);
      const session = await contextLibrary(context).handleOf(row);
      this.#reader = new SessionReader({
        context,
        screen: this.#screen,
        drawing: await readerDrawing(context, row.cwd),
        session,
        at,
        title: markedTitle(row.title || session.ref, row.altered),
        directory: row.cwd === undefined ? "" : directoryText(row.cwd, context.variable("HOME")),
        onLeave: (quit) => this.#leave(quit),
        onError: (error) => this.#end(() => this.#done.reject(error)),
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
    if (quit) return this.#end(() => this.#done.resolve(this.#interrupted));
    this.#reader = undefined;
    this.#list.show();
  }
}
