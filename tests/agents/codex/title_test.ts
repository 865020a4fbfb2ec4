/** A title is what the person asked, and so is what is shown of a prompt. */
import assert from "node:assert/strict";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { shownPrompt } from "../../../lib/agents/codex/item_content.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { summary } from "../../../lib/core/projection/summary.ts";
import {
  conversationOf,
  onlySession,
  readAll,
  transcriptOf,
} from "../../_support/agent_contract.ts";
import { writeRollout } from "./_rollout.ts";

const CONTEXT = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>";
const AGENTS = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>";
const INSTRUCTIONS = "<user_instructions>\n\nBe kind.\n\n</user_instructions>";
const SKILL = "<skill>\n<name>pdf</name>\n<path>/s/pdf</path>\nRead PDFs.\n</skill>";
const ABORTED = "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>";
const REVIEW = "<user_action>\n  <context>User initiated a review task.</context>\n</user_action>";
const EDITOR = "# Context from my IDE setup:\n\n## Active file: src/a.ts\n\n## Open tabs:\n" +
  "- a.ts: src/a.ts\n\n## My request for Codex:\nRename the parser.\n";

function prompt(...texts: string[]): unknown {
  const content = texts.map((text) => ({ type: "input_text", text }));
  return { type: "message", role: "user", content };
}

Deno.test("leaves texts of editors and Codex out of the title", async () => {
  for (
    const [items, title] of [
      [[prompt(EDITOR)], "Rename the parser."],
      [[prompt(CONTEXT), prompt(EDITOR)], "Rename the parser."],
      [[prompt(AGENTS, CONTEXT), prompt("Ask.")], "Ask."],
      [[prompt(INSTRUCTIONS), prompt(CONTEXT), prompt(SKILL), prompt("Ask.")], "Ask."],
      [[prompt(ABORTED), prompt(REVIEW), prompt("Ask.")], "Ask."],
    ] as const
  ) {
    const session = await onlySession(codexAgent, await writeRollout(items));
    const { events } = await readAll(codexAgent, session);
    assert.equal((await codexAgent.open(session).summarize())?.title, title);
    assert.equal(foldEvents(summary(), events).title, title);
    const shown = await transcriptOf(codexAgent, session);
    const said = shown.flatMap((item) => item.type === "message" ? [item.content] : []);
    assert.deepEqual(said, [title], "people see the request alone");
    const { messages } = await conversationOf(codexAgent, session);
    const last = items.at(-1) as { content: { text: string }[] };
    assert.equal(messages.at(-1)?.content, last.content[0]?.text, "the model gets all of it");
  }
});

Deno.test("a request is told by its heading, below another one", () => {
  const marker = "## My request for Codex:";
  for (
    const [text, shown] of [
      [`# Files mentioned by the user:\n\n## a.png: /a.png\n\n${marker}\nLook.`, "Look."],
      [
        `# Context from my IDE setup:\n\n${marker}\n  \n`,
        `# Context from my IDE setup:\n\n${marker}\n  \n`,
      ],
      [`Write "${marker}" into a file`, `Write "${marker}" into a file`],
      [`Keep this.\n${marker}\nAnd this.`, `Keep this.\n${marker}\nAnd this.`],
      ["# A heading\nand a text", "# A heading\nand a text"],
    ] as const
  ) assert.equal(shownPrompt(text), shown);
});
