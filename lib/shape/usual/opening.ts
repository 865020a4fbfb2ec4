/** Lets a conversation that the model begins begin with the user, for providers that want it so. */
import type { Stage } from "../stage.ts";
import type { Turn } from "./turn.ts";

/** Stands before what the model says first. */
const OPENING = "(This conversation begins with a message of the assistant.)";

/** Opens a conversation, unless something came before. */
export function opened(before: boolean = false): Stage<Turn, Turn> {
  let begun = before;
  return {
    add(turn): Turn[] {
      const opens = !begun && turn.role === "assistant";
      begun = true;
      return opens ? [{ role: "user", parts: [{ type: "text", text: OPENING }] }, turn] : [turn];
    },
    end: () => [],
    copy: () => opened(begun),
  };
}
