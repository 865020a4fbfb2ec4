/**
 * Converts events of logs from before the first release to the forms of FORMAT.md. In those logs,
 * the start of a call declared the call itself. A field `told` held the text for the model, and the
 * content was for the user alone.
 */
import type { Output, Part } from "../../event/message.ts";
import { present } from "../../event/present.ts";
import type { ReadEvent } from "../session_line.ts";

type Fields = Readonly<Record<string, unknown>>;

export function fromEarlyForm(event: ReadEvent): ReadEvent {
  const payload = event.payload as Fields;
  if (typeof payload !== "object" || payload === null) return event;
  switch (event.kind) {
    case "tool_start":
      return typeof payload.name !== "string" ? event : declared(event, payload);
    case "bash_start":
      return payload.origin === "model" ? declared(event, payload) : event;
    case "user_message":
      return typeof payload.told !== "string" ? event : split(event, payload, "content");
    case "tool_end":
    case "bash_end":
      return typeof payload.told !== "string" ? event : split(event, payload, "output");
    default:
      return event;
  }
}

/** Converts a call's start to a response that declares it. Early logs lack that response. */
function declared(event: ReadEvent, payload: Fields): ReadEvent {
  const { call_id, name = "bash", command, message_id, input_text, provider_data } = payload;
  const { input = present({ command }) } = payload;
  const call = present({ type: "tool_call", call_id, name, input, input_text, provider_data });
  const said = present({ content: [call], message_id });
  return { ...event, form: "known", kind: "assistant_message", payload: said } as ReadEvent;
}

/**
 * Moves the payload's text `told` into `field`, as a part for the model alone. Parts that were in
 * `field` before become parts for the user alone.
 */
function split(event: ReadEvent, payload: Fields, field: "content" | "output"): ReadEvent {
  const { told, ...rest } = payload;
  const shown = partsOf(rest[field] as Output | undefined)
    .map((part) => ({ ...part, audience: "user" as const }));
  const parts = [...shown, { type: "text", text: told, audience: "model" }];
  return { ...event, payload: { ...rest, [field]: parts } } as ReadEvent;
}

function partsOf(output: Output | undefined): readonly Part[] {
  if (typeof output !== "string") return (output ?? []) as readonly Part[];
  return output === "" ? [] : [{ type: "text", text: output }];
}
