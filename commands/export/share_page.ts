/** Shares a session as a page in the user's own bucket. Lists and deletes the shared pages. */
import { counted } from "../../lib/core/event/counted.ts";
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { PageBucket } from "../../lib/features/team/s3/page_bucket.ts";
import type { SharedPage } from "../../lib/features/team/shared_pages.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import { type Context, timeFormat } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { printExact, say } from "../_message.ts";
import { isConfirmed } from "../_question.ts";
import { openWhole } from "../_session.ts";
import { InvalidArgument } from "../_values.ts";
import type { ExportOutput } from "./output.ts";

/** Maximum number of days that S3 lets a signed address be valid. */
const MOST_DAYS = 7;
/** Maximum bytes of a page. The limit exists because the whole page is in memory. */
const MOST_BYTES = 64 * 1024 * 1024;

export const SHARE_FLAGS = {
  "--share <bucket>": {
    help: "upload an HTML page into your own bucket, s3://BUCKET/FOLDER, and print its address",
    conflicts: ["out", "single", "force", "encrypt", "passphrase"],
  },
  "--days <number>": {
    help: `with --share: days until the address expires, at most ${MOST_DAYS} (default: 1)`,
    parse: parseDays,
  },
  "-y, --yes": "with --share: do not ask for confirmation",
  "--shared": "list the pages that you shared",
  "--unshare <page>": "delete shared pages: give a REF, an address, or the word expired",
} as const satisfies Flags;

type ShareFlags = FlagsOf<typeof SHARE_FLAGS>;

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= MOST_DAYS) return days;
  throw new InvalidArgument(`Give a whole number of days from 1 to ${MOST_DAYS}.`);
}

/** The session to share and the bucket for its page, both opened before the session is read. */
export interface PageTarget {
  source: SessionHandle;
  bucket: PageBucket;
  url: string;
  days: number;
  yes: boolean;
}

/**
 * Checks the flags of `--share`, opens the session, and finds the keys of the bucket's account.
 *
 * @throws {UsageError} if the flags ask for another format or keep secrets. Also thrown if neither
 * `--yes` nor a terminal gives consent.
 */
export async function openPageTarget(
  context: Context,
  ref: string,
  { share: url = "", days = 1, yes: agreed, format = "html", redact = true, identity }:
    & ShareFlags
    & { format?: string; redact?: boolean; identity?: readonly string[] },
): Promise<PageTarget> {
  const yes = agreed === true;
  if (format !== "html") {
    throw new UsageError("--share uploads a page of HTML, and no other format");
  }
  if (!redact) throw new UsageError("--share always replaces secrets: leave out --no-redact");
  const source = await openWhole(context, ref, present({ identity }));
  if (!yes && !(context.stdin_terminal && context.stderr.terminal)) {
    throw new UsageError(
      "Cannot ask whether to upload the page: this is not a terminal. Add --yes to upload it",
    );
  }
  return { source, bucket: await openBucket(context, url), url, days, yes };
}

async function openBucket(context: Context, url: string): Promise<PageBucket> {
  const { openPageBucket } = await import("../../lib/features/team/s3/page_bucket.ts");
  const { accountSources } = await import("../sync/connection.ts");
  return await openPageBucket(url, accountSources(context));
}

/** Holds a page in memory, so that nothing is uploaded before the user has agreed. */
export class HeldPage implements ExportOutput {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  write(text: string): void {
    this.writeBytes(new TextEncoder().encode(text));
  }

  writeBytes(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_BYTES) {
      const message = "Cannot share the page: it is larger than 64 MB. Shorten it: --tools brief";
      throw new SessionError("too-large", message);
    }
    this.#pieces.push(bytes);
  }

  commit(): void {}

  discard(): void {}

  get blob(): Blob {
    return new Blob(this.#pieces as Uint8Array<ArrayBuffer>[]);
  }
}

export async function publishPage(
  context: Context,
  { source, bucket, url, days, yes }: PageTarget,
  page: HeldPage,
): Promise<void> {
  const [{ sharePage }, { formatBytes }, { Redactor }] = await Promise.all([
    import("../../lib/features/team/shared_pages.ts"),
    import("../../lib/text/render/byte_size.ts"),
    import("../../lib/text/redaction/redactor.ts"),
  ]);
  const { ref } = source;
  const { title } = await source.summary();
  const html = new Uint8Array(await page.blob.arrayBuffer());
  const until = bucket.is_temporary
    ? `${counted(days, "day")}, or until your temporary keys expire`
    : counted(days, "day");
  const shown = title === undefined ? "" : `: ${new Redactor().text(title, "title")}`;
  await say(
    context,
    `Page of ${ref}${shown}\n` +
      `  content:   the whole conversation with its tool calls, ${formatBytes(html.length)}\n` +
      `  place:     ${bucket.name}\n` +
      `  readers:   everybody who has the address, for ${until}\n` +
      "  Unknown secrets may be left. Read the page first: " +
      `reprise export ${ref} --out page.html`,
  );
  if (!yes && !await isConfirmed(context, "Upload the page?")) {
    await say(context, "Nothing was uploaded");
    throw new CommandExit(STATUS.cancelled);
  }
  const { root } = contextLibrary(context);
  const now = context.now();
  await printExact(
    context,
    await sharePage(root, bucket, { ref, bucket: url, html, days, now }),
  );
  await say(context, `To delete the page: reprise export --unshare ${ref}`);
}

export async function listPages(context: Context): Promise<void> {
  const { readSharedPages } = await import("../../lib/features/team/shared_pages.ts");
  const pages = readSharedPages(contextLibrary(context).root);
  if (pages.length === 0) return await say(context, "No page is shared");
  const [
    { renderTable },
    { createStyle },
    { formatBytes },
    { sanitizeLine },
    { timeLabel },
  ] = await Promise.all([
    import("../../lib/text/render/table.ts"),
    import("../../lib/text/render/style.ts"),
    import("../../lib/text/render/byte_size.ts"),
    import("../../lib/text/render/sanitize.ts"),
    import("../../lib/text/render/time_label.ts"),
  ]);
  const format = timeFormat(context);
  const { terminal, width } = context.stdout;
  const cells = (text: (page: SharedPage) => string): string[] =>
    pages.map((page) => sanitizeLine(text(page)));
  const lines = renderTable([
    { name: "session", cells: cells(({ ref }) => ref) },
    {
      name: "expires",
      cells: cells(({ expires_at }) =>
        isExpired(context, expires_at) ? "expired" : timeLabel(expires_at, format)
      ),
    },
    { name: "size", cells: cells(({ bytes }) => formatBytes(bytes)), align: "right", weight: 1 },
    { name: "page", cells: cells(({ address }) => address) },
  ], { width: terminal ? width : Infinity, style: createStyle(false) });
  context.stdout.write(`${lines.join("\n")}\n`);
}

function isExpired(context: Context, expires_at: string): boolean {
  return new Date(expires_at) <= context.now();
}

export async function unsharePages(context: Context, what: string): Promise<void> {
  const { readSharedPages, unsharePage, withoutSignature } = await import(
    "../../lib/features/team/shared_pages.ts"
  );
  const { root } = contextLibrary(context);
  const pages = readSharedPages(root).filter((page) =>
    what === "expired"
      ? isExpired(context, page.expires_at)
      : page.address === withoutSignature(what) || names(what, page.ref)
  );
  if (what === "expired" && pages.length === 0) return await say(context, "No page has expired");
  const sessions = new Set(pages.map(({ ref }) => ref));
  if (pages.length === 0 || (what !== "expired" && sessions.size > 1)) {
    const reason = pages.length === 0
      ? "no shared page has this address or shows this session"
      : `this matches the shared pages of ${sessions.size} sessions: ${[...sessions].join(", ")}`;
    const message = `Cannot unshare ${what}: ${reason}. See: reprise export --shared`;
    throw new SessionError(pages.length === 0 ? "not-found" : "ambiguous", message, { ref: what });
  }
  let failed = false;
  for (const page of pages) {
    try {
      await unsharePage(root, await openBucket(context, page.bucket), page);
      await say(context, `Deleted the page of ${page.ref}: ${page.address}`);
    } catch (error) {
      // Another page may lie in another bucket.
      if (!(error instanceof SessionError)) throw error;
      failed = true;
      await say(context, `reprise: ${error.message}: ${page.address}`);
    }
  }
  if (failed) throw new CommandExit(STATUS.failed);
}

/** True if a text is the beginning of a session's reference, or of the id in the reference. */
function names(text: string, ref: string): boolean {
  return ref.startsWith(text) || ref.slice(ref.indexOf(":") + 1).startsWith(text);
}
