/** Renders labels that several pages show: agents, times, tags, paths and commands. */
import { quoteWord } from "../../core/platform/shell_word.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { TEAM_REF } from "../../core/store/ref.ts";
import { timeHtml } from "../../text/render/html_document/elements.ts";
import { NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { memberOf } from "../../text/render/origin_title.ts";
import { relativeTime } from "../../text/render/relative_time.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { timeLabel } from "../../text/render/time_label.ts";
import { filterQuery } from "./list/filter.ts";
import { HUES } from "./list/list_style.ts";
import type { SiteContext } from "./site_context.ts";

export function agentHtml(agent: string): SafeHtml {
  return safe`<span class="badge hue${hueOf(agent)}">${sanitizeLine(agent)}</span>`;
}

function hueOf(agent: string): number {
  let sum = 0;
  for (const letter of agent) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return sum % HUES.length;
}

export function agoHtml(iso: string | undefined, { now, format_time }: SiteContext): SafeHtml {
  if (iso === undefined) return NOTHING;
  return safe`<span title="${timeLabel(iso, format_time)}">${
    timeHtml(iso, relativeTime(now().getTime()))
  }</span>`;
}

export function tagHtml(tag: string): SafeHtml {
  return safe`<a class="tag" href="./${filterQuery({ tag })}">#${sanitizeLine(tag)}</a>`;
}

/** Returns a model's name without its date. */
export function modelName(model: string): string {
  return sanitizeLine(model).replace(/[-@]20\d{6}$/, "");
}

export function shortPath(path: string): string {
  const names = path.split(/[/\\]/).filter((name) => name !== "");
  return names.length <= 2 ? path : names.slice(-2).join("/");
}

/** Renders a notice that there is nothing to show: where Reprise searched, and what to do. */
export function emptyHtml(title: string, where: string, act: SafeHtml): SafeHtml {
  return safe`<section class="empty"><h2>${title}</h2><p>${where}</p>${act}</section>`;
}

/** Returns the command that continues a session. A team member's read-only session is forked. */
export function resumeCommand(ref: string): string {
  return `reprise ${ref.startsWith(TEAM_REF) ? "fork" : "resume"} ${quoteWord(ref)}`;
}

export function senderHtml(row: Pick<Summary, "ref" | "machine">): SafeHtml {
  const { machine } = row;
  if (machine !== undefined) return safe`<span class="member">on ${sanitizeLine(machine)}</span>`;
  const member = memberOf(row);
  if (member === undefined) return NOTHING;
  return safe`<span class="member">shared by ${sanitizeLine(member)}</span>`;
}
