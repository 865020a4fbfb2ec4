/**
 * Renders the path of a file or a directory.
 *
 * @module
 */
import { sanitizeLine } from "../sanitize.ts";
import { joinHtml, safe, type SafeHtml } from "./safe_html.ts";

/** A path that breaks behind its separators, where it is longer than a line. */
export function pathHtml(path: string): SafeHtml {
  const steps = sanitizeLine(path).split(/(?=[^/\\])(?<=[^/\\][/\\]+)/);
  return joinHtml(steps.map((step, at) => at === 0 ? safe`${step}` : safe`<wbr>${step}`));
}
