/** Writes the question that an editor asks its user before a call is made. Pure. */
import type { PermissionOption, ToolCall } from "npm:@agentclientprotocol/sdk@2.4.0";
import type { PermissionRequest } from "../chat/chat_view.ts";
import { questionText } from "../render/question_text.ts";
import { pendingCall, textContent } from "./protocol.ts";

/** Returns the answers that an editor offers. A call that is not seen whole has no `always`. */
export function permissionOptions(
  { scope, left_out }: Pick<PermissionRequest, "scope" | "left_out">,
): PermissionOption[] {
  const name = `Always allow ${scope} in this session`;
  return [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    ...left_out > 0 ? [] : [{ optionId: "always", name, kind: "allow_always" } as const],
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
}

/** Returns a call as an editor shows it in a question: why it asks, and all that would be done. */
export function askedCall(request: PermissionRequest, id: string, cwd: string): ToolCall {
  const { asked, left_out, reason } = request;
  const texts = [`It ${reason}.`, fenced(questionText(asked, left_out))];
  return { ...pendingCall(request, id, cwd), content: texts.map(textContent) };
}

/** Editors read Markdown, in which a text could hide a part of itself. */
function fenced(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}\n${text}\n${fence}`;
}
