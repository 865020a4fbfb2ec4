/** Serves the pages of `reprise open` to a browser until ^C. */
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { Annotation } from "../../lib/library/handle/annotate.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { TemporaryFolder } from "../../lib/core/log/temporary_folder.ts";
import { writeTextFileSync } from "../../lib/core/platform/files.ts";
import { localDay, localMinute } from "../../lib/text/render/local_time.ts";
import { type Context, timeFormat } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { markSession } from "../_marking.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { say } from "../_message.ts";
import { serveLoopback } from "./loopback.ts";
import { startProgram } from "../../lib/core/platform/child_process.ts";
import { operatingSystem } from "../../lib/core/platform/runtime.ts";
import { userProgram } from "../_user_program.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";

interface OpenFlags {
  browser: boolean;
  thread?: string;
}

const SECRET_BYTES = 32;

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

export async function openPages(
  context: Context,
  ref: string | undefined,
  { browser, thread }: OpenFlags,
): Promise<void> {
  if (thread !== undefined && ref === undefined) {
    throw new UsageError("--thread needs REF, because a branch or subagent belongs to one session");
  }
  const library = contextLibrary(context);
  const { createSite, OpenedSessions, redirectPage, sessionLink } = await import(
    "../../lib/frontends/pages/site.ts"
  );
  const first = ref === undefined ? undefined : await placeOf(context, library, ref, thread);
  const page = first === undefined ? "" : sessionLink(first.ref, first.more, first.anchor);
  const [token, cookie] = [newSecret(), newSecret()];
  const { version, now } = context;
  const named = first === undefined ? undefined : [first.ref];
  const sessions = new OpenedSessions(library, present({ named }));
  const pages = {
    library,
    sessions,
    version,
    now,
    format_time: timeFormat(context),
    day_of: (milliseconds: number) => localDay(new Date(milliseconds)),
    minute_of: (milliseconds: number) => localMinute(new Date(milliseconds)),
    home: homeFolder(context.variable),
    mark: (session: SessionHandle, mark: Annotation) => markSession(context, session, mark),
  };
  await untilInterrupted(async (signal) => {
    let file: RedirectFile | undefined;
    const server = await serveLoopback((authority) =>
      createSite(pages, { authority, token, cookie }, () => file?.remove())
    );
    const address = `http://${server.authority}/${token}/${page}`;
    // The session is read while the browser starts; the page reports errors.
    if (first !== undefined) sessions.prepare(first.ref, first.more["thread"]).catch(() => {});
    if (browser) file = redirectFile(redirectPage(address).markup);
    const started = file === undefined ? undefined : openBrowser(context, file.path);
    if (started === undefined) context.stdout.write(`${address}\n`);
    else {
      await say(context, `Opening the browser; press ^C to stop: ${address}`);
      // It fails over SSH, without a screen. A browser may run on, so its end is not awaited.
      started.then(async (success) => {
        if (!success) await say(context, "No browser opened. Open the address above yourself");
      });
    }
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await server.close();
    file?.remove();
  });
}

function redirectFile(html: string): RedirectFile | undefined {
  try {
    return new RedirectFile(html);
  } catch {
    // Without a temporary folder, the address is printed.
    return undefined;
  }
}

/** Resolves a reference for a page's address. `named` overrides the reference's thread. */
async function placeOf(
  context: Context,
  library: Library,
  given: string,
  named?: string,
): Promise<{ ref: string; more: Record<string, string>; anchor: string }> {
  const { parseRef } = await import("../../lib/core/store/ref.ts");
  const { AGENT_NAMES } = await import("../../lib/core/event/agent_name.ts");
  const handle = await openPlain(library, given);
  const parsed = parseRef(given, AGENT_NAMES);
  const { seq } = handle;
  const thread = named ?? handle.thread;
  return {
    ref: parsed.kind === "path" ? resolve(context.cwd, parsed.path) : (await handle.summary()).ref,
    more: present({ seq: seq?.toString(), thread }),
    anchor: seq === undefined ? "" : `e${seq}`,
  };
}

async function openPlain(library: Library, given: string): Promise<SessionHandle> {
  try {
    return await library.open(given);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "encrypted") throw error;
    const message = `Cannot open ${given} in the browser: it is encrypted. To import it: ` +
      `reprise import ${given}. To export it: reprise export ${given} --format html --out FILE`;
    throw new SessionError("unsupported-source", message, { path: given }, error);
  }
}

/** A temporary file that redirects the browser to a secret address. Only the user can read it. */
export class RedirectFile {
  readonly path: string;
  readonly #folder = new TemporaryFolder("open");

  /** @throws The system's error, such as for a full disk */
  constructor(html: string) {
    this.path = join(this.#folder.path, "reprise.html");
    writeTextFileSync(this.path, html, { mode: 0o600, createNew: true });
  }

  remove(): void {
    this.#folder[Symbol.dispose]();
  }
}

/** Commands that open a file, by operating system. The first installed command is used. */
const OPENERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [["open"]],
  windows: [["rundll32", "url.dll,FileProtocolHandler"]],
};
const OTHER_OPENERS = [["xdg-open"], ["wslview"], ["gio", "open"]];

/** Resolves to false if the program that opens the browser failed. */
type StartedBrowser = Promise<boolean>;

function openBrowser(
  context: Context,
  file: string,
): StartedBrowser | undefined {
  for (const [name = "", ...args] of OPENERS[operatingSystem] ?? OTHER_OPENERS) {
    const program = userProgram(context, name, context.cwd);
    if (program === undefined) continue;
    try {
      const { status } = startProgram(program, {
        args: [...args, file],
        stdin: "null",
        stdout: "null",
        stderr: "null",
        // ^C ends the server, and not the browser.
        detached: true,
      });
      return status.then(({ code }) => code === 0, () => false);
    } catch {
      // The next one may be runnable.
    }
  }
  return undefined;
}
