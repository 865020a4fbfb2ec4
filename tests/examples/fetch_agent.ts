/** An agent on nothing but `fetch`: one tool, and a session that outlives every crash. */
import { loadConversation, type Session, type SessionStore, toMessages } from "../../mod.ts";

/** What chat completions answer. */
interface Completion {
  choices: { message: { content: string | null; tool_calls?: ToolCall[] } }[];
}

interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

const TOOL = { name: "now", description: "Says what time it is.", parameters: { type: "object" } };

async function ask(url: string, session: Session): Promise<Completion["choices"][0]> {
  // Always what the log says: a resumed agent sends what it would have sent had it never stopped.
  const { messages } = await loadConversation(session.path);
  const body = { model: "any", tools: [{ type: "function", function: TOOL }] };
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, ...toMessages(messages, "openai") }),
  });
  const { choices: [choice] } = await response.json() as Completion;
  if (!response.ok || choice === undefined) throw new Error(`Cannot ask: ${response.status}`);
  return choice;
}

/** One turn, in a new session or in one that is gone on with. Gives the session's id. */
export async function fetchAgent(
  { store, url, prompt, ref }: { store: SessionStore; url: string; prompt: string; ref?: string },
): Promise<string> {
  await using session = ref === undefined
    ? store.create({ cwd: Deno.cwd(), app: { name: "fetch-agent" } })
    : await store.resume(ref);
  await session.append({ kind: "user_message", payload: { content: prompt } });
  for (let done = false; !done;) {
    const { message: { content, tool_calls = [] } } = await ask(url, session);
    const message_id = crypto.randomUUID();
    await session.append({
      kind: "assistant_message",
      payload: { content: content ?? "", message_id },
    });
    for (const { id: call_id, function: { name, arguments: json } } of tool_calls) {
      const input: unknown = JSON.parse(json);
      await session.append({ kind: "tool_start", payload: { call_id, name, input, message_id } });
      const output = new Date().toISOString();
      await session.append({ kind: "tool_end", payload: { call_id, name, status: "ok", output } });
    }
    done = tool_calls.length === 0;
  }
  return session.id;
}
