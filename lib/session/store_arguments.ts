/** Checks the arguments of a store's methods, as {@linkcode checkArgument} does. */
import { checkArgument } from "../event/check_argument.ts";
import { fields, oneOf, optional, text, words } from "../event/guard.ts";

const createOptions = fields({ cwd: words });
const forkOptions = fields({ title: optional(text) });
const conversationOptions = fields({
  tools: optional(oneOf("include", "omit")),
  reasoning: optional(oneOf("include", "omit")),
});

/** Makes sure that options name a directory; the head of the session checks the others. */
export function checkCreateOptions(options: unknown): void {
  checkArgument("create session", "options", createOptions, options);
}

/** Makes sure that options fit a fork. */
export function checkForkOptions(options: unknown): void {
  checkArgument("fork session", "options", forkOptions, options);
}

/** Makes sure that options say what a conversation includes. */
export function checkConversationOptions(options: unknown): void {
  checkArgument("read conversation", "options", conversationOptions, options);
}
