/**
 * An agent on OpenAI Agents: the SDK runs the loop and keeps its history in a session of ours.
 * `@openai/agents` is these two packages, and one for speech, whose types of Node would replace those
 * of Deno.
 */
import { Agent, Runner, tool } from "npm:@openai/agents-core@0.20.0";
import { OpenAIProvider } from "npm:@openai/agents-openai@0.20.0";
import { agentsSession } from "../../lib/features/adapters/mod.ts";
import type { Store } from "../../mod.ts";

const NOW = tool({
  name: "now",
  description: "Says what time it is.",
  parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
  strict: true,
  execute: () => "noon",
});

const AGENT = new Agent({ name: "clock", instructions: "Tell the time.", tools: [NOW] });

/** One turn, in a new session or in one that is gone on with. Gives the session's id. */
export async function openAiAgentsAgent(
  { store, url, prompt, ref }: { store: Store; url: string; prompt: string; ref?: string },
): Promise<string> {
  const modelProvider = new OpenAIProvider({ baseURL: url, apiKey: "none", useResponses: false });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  await using session = ref === undefined
    ? store.create({ cwd: Deno.cwd(), app: { name: "openai-agents-agent" } })
    : await store.resume(ref);
  await runner.run(AGENT, prompt, { session: agentsSession(session) });
  await session.finish();
  return session.id;
}
