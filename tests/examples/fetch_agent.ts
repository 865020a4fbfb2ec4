/** An agent on nothing but `fetch`: one tool, and a session that outlives every crash. */
import type { Session, Store } from "../../mod.ts";

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
  const request = { ...await session.request("openai"), model: "any" };
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...request, tools: [{ type: "function", function: TOOL }] }),
  });
  const { choices: [choice] } = await response.json() as Completion;
  if (!response.ok || choice === undefined) throw new Error(`Cannot ask: ${response.status}`);
  return choice;
}

/** One turn, in a new session or in one that is gone on with. Gives the session's id. */
export async function fetchAgent(
  { store, url, prompt, ref }: { store: Store; url: string; prompt: string; ref?: string },
): Promise<string> {
  await using session = ref === undefined
    ? store.create({ cwd: Deno.cwd(), app: { name: "fetch-agent" } })
    : await store.resume(ref);
  const turn = session.turn();
  await turn.user(prompt);
  for (let done = false; !done;) {
    const { message: { content, tool_calls = [] } } = await ask(url, session);
    const calls = tool_calls.map(({ id, function: { name, arguments: json } }) => {
      return { id, name, input: JSON.parse(json) as unknown };
    });
    await turn.assistant({ text: content ?? "", calls });
    for (const { id } of calls) {
      await turn.start(id);
      await turn.result(id, { output: new Date().toISOString() });
    }
    done = calls.length === 0;
  }
  await session.finish();
  return session.id;
}
