/**
 * Upgrades messages of older versions, as Zed does when it loads a thread. Sources are
 * crates/agent/src/db.rs, `upgrade_from_agent_1`, and legacy_thread.rs: 0.1.0, 0.2.0 and before.
 */
import { asList, asName, asObject, type Json } from "../../reading/json_value.ts";

/** Returns messages in the form of version 0.3.0. Those of other forms stay as they are. */
export function upgradedMessages(messages: readonly unknown[]): unknown[] {
  let content: Json[] = [];
  let tool_results: Record<string, Json> = {};
  return messages.map((message) => {
    const { role, id, segments, text, ...fields } = asObject(message);
    if (role !== "user" && role !== "assistant") return message;
    const said = [...(text === undefined ? [] : [{ type: "text", text }]), ...asList(segments)]
      .map((segment) => toItem(asObject(segment)));
    if (role === "assistant") {
      content = [...said, ...asList(fields.tool_uses).map((ToolUse) => ({ ToolUse }))];
      tool_results = {};
    }
    const results = asList(fields.tool_results).map(asObject);
    for (const { tool_use_id, ...result } of results) {
      const use = content.find((item) => asObject(item.ToolUse).id === tool_use_id);
      const { name: tool_name } = asObject(use?.ToolUse);
      tool_results[String(tool_use_id)] = { tool_name, ...result };
    }
    if (role === "assistant") return { Agent: { content, tool_results } };
    // In 0.1.0 results have a message of their own, whose text Zed drops.
    if (results.length > 0) return { results: segments };
    return {
      User: { id: String(id), content: said[0] ? said : [{ Text: asName(fields.context) }] },
    };
  });
}

function toItem(segment: Json): Json {
  if (segment.type === "text") return { Text: segment.text };
  return segment.type === "thinking" ? { Thinking: segment } : { RedactedThinking: segment.data };
}
