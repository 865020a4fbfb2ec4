/**
 * Finds texts that Claude Code showed to the user or sent to the model, and does not send again.
 * These are API errors, Claude Code's own commands, output of hooks, diagnostics and reminders.
 */
import { ExactNumber } from "../../core/event/exact_number.ts";
import type { NoticePayload } from "../../core/event/payload.ts";
import { asList, asName, asNumber, asObject, asText, type Json } from "../engine/json.ts";
import { attachedName } from "./attached.ts";
import { blocksOf, plainText } from "../engine/events/anthropic_blocks.ts";
import { shownText } from "./shown_text.ts";

/** Types of attachments that repeat the system prompt of every request. */
const REPEATED: ReadonlySet<unknown> = new Set(["prompt_snapshot"]);

export function noticeOf(value: Json): NoticePayload | undefined {
  const notice = value.type === "attachment"
    ? attachedNotice(value)
    : value.type === "system"
    ? systemNotice(value)
    : undefined;
  return notice?.text.trim() === "" ? undefined : notice;
}

function attachedNotice({ attachment, rendered }: Json): NoticePayload | undefined {
  const { type, ...fields } = asObject(attachment);
  if (REPEATED.has(type)) return undefined;
  const recorded = asList(rendered).map(asObject)
    .map(({ content }) => plainText(blocksOf(content))).join("\n");
  const text = recorded === "" ? fieldLines(fields) : recorded;
  return { audience: "model", title: attachedName({ type, ...fields }), text };
}

function systemNotice(value: Json): NoticePayload {
  const subtype = asName(value.subtype) ?? "system";
  if (subtype === "api_error") {
    return apiError(value);
  }
  const title = subtype.replaceAll("_", " ");
  const text = shownText(asText(value.content) ?? fieldLines(value.hookErrors));
  return { audience: "user", title, text };
}

/**
 * Describes an API error. The title has the number of the try, because the record's text does not
 * contain the number.
 */
function apiError({ error, cause, retryAttempt, maxRetries }: Json): NoticePayload {
  const fields = asObject(error);
  const { code, message = code } = asObject(cause ?? fields.cause);
  const body = asObject(asObject(fields.error).error);
  const said = asName(body.message) ?? asName(fields.message) ?? asText(message) ?? "";
  const text = [asNumber(fields.status) ?? "", said].filter((word) => word !== "").join(" ");
  const tries = asNumber(retryAttempt) === undefined
    ? ""
    : `, try ${retryAttempt} of ${maxRetries ?? "?"}`;
  const title = `API error${tries}`;
  return { audience: "user", title, text: text || "The request failed", level: "error" };
}

/** Names of fields that are not written before the field's value. */
const UNNAMED: ReadonlySet<string> = new Set(["", "content", "text", "prompt"]);

/**
 * Returns the texts and numbers in a value, one on each line. Leaves out flags and empty values.
 * Fields are sorted by name, because their order in a record has no meaning. Each word is as in the
 * record, because a search looks for words in the record's bytes first.
 */
export function fieldLines(value: unknown, name = ""): string {
  if (typeof value === "string" || typeof value === "number" || value instanceof ExactNumber) {
    const text = String(value);
    return UNNAMED.has(name) || text === "" ? text : `${name} ${text}`;
  }
  if (typeof value !== "object" || value === null) return "";
  const fields = Array.isArray(value) ? Object.entries(value) : Object.entries(value).sort(byName);
  return fields
    .map(([key, item]) => fieldLines(item, Array.isArray(value) ? name : key))
    .filter((line) => line !== "").join("\n");
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}
