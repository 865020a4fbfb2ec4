/** Says how many lines are shown of each kind of text. */
import type { FoldLimits } from "../fold.ts";

/** A file that was read says little by its end, a command little by its beginning. */
export const FOLDS = {
  prompt: { head: 40, tail: 10 },
  purpose: { head: 4, tail: 0 },
  command: { head: 8, tail: 2 },
  thinking: { head: 8, tail: 4 },
  reminder: { head: 3, tail: 0 },
  /** The contents of a file. */
  file: { head: 6, tail: 0 },
  /** What a command printed. */
  printed: { head: 4, tail: 8 },
  output: { head: 8, tail: 4 },
  error: { head: 20, tail: 10 },
  data: { head: 8, tail: 4 },
  summary: { head: 8, tail: 4 },
  diff: { head: 40, tail: 10 },
} as const satisfies Record<string, FoldLimits>;
