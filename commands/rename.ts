/** `reprise rename` */
import { openToMark } from "./_session.ts";
import { REPRISE } from "../lib/core/event/agent_name.ts";
import type { RunTitleCommand } from "../lib/features/handover/native_title.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";

export const renameCommand = defineCommand({
  description:
    "Give a session a title. An empty title restores the first message as the title. If another " +
    "agent wrote the session, only Reprise shows the title. With --native, the agent's own " +
    "list also shows the title: Reprise appends the line that Claude Code or pi would append, " +
    "or runs Codex's own command.",
  arguments: [
    ["<ref>", "the session's id"],
    ["[title]", "the title"],
  ],
  flags: {
    "--native": "also set the title in the agent that wrote the session",
    "--undo": "with --native: remove the title that `rename --native` set last",
  },
  examples: [
    'reprise rename 3f2a "Parser rewrite"',
    'reprise rename claude:8d1f ""',
    'reprise rename claude:8d1f "Parser rewrite" --native',
    "reprise rename claude:8d1f --native --undo",
  ],
  run: async (context, ref, given, { native, undo }) => {
    if (undo && !native) throw new UsageError("--undo needs --native");
    if ((given === undefined) !== (undo === true)) {
      throw new UsageError(undo ? "Give either a title or --undo" : "Give a title");
    }
    const session = await openToMark(context, ref);
    const title = given?.replace(/\s+/g, " ").trim();
    if (native && session.agent !== REPRISE) return await inAgent(context, session, title);
    const { annotate } = await import("../lib/library/handle/annotate.ts");
    const store = contextStore(context);
    const recorded = await annotate(store, session, { title: title ?? "" });
    const beside = session.writable && recorded === "mark";
    const note = session.agent !== REPRISE
      ? `. Only Reprise's lists show the new title. ${session.agent_title} still shows ` +
        "its own title"
      : beside
      ? " (saved in a separate file, because another process is writing the session's log)"
      : "";
    await say(context, `Renamed ${session.short_ref}${note}`);
  },
});

/** Sets the title in the session's agent. Without `title`, undoes the last `rename --native`. */
async function inAgent(
  context: Context,
  session: SessionHandle,
  title: string | undefined,
): Promise<void> {
  const { renameNatively, undoNativeTitle } = await import(
    "../lib/features/handover/native_title.ts"
  );
  const library = contextLibrary(context);
  const { short_ref, agent_title } = session;
  const run: RunTitleCommand = async ({ argv, done, ...talk }) => {
    const { runProgram } = await import("./_handover/run_program.ts");
    const outcome = await runProgram(context, argv, context.cwd, talk);
    if (outcome.state === "missing") return `there is no program ${argv[0]} on PATH`;
    if (outcome.state === "failed") return outcome.why;
    return done.test(outcome.printed) ? undefined : `${argv.join(" ")} refused the title`;
  };
  if (title === undefined) {
    await undoNativeTitle(library, session, run);
    return await say(
      context,
      `Removed the title that was last set for ${short_ref} in ${agent_title}`,
    );
  }
  if (title === "") {
    throw new UsageError(
      "Give a title. To remove the title that `rename --native` set last: --native --undo",
    );
  }
  await renameNatively(library, session, title, run);
  // A title of Reprise's own would hide it.
  if (library.marks.get(session.ref)?.title !== undefined) {
    const { annotate } = await import("../lib/library/handle/annotate.ts");
    await annotate(contextStore(context), session, { title: "" });
  }
  await say(context, `Renamed ${short_ref} in ${agent_title}`);
}
