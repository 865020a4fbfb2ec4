/** Builds the search index on request, and shows its progress. */
import { present } from "../event/present.ts";
import { startThread } from "../platform/thread.ts";
import { formatBytes } from "../render/byte_size.ts";
import { NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import type { UpdateOrder, UpdateProgress } from "../search/index/update_worker.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sitePage } from "./site_frame.ts";

/** Bytes of a search that an index would make notably faster. */
const MUCH_BYTES = 20e6;

/** Renders the button that builds the index; nothing after a search that read little. */
export function buildButton(
  { library }: SiteContext,
  words: string,
  scanned_bytes: number,
): SafeHtml {
  if (library.cache === undefined || scanned_bytes < MUCH_BYTES) return NOTHING;
  const address = `index?${new URLSearchParams({ q: words })}`;
  return safe`<form class="build" method="post" action="${address}"><p>This search read ${
    formatBytes(scanned_bytes)
  } of sessions. An index makes searches fast. <button type="submit">Build the index</button></p></form>\n`;
}

/** Builds the index in another thread. The page grows until it is complete. */
export async function indexPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { cache, kept: { folder, version } } = site.library;
  const words = query.get("q") ?? "";
  const again = words === ""
    ? safe`<a href="./">All sessions</a>`
    : safe`<a href="./?${String(new URLSearchParams({ q: words }))}">Search again: ${words}</a>`;
  const body = safe`<h1>Search index</h1>`;
  const page = { title: "Search index", place: "session", body } as const;
  if (cache === undefined) {
    const told =
      safe`${body}\n<p class="notice">The cache is switched off, so there is no index.</p>\n`;
    return sitePage({ ...page, body: told }, site.version);
  }
  const order = {
    cache,
    kept: present({ folder, version }),
    sessions: await site.library.sessions(),
  };
  const rest = async function* (): AsyncGenerator<SafeHtml> {
    let last: UpdateProgress | undefined;
    for await (last of updates(order)) yield progressHtml(last);
    yield safe`<p class="stage">${outcomeText(last)} ${again}</p>\n`;
  };
  return sitePage({ ...page, rest }, site.version);
}

/** Each is shown until the next one comes, so there are few. */
const MOST_SHOWN = 100;

/** Starts the thread, and yields its progress. It goes on when the reader leaves. */
async function* updates(order: UpdateOrder): AsyncGenerator<UpdateProgress> {
  let next: UpdateProgress | undefined;
  let wake = Promise.withResolvers<void>();
  let is_ended = false;
  const thread = startThread<UpdateOrder, UpdateProgress>(
    "search/index/update_worker",
    order,
    (progress) => {
      next = progress;
      wake.resolve();
    },
  );
  void thread.then(() => {
    is_ended = true;
    wake.resolve();
  });
  let shown = -Infinity;
  while (!is_ended || next !== undefined) {
    if (next === undefined) await wake.promise;
    wake = Promise.withResolvers();
    const progress = next;
    next = undefined;
    if (progress === undefined) continue;
    const is_due = progress.done - shown >= progress.all / MOST_SHOWN;
    if (!is_due && progress.result === undefined) continue;
    shown = progress.done;
    yield progress;
  }
}

function progressHtml({ done, all }: UpdateProgress): SafeHtml {
  return safe`<p class="stage"><progress max="${all}" value="${done}" aria-label="Index"></progress> Reading ${
    formatBytes(done)
  } of ${formatBytes(all)}</p>\n`;
}

function outcomeText(last: UpdateProgress | undefined): string {
  const { result } = last ?? {};
  if (result === undefined) return "Cannot build the index; to see why: reprise index build";
  return result.state === "locked"
    ? "Another process builds the index now."
    : `The index is complete: ${formatBytes(result.read_bytes)} of sessions were read.`;
}
