/**
 * Links: only to where a browser can go without harm; all others are text that shows the address.
 *
 * @module
 */
import { sanitizeLine } from "../sanitize.ts";
import { safe, type SafeHtml } from "./safe_html.ts";

const ALLOWED = /^(?:https?:\/\/|mailto:)[^\s<>"\\]+$/i;
const TAGS = /<[^>]*>/g;

/** Longest address that is shown whole. */
const SHOWN = 300;

/** A link, or its text and its address. */
export function linkHtml(href: string, text: SafeHtml): SafeHtml {
  const shown = shownAddress(href);
  const named = text.markup.replaceAll(TAGS, "").trim() === "" ? safe`${shown}` : text;
  if (!ALLOWED.test(href) || sanitizeLine(href) !== href) {
    return named === text ? safe`${text} (<code>${shown}</code>)` : safe`<code>${shown}</code>`;
  }
  return safe`<a href="${href}" rel="noreferrer noopener">${named}</a>`;
}

/** An image that is not loaded: what it shows and where it lies. */
export function imageNote(href: string, text: string): SafeHtml {
  const label = text.trim() === "" ? "[image]" : `[image: ${text}]`;
  return safe`${label} (<code>${shownAddress(href)}</code>)`;
}

function shownAddress(href: string): string {
  return sanitizeLine(href.length > SHOWN ? `${href.slice(0, SHOWN).toWellFormed()}…` : href);
}
