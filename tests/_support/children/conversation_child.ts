/** Prints the contents of a log's conversation, as JSON. Argument: the log. */
import { loadConversation } from "../../../lib/core/store/load_session.ts";

if (import.meta.main) {
  const { messages } = await loadConversation(Deno.args[0] ?? "");
  const contents = JSON.stringify(messages.map(({ content }) => content));
  Deno.stdout.writeSync(new TextEncoder().encode(contents + "\n"));
}
