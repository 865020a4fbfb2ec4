/** Runs a view on the whole screen until it has a result, and restores the terminal. */
import type { Key } from "./key.ts";
import { type ScreenListener, type ScreenTerminal, TerminalScreen } from "./terminal_screen.ts";

export interface ScreenView {
  /** Handles keys. Must ignore the keys after the one that ends the view. */
  press(keys: readonly Key[]): void;
  draw(): void;
  /** Shows the view with what has changed since it was hidden. */
  show(): void;
  /** Stops drawing until the view is shown again. */
  hide(): void;
}

export interface ViewEnd<Result> {
  finish(result: Result): void;
  fail(error: unknown): void;
}

/** Runs a view until it ends. `onEnd` gives the result if the terminal ends the view. */
export async function runScreen<Result>(
  terminal: ScreenTerminal,
  makeView: (screen: TerminalScreen, end: ViewEnd<Result>) => ScreenView,
  onEnd: (reason: Parameters<ScreenListener["onEnd"]>[0]) => Result,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let view: ScreenView | undefined;
  /** Ends at once, because later keys are for the next reader of the terminal. */
  const end = (settle: () => void): void => {
    view?.hide();
    screen.close();
    settle();
  };
  const fail = (error: unknown): void => end(() => reject(error));
  const guarded = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      fail(error);
    }
  };
  const screen = TerminalScreen.open(terminal, {
    onKeys: (keys) => guarded(() => view?.press(keys)),
    onResize: () => guarded(() => view?.draw()),
    onEnd: (reason) => end(() => resolve(onEnd(reason))),
    onError: fail,
  });
  guarded(() => {
    view = makeView(screen, { finish: (result) => end(() => resolve(result)), fail });
    view.show();
  });
  return await promise;
}
