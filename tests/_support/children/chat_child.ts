/**
 * A chat in a process of its own, to be killed. Says what a screen would show, a line each:
 * `text <word>`, `call <name>`, `item <type>`, `end <how>`. Run with a JSON script.
 */
import { openStore } from "../../../mod.ts";
import { anthropicClient } from "../../../lib/features/chat/models/anthropic_client.ts";
import { Chat } from "../../../lib/features/chat/chat.ts";
import { openAiClient } from "../../../lib/features/chat/models/openai_client.ts";

/** What the program is to do. */
export interface Chatting {
  root: string;
  cwd: string;
  dialect: "openai" | "anthropic";
  url: string;
  prompts: string[];
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line.replaceAll("\n", " ")}\n`));
}

async function run({ root, cwd, dialect, url, prompts }: Chatting): Promise<void> {
  const options = { base_url: url, model: "asked-model", context_limit: 100_000 };
  const chat = await Chat.start({
    store: openStore({ root }),
    cwd,
    system: "Be brief.",
    model: dialect === "openai"
      ? openAiClient(options)
      : anthropicClient({ ...options, api_key: "test-key" }),
    permit: () => Promise.resolve("yes"),
    view: {
      onItem: ({ type }) => say(`item ${type}`),
      onCall: ({ name }) => say(`call ${name}`),
      onDelta: ({ type, text }) => type === "text" ? say(`text ${text.trim()}`) : undefined,
    },
  });
  for (const prompt of prompts) say(`end ${await chat.submit(prompt)}`);
  await chat.close();
}

if (import.meta.main) await run(JSON.parse(Deno.args[0] ?? "{}"));
