/**
 * The providers' own types on what `toMessages` gives, without a cast: `deno task test:clients`. The
 * libraries come from npm; where that cannot be reached, the tests are skipped.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { MESSAGE_SHAPES } from "../../lib/text/shape/message_shape.ts";
import { installed } from "../_support/client_cache.ts";
import { ROOT } from "../_support/source_code.ts";
import { withDirectory } from "../_support/temp_directory.ts";

const PACKAGES = [
  "@anthropic-ai/sdk@1.12.0",
  "@aws-sdk/client-bedrock-runtime@3.1164.0",
  "@google/genai@3.1.0",
  "@openai/agents-core@0.20.0",
  "ai@7.0.173",
  "openai@7.57.0",
  "zod@4.6.7",
];
const PACKAGE_FOLDER = await installed("provider-types", PACKAGES, [
  ...["--ignore-scripts", "--omit=optional", "--legacy-peer-deps"],
]);

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

/** Checks the types of programs beside the packages. */
async function check(
  programs: ReadonlyMap<string, string>,
): Promise<{ ok: boolean; said: string }> {
  let checked = { ok: false, said: "" };
  await withDirectory(async (cwd) => {
    await Deno.symlink(join(PACKAGE_FOLDER ?? "", "node_modules"), join(cwd, "node_modules"));
    await Deno.writeTextFile(join(cwd, "package.json"), '{"private":true,"type":"module"}\n');
    for (const [name, text] of programs) await Deno.writeTextFile(join(cwd, name), text);
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--node-modules-dir=manual", ...programs.keys()],
      cwd,
      env: { NO_COLOR: "1" },
    }).output();
    checked = { ok: success, said: new TextDecoder().decode(stderr) };
  });
  return checked;
}

const ignore = PACKAGE_FOLDER === undefined;

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
