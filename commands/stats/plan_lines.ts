/** Renders the limits of plans, to print below the windows of `reprise stats --by window`. */
import type { Library } from "../../lib/library/library.ts";
import type { SharedWindow } from "../../lib/library/limits/plan/plan_windows.ts";

export async function planBlock(
  library: Library,
  windows: readonly SharedWindow[],
  { now, width }: { now: number; width: number },
): Promise<string> {
  if (windows.length === 0) return "";
  const { percentText, planLines } = await import("../../lib/text/render/plan_text.ts");
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const { cutText } = await import("../../lib/text/render/text_width.ts");
  const { wrapWords } = await import("../../lib/text/render/wrap.ts");
  const lines = planLines(windows, now, library).flatMap(({ line, windows: [first] }) => [
    ...wrapWords(line, width),
    ...(first?.sessions ?? []).filter(({ title }) => title !== undefined)
      .map(({ ref, percent, title = "" }) =>
        cutText(`  ~${percentText(percent).padEnd(5)} ${ref}  ${sanitizeLine(title)}`, width)
      ),
  ]);
  return lines.map((line) => `${line}\n`).join("");
}
