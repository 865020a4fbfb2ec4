/** Says the state of a call in words. */
import type { ItemStatus } from "../projection/transcript/transcript_item.ts";

/** Returns the state of a call in words; a settlement is its own word. */
export function statusText(status: ItemStatus): string {
  if (status === "unsettled") return "did not finish";
  return status === "not_run" ? "was not run" : status;
}
