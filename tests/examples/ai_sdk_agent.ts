/** An agent on the AI SDK: the SDK asks the model, Reprise keeps the session. */
import { generateText, jsonSchema, type LanguageModel, type ToolSet } from "npm:ai@7.0.173";
import type { Session, Store, Turn } from "../../mod.ts";

const INPUT = jsonSchema<{ path: string }>({
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
});

/** Without `execute`: the agent itself makes the calls, for it keeps when they begin and end. */
const TOOLS: ToolSet = { size: { description: "Says how long a path is.", inputSchema: INPUT } };

/** Asks once; whether the model wants more. */
async function step(model: LanguageModel, session: Session, turn: Turn): Promise<boolean> {
  const { messages } = await session.request("ai-sdk");
  const { text, toolCalls, response } = await generateText({ model, messages, tools: TOOLS });
  const calls = toolCalls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, input }));
  await turn.assistant({ text, calls, model: response.modelId });
  for (const { id, input } of calls) {
    await turn.start(id);
    await turn.result(id, { output: `${JSON.stringify(input).length} characters` });
  }
  return calls.length > 0;
}

/** One turn, in a new session or in one that is gone on with. Gives the session's id. */
export async function aiSdkAgent(
  { store, model, prompt, ref }: {
    store: Store;
    model: LanguageModel;
    prompt: string;
    ref?: string;
  },
): Promise<string> {
  await using session = ref === undefined
    ? store.create({ cwd: Deno.cwd(), app: { name: "ai-sdk-agent" } })
    : await store.resume(ref);
  const turn = session.turn();
  await turn.user(prompt);
  while (await step(model, session, turn));
  await session.finish();
  return session.id;
}
