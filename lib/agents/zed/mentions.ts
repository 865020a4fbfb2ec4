/**
 * Mentions in Zed's prompts. Each has a link in the text, and a content behind the text. Sources are
 * crates/agent/src/thread.rs, `UserMessage::to_request`, and crates/acp_thread/src/mention.rs.
 */
import { basename, extname } from "node:path";
import type { Part } from "../../event/message.ts";
import { asName, asObject, asText, type Json } from "../../reading/json_value.ts";

const OPEN = "<context>\nThe following items were attached by the user. " +
  "They are up-to-date and don't need to be re-read.\n\n";

/** The tags around contents; of other kinds it is the name of the kind. */
const TAGS: ReadonlyMap<string, string> = new Map([
  ...[["File", "files"], ["Directory", "directories"], ["Symbol", "symbols"]] as const,
  ...[["Selection", "selections"], ["TerminalSelection", "selections"]] as const,
  ...[["Fetch", "fetched_urls"], ["Thread", "threads"], ["Rule", "rules"]] as const,
  ...[["GitDiff", "diffs"], ["MergeConflict", "merge_conflicts"], ["Skill", "skills"]] as const,
]);

/** Reads a mention, `{uri: {File: {abs_path}}, content}`: its link and what the model gets. */
export function readMention({ uri, content }: Json): { link: string; context: string } {
  const [[kind, of] = [asText(uri) ?? "", {}]] = Object.entries(asObject(uri));
  const fields = asObject(of);
  const { start, end } = asObject(fields.line_range);
  // Zed counts lines from 0.
  const lines = typeof start !== "number" ? "" : `:${start + 1}-${Number(end) + 1}`;
  const path = asName(fields.abs_path) ?? asName(fields.path) ?? asName(fields.file_path);
  const name = asName(fields.name) ?? asName(fields.url) ?? (path ? basename(path) : kind);
  const address = path
    ? `file://${path}${lines}`
    : `zed:///agent/${kind}/${asText(fields.id) ?? ""}`;
  const text = asText(content) ?? "";
  const block = path ? `\`\`\`${extname(path).slice(1)} ${path}${lines}\n${text}\n\`\`\`` : text;
  const tag = TAGS.get(kind) ?? kind.toLowerCase();
  return {
    link: `[@${name}](${asName(fields.url) ?? address})`,
    context: `<${tag}>\n${block}\n</${tag}>\n`,
  };
}

/** Returns the contents of a prompt's mentions. The model alone gets them. */
export function mentioned(contexts: readonly string[]): Part[] {
  if (contexts.length === 0) return [];
  return [{ type: "text", text: `${OPEN}${contexts.join("")}</context>`, audience: "model" }];
}
