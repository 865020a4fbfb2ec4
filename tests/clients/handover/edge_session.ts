/** A session of ours with all that is hard to carry, and what a model must get of it. */
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import type { Carried } from "./carried_items.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SEPARATED = "Line\u2028and paragraph\u2029separators,\r\nCRLF, and 👩‍👩‍👧‍👦 é.";
const LONG = Array.from({ length: 6_000 }, (_, row) => `row ${row + 1}`).join("\n");
const COMMAND = "git status --short";
const STATUS = " M a.ts";
const ODD_NAME = "mcp: look/up é";
const ODD_ID = "call|1/ü:" + "x".repeat(100);

async function call(
  session: Session,
  ids: readonly string[],
  name: string,
  input: unknown,
  text = "",
): Promise<void> {
  const said = text === "" ? [] : [{ type: "text", text } as const];
  const calls = ids.map((call_id) => ({ type: "tool_call", call_id, name, input }) as const);
  await session.turn("turn").assistant({ content: [...said, ...calls] });
  for (const id of ids) await session.turn("turn").start(id);
}

/** Makes the session; returns the path of its log. */
export async function makeEdgeSession(root: string, cwd: string): Promise<string> {
  await using session = openLocalStore({ root }).create({ cwd });
  const turn = session.turn("turn");
  await turn.user("What was long ago, and is not sent again.");
  await turn.assistant({ content: "An old answer." });
  await session.compact({ summary: "They spoke of old things." });
  await turn.user(SEPARATED);
  await call(session, ["call_0", "call_1"], "bash", { command: "echo 'same words'" }, "Two:");
  await turn.result("call_1", { output: "second" });
  await turn.result("call_0", { output: "first" });
  await call(session, ["call_0"], "bash", { command: "true" });
  await turn.result("call_0", { output: "" });
  await call(session, [ODD_ID], ODD_NAME, "only words");
  await turn.result(ODD_ID, { status: "error", error: "It is not there." });
  await turn.assistant({ content: "One answer." });
  await turn.assistant({ content: "Another one." });
  await turn.user("One question.");
  await turn.user("Another one.");
  await call(session, ["call_2", "call_3"], "read", { path: "/a b.txt" }, "I look.");
  await turn.result("call_3", { output: LONG });
  await turn.user("/etc/hosts is a file");
  await turn.interrupted("A first half that ");
  await turn.user("?why");
  await turn.assistant({ content: "Because." });
  await turn.user([
    { type: "text", text: "See:" },
    { type: "image", media_type: "image/png", data: PNG, sha256: "", bytes: 70 },
  ]);
  await turn.assistant({ content: "I see." });
  const own = { call_id: "own", command: COMMAND };
  await turn.append({ kind: "bash_start", payload: { ...own, origin: "user" } });
  const ended = { status: "ok", exit_code: 0, output: STATUS } as const;
  await turn.append({ kind: "bash_end", payload: { ...own, ...ended } });
  await turn.user("And now?");
  await call(session, ["call_0"], "bash", { command: "sleep 9" }, "I wait.");
  return session.path;
}

const UNANSWERED = "No result was recorded: the call did not finish.";

/**
 * Returns what a model must get of it, in order.
 *
 * @param in_ours Whether a log of ours holds it: there the command of the user is a call.
 */
export function edgeItems(in_ours: boolean): Carried[] {
  const last = in_ours ? 8 : 7;
  return [
    said("user", "They spoke of old things.", SEPARATED),
    said("assistant", "Two:"),
    ...called([1, 2], { shell: "echo 'same words'" }, ["first", "second"]),
    ...called([3], { shell: "true" }, [""]),
    ...called([4], { call: "mcp__look_up__", input: { input: "only words" } }, [
      "It is not there.",
    ]),
    said("assistant", "One answer.", "Another one."),
    said("user", "One question.", "Another one."),
    said("assistant", "I look."),
    ...called([5, 6], { read: "/a b.txt" }, [UNANSWERED, LONG]),
    said("user", "/etc/hosts is a file"),
    said("assistant", "A first half that"),
    said("user", "?why"),
    said("assistant", "Because."),
    said("user", "See:"),
    { kind: "file", text: `[file ${PNG.slice(0, 40)}]`, pieces: [] },
    said("assistant", "I see."),
    ...(in_ours
      ? [...called([7], { shell: COMMAND }, [STATUS]), said("user", "And now?")]
      : [said("user", `I ran \`${COMMAND}\`:\n\n${STATUS}`, "And now?")]),
    said("assistant", "I wait."),
    ...called([last], { shell: "sleep 9" }, [UNANSWERED]),
  ];
}

function said(kind: "user" | "assistant", ...pieces: string[]): Carried {
  return { kind, text: pieces.map(inOneLine).join(" "), pieces };
}

function called(numbers: readonly number[], does: unknown, outputs: readonly string[]): Carried[] {
  const calls = numbers.map((number) => `${number} ${JSON.stringify(does)}`);
  const results = numbers.map((number, at) => `${number} ${outputs[at]}`.trim());
  return [
    ...calls.map((text): Carried => ({ kind: "call", text, pieces: [text] })),
    ...results.map((exact): Carried => (
      { kind: "result", text: inOneLine(exact), pieces: [exact] }
    )),
  ];
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
