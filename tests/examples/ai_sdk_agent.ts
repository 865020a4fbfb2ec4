/** An agent on the AI SDK: the SDK asks the model, Reprise keeps the session. */
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from "npm:ai@7.0.173";
import { loadConversation, type Session, type SessionStore, toMessages } from "../../mod.ts";

const INPUT = jsonSchema<{ path: string }>({
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
});

/** Without `execute`: the agent itself makes the calls, for it keeps when they begin and end. */
const TOOLS: ToolSet = { size: { description: "Says how long a path is.", inputSchema: INPUT } };

/** Asks once; whether the model wants more. */
async function step(model: LanguageModel, session: Session): Promise<boolean> {
  const { messages } = toMessages((await loadConversation(session.path)).messages, "ai-sdk");
  const asked: ModelMessage[] = messages;
  const { text, toolCalls, response } = await generateText({
    model,
    messages: asked,
    tools: TOOLS,
  });
  const message_id = crypto.randomUUID();
  const said = { content: text, message_id, model: response.modelId };
  await session.append({ kind: "assistant_message", payload: said });
  for (const { toolCallId: call_id, toolName: name, input } of toolCalls) {
    await session.append({ kind: "tool_start", payload: { call_id, name, input, message_id } });
    const output = `${JSON.stringify(input).length} characters`;
    await session.append({ kind: "tool_end", payload: { call_id, name, status: "ok", output } });
  }
  return toolCalls.length > 0;
}

/** One turn, in a new session or in one that is gone on with. Gives the session's id. */
export async function aiSdkAgent(
  { store, model, prompt, ref }: {
    store: SessionStore;
    model: LanguageModel;
    prompt: string;
    ref?: string;
  },
): Promise<string> {
  await using session = ref === undefined
    ? store.create({ cwd: Deno.cwd(), app: { name: "ai-sdk-agent" } })
    : await store.resume(ref);
  await session.append({ kind: "user_message", payload: { content: prompt } });
  while (await step(model, session));
  return session.id;
}
