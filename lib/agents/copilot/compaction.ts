/**
 * Builds the message that replaces a conversation which Copilot CLI compacts. The rules are those
 * of Copilot CLI 0.0.420 (index.js: `applyCompactionToMessages`, `She`, `Pps`, `Kps`). The message
 * has the user's own messages, the summary, and the skills in use. After it come the messages since
 * `session.compaction_start`, and the answer whose calls were running at that event.
 */

/** The user's prompts, without those in the middle that no compaction would repeat. */
export interface Prompts {
  texts: string[];
  omitted: number;
}

export interface Skill {
  name: string;
  path: string;
  content: string;
}

// Verbatim: Copilot CLI.
const INTRO = "Some of the conversation history has been summarized to free up context.";
const INSTRUCTIONS = "You were originally given instructions from a user over one or more turns. " +
  "Here were the user messages:";
const MOST_CHARACTERS = 30_000;
const MOST_MESSAGES = 20;
const SHARE_OF_LAST = 0.8;
const MOST_FIRST = Math.max(1, Math.floor(MOST_MESSAGES * (1 - SHARE_OF_LAST)));
const CUT = "...<truncated>...";

export function noPrompts(): Prompts {
  return { texts: [], omitted: 0 };
}

/** Adds a prompt. A long one is cut one character above the limit, so that it stays too long. */
export function notePrompt(prompts: Prompts, text: string): void {
  prompts.texts.push(text.slice(0, MOST_CHARACTERS + 1));
  if (prompts.texts.length <= MOST_MESSAGES + MOST_FIRST) return;
  prompts.texts.splice(MOST_FIRST, 1);
  prompts.omitted++;
}

export function compactedText(
  summary: string,
  prompts: Prompts,
  skills: readonly Skill[],
): string {
  const said = prompts.texts.length === 0 ? "" : `\n${INSTRUCTIONS}\n${promptsText(prompts)}\n`;
  return `${INTRO}\n${said}\nHere is a summary of the prior context:\n<summary>\n${summary}\n` +
    `</summary>\n${skillsText(skills)}`;
}

/** Returns the user's prompts as text. If there are too many, only the first and last are kept. */
function promptsText({ texts: prompts, omitted: left_out }: Prompts): string {
  const total = prompts.reduce((sum, { length }) => sum + length, 0);
  if (prompts.length === 1 || (total <= MOST_CHARACTERS && prompts.length <= MOST_MESSAGES)) {
    return prompts.map((text) => quoted(cut(text, MOST_CHARACTERS))).join("\n");
  }
  const firstRoom = Math.floor(MOST_CHARACTERS * (1 - SHARE_OF_LAST));
  const mostLast = Math.floor(MOST_MESSAGES * SHARE_OF_LAST);
  const last = within(prompts.toReversed(), MOST_CHARACTERS - firstRoom, mostLast).reverse();
  const rest = prompts.slice(0, prompts.length - last.length);
  const first = within(rest, firstRoom, MOST_FIRST);
  const omitted = rest.length - first.length + left_out;
  const note = omitted > 0 ? [`... ${omitted} messages omitted ...`] : [];
  return [...first.map(quoted), ...note, ...last.map(quoted)].join("\n");
}

/** Returns the leading texts that fit into `room` characters; if none fits, the first one, cut. */
function within(texts: readonly string[], room: number, most: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const text of texts) {
    if (taken.length >= most || used + text.length > room) break;
    taken.push(text);
    used += text.length;
  }
  const [first] = texts;
  return taken.length === 0 && first !== undefined ? [cut(first, room)] : taken;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length - CUT.length) + CUT;
}

function quoted(text: string): string {
  return `<user_message>\n${text}\n</user_message>`;
}

// Verbatim: Copilot CLI.
function skillsText(skills: readonly Skill[]): string {
  const last = skills.at(-1);
  if (last === undefined) return "";
  const lines = [`## Most recent skill: ${last.name}`, `Path: ${last.path}`, ""];
  lines.push("Continue to follow these instructions:", "", last.content);
  if (skills.length > 1) {
    lines.push("", "## Previously used skills");
    lines.push(
      "These skills were used earlier in the session. Re-read the skill file if you need to " +
        "reactivate one:",
    );
    for (const { name, path } of skills.slice(0, -1)) lines.push(`- ${name}: ${path}`);
  }
  return `\n\n<invoked_skills>\n${lines.join("\n")}\n</invoked_skills>`;
}
