/**
 * The providers' own types on what `toMessages` gives, without a cast: `deno task test:clients`. The
 * libraries come from npm; where that cannot be reached, the tests are skipped.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { MESSAGE_SHAPES } from "../../lib/shape/message_shape.ts";
import { ROOT } from "../_support/source_code.ts";

const PACKAGES = [
  "@anthropic-ai/sdk@1.12.0",
  "@aws-sdk/client-bedrock-runtime@3.1164.0",
  "@google/genai@3.1.0",
  "@openai/agents-core@0.20.0",
  "ai@7.0.173",
  "openai@7.57.0",
  "zod@4.6.7",
];
const FOLDER = join(Deno.env.get("TMPDIR") ?? "/tmp", "reprise-provider-types");

/** What takes each shape: the import of a type, and the type. */
const TYPES: Readonly<Record<string, [string, string]>> = {
  anthropic: [
    'import type Anthropic from "@anthropic-ai/sdk";',
    'Pick<Anthropic.MessageCreateParams, "system" | "messages">',
  ],
  openai: [
    'import type OpenAI from "openai";',
    'Pick<OpenAI.ChatCompletionCreateParams, "messages">',
  ],
  "openai-responses": [
    'import type OpenAI from "openai";',
    "{ instructions?: string; input: OpenAI.Responses.ResponseInput }",
  ],
  gemini: [
    'import type { Content, GenerateContentConfig } from "@google/genai";',
    'Pick<GenerateContentConfig, "systemInstruction"> & { contents: Content[] }',
  ],
  bedrock: [
    'import type { ConverseCommandInput } from "@aws-sdk/client-bedrock-runtime";',
    'Required<Pick<ConverseCommandInput, "messages">> & Pick<ConverseCommandInput, "system">',
  ],
  "ai-sdk": [
    'import type { ModelMessage } from "ai";',
    "{ system?: string; messages: ModelMessage[] }",
  ],
  "ai-sdk-ui": ['import type { UIMessage } from "ai";', "{ messages: UIMessage[] }"],
  "openai-agents": [
    'import type { AgentInputItem } from "@openai/agents-core";',
    "{ items: AgentInputItem[] }",
  ],
};
const SHAPES = Object.keys(TYPES);

/** A program in which what a shape gives is taken as the type of another one. */
function program(shape: string, type: string): string {
  const [importing, name] = TYPES[type] ?? [];
  return `${importing}
import { type Message, toMessages } from "${new URL("mod.ts", ROOT).href}";
export function request(messages: Message[]): ${name} {
  return toMessages(messages, "${shape}");
}
`;
}

/** Whether each program of the folder has the types that it says. */
async function check(
  programs: ReadonlyMap<string, string>,
): Promise<{ ok: boolean; said: string }> {
  for (const [name, text] of programs) await Deno.writeTextFile(join(FOLDER, name), text);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--node-modules-dir=manual", ...programs.keys()],
    cwd: FOLDER,
    env: { NO_COLOR: "1" },
  }).output();
  return { ok: success, said: new TextDecoder().decode(stderr) };
}

async function installed(): Promise<boolean> {
  const options = ["--ignore-scripts", "--omit=optional", "--legacy-peer-deps", "--no-save"];
  const args = ["install", ...options, "--no-audit", "--no-fund", "--prefer-offline", ...PACKAGES];
  try {
    await Deno.mkdir(FOLDER, { recursive: true });
    await Deno.writeTextFile(join(FOLDER, "package.json"), '{"private":true,"type":"module"}\n');
    const { success, stderr } = await new Deno.Command("npm", { args, cwd: FOLDER }).output();
    if (success) return true;
    throw new Error(new TextDecoder().decode(stderr));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    Deno.stderr.writeSync(new TextEncoder().encode(`skipped: no types of providers: ${reason}\n`));
    return false;
  }
}

const ignore = !await installed();

Deno.test({
  name: "the providers' own types take what toMessages gives, without a cast",
  ignore,
  async fn(): Promise<void> {
    assert.deepEqual(SHAPES.toSorted(), MESSAGE_SHAPES.filter((one) => one !== "plain").toSorted());
    const programs = new Map(SHAPES.map((shape) => [`${shape}.ts`, program(shape, shape)]));
    assert.deepEqual(await check(programs), { ok: true, said: "" });
  },
});

Deno.test({
  name: "the types of each provider refuse what is another's",
  ignore,
  async fn(): Promise<void> {
    const programs = new Map(SHAPES.map((type) => {
      const other = type === "gemini" ? "bedrock" : "gemini";
      return [`not_${type}.ts`, program(other, type)];
    }));
    const { said } = await check(programs);
    for (const type of SHAPES) assert.match(said, new RegExp(`/not_${type}\\.ts:4:`), type);
  },
});
