/**
 * Finds texts that Claude Code showed the user or gave the model, and does not send again. These are
 * errors of the API, its own commands, output of hooks, diagnostics and reminders.
 */
import type { NoticePayload } from "../../event/payload.ts";
import { fieldLines } from "./field_lines.ts";
import { asList, asName, asNumber, asObject, asText } from "../../reading/json_value.ts";
import { attachedName } from "./attached.ts";
import { blocksOf, type Fields, plainText } from "./content.ts";
import { shownText } from "./shown_text.ts";

/** Attachments that every request repeats: the system prompt. */
const REPEATED: ReadonlySet<unknown> = new Set(["prompt_snapshot"]);

/** Returns what a record tells; undefined where it tells nothing. */
export function noticeOf(value: Fields): NoticePayload | undefined {
  const notice = value.type === "attachment"
    ? attachedNotice(value)
    : value.type === "system"
    ? systemNotice(value)
    : undefined;
  return notice?.text.trim() === "" ? undefined : notice;
}

function attachedNotice({ attachment, rendered }: Fields): NoticePayload | undefined {
  const { type, ...fields } = asObject(attachment);
  if (REPEATED.has(type)) return undefined;
  const recorded = asList(rendered).map(asObject)
    .map(({ content }) => plainText(blocksOf(content))).join("\n");
  const text = recorded === "" ? fieldLines(fields) : recorded;
  return { audience: "model", title: attachedName({ type, ...fields }), text };
}

function systemNotice(value: Fields): NoticePayload {
  const subtype = asName(value.subtype) ?? "system";
  if (subtype === "api_error") {
    return apiError(value);
  }
  const title = subtype.replaceAll("_", " ");
  const text = shownText(asText(value.content) ?? fieldLines(value.hookErrors));
  return { audience: "user", title, text };
}

/** The tries stand in the title: no word of it is searched, and none of them is in the record. */
function apiError({ error, cause, retryAttempt, maxRetries }: Fields): NoticePayload {
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
