import type { BlockOptions } from "./block.ts";
import type { Reminders } from "./reminders.ts";

/** What a block depends on: what was asked for, and what came before. */
export interface BlockContext extends BlockOptions {
  reminders: Reminders;
}
