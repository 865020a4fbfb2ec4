/**
 * Renders the start of a session: its first event and its instructions.
 *
 * @module
 */
import type { ContextSource, SessionStartedPayload } from "../../event/payload.ts";
import type { ContextItem, SessionItem } from "../../projection/transcript/transcript_item.ts";
import { formatBytes } from "../byte_size.ts";
import { parentName } from "../parent_name.ts";
import { joinWords, settingsText } from "../session_words.ts";
import { sanitizeLine } from "../sanitize.ts";
import { foldedHtml } from "./folded.ts";
import { timeHtml } from "./moment.ts";
import { pathHtml } from "./path.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** A fact and its name. */
export type Fact = readonly [string, SafeHtml | string | undefined];

/** Facts as a list; those that are not known are left out. */
export function factsHtml(facts: readonly Fact[]): SafeHtml {
  const known = facts.flatMap(([name, value]) => {
    const shown = typeof value === "string" ? safe`${sanitizeLine(value)}` : value;
    return shown === undefined || shown.markup === ""
      ? []
      : [safe`<div><dt>${name}</dt><dd>${shown}</dd></div>`];
  });
  return known.length === 0 ? NOTHING : safe`<dl class="facts">${joinHtml(known)}</dl>`;
}

/** HTML of the session's first event, folded. */
export function sessionHtml({ session }: SessionItem, view: HtmlView): SafeHtml {
  const facts = factsHtml(sessionFacts(session, view));
  return foldedHtml("Session started", pathHtml(session.cwd), facts);
}

function sessionFacts(session: SessionStartedPayload, view: HtmlView): Fact[] {
  const { app, git, parent, imported_from: origin } = session;
  return [
    ["Title", session.title],
    ["Session", session.session_id],
    ["Directory", pathHtml(session.cwd)],
    ["Created", timeHtml(session.created_at, view.format_time)],
    ["Program", app && joinWords(app.name, app.version)],
    ["Branch", git && joinWords(git.branch, git.commit)],
    ["Remote", git?.remote],
    ["Parent", parent && joinWords(parentName(parent), parent.reason)],
    [
      "Imported from",
      origin && joinWords(origin.agent, origin.id, origin.agent_version, origin.path),
    ],
    ["Settings", settingsText(session)],
  ];
}

/** HTML of the instructions that were loaded. */
export function contextHtml({ sources }: ContextItem): SafeHtml {
  const entries = sources.map((source) => safe`<li>${sourceHtml(source)}</li>`);
  const count = `${sources.length} ${sources.length === 1 ? "file" : "files"}`;
  return foldedHtml("Instructions loaded", count, safe`<ul>${joinHtml(entries)}</ul>`);
}

function sourceHtml(source: ContextSource): SafeHtml {
  const path = safe`<code>${sanitizeLine(source.path)}</code>`;
  if (source.error !== undefined) {
    return safe`${path} <b class="fail">could not be loaded</b>: ${sanitizeLine(source.error)}`;
  }
  return safe`${path} (${formatBytes(source.bytes)}${source.truncated ? ", cut" : ""})`;
}
