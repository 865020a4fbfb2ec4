/** Renders the statistics of two periods beside each other. */
import { countedTokens } from "../../../core/projection/token_usage.ts";
import type { UsageTotal } from "../../../core/projection/usage_totals.ts";
import { joinHtml, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { costText } from "../cost_text.ts";
import { MOST_ROWS } from "./group_table.ts";
import { changeText } from "./work_tables.ts";

/** Renders a row for each group, the dearest first. Omits groups without cost and tokens. */
export function compareHtml(
  title: string,
  [now, before]: readonly [readonly UsageTotal[], readonly UsageTotal[]],
  nameOf: (group: UsageTotal) => SafeHtml,
): SafeHtml {
  const pairs = new Map(now.map((group) => [group.group, [group] as UsageTotal[]]));
  const old = new Map(before.map((group) => [group.group, group]));
  const names = [...new Set([...pairs.keys(), ...old.keys()])];
  const costOf = (name: string): number =>
    Math.max(pairs.get(name)?.[0]?.cost_usd ?? 0, old.get(name)?.cost_usd ?? 0);
  const rows = names.sort((one, other) => costOf(other) - costOf(one)).slice(0, MOST_ROWS)
    .flatMap((name) => {
      const [one, other] = [pairs.get(name)?.[0], old.get(name)];
      const named = one ?? other;
      if (named === undefined) return [];
      if (
        costOf(name) === 0 && [one, other].every((total) => countedTokens(total?.usage ?? {}) === 0)
      ) {
        return [];
      }
      const tokens = [one, other].map((total) =>
        total === undefined ? 0 : countedTokens(total.usage)
      );
      const cells = [
        one === undefined ? "" : costText(one),
        other === undefined ? "" : costText(other),
        growth(one?.cost_usd ?? 0, other?.cost_usd ?? 0),
        ...tokens.map((count) => count === 0 ? "" : formatTokens(count)),
        growth(tokens[0] ?? 0, tokens[1] ?? 0),
      ];
      return [
        safe`<tr><td class="name">${nameOf(named)}</td>${
          joinHtml(cells.map((text) => safe`<td>${text}</td>`))
        }</tr>`,
      ];
    });
  const heads = ["Cost", "before", "change", "Tokens", "before", "change"]
    .map((name) => safe`<th scope="col">${name}</th>`);
  return safe`<section><h2>${title}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${title}"><table class="sums">
<thead><tr><th class="name" scope="col">Name</th>${joinHtml(heads)}</tr></thead>
<tbody>${joinHtml(rows, "\n")}</tbody></table></div></section>`;
}

/** Writes a number's change: `new`, `gone`, `+12 %`, `413 ×`, or nothing if it is the same. */
function growth(value: number, before: number): string {
  if (before === 0) return value === 0 ? "" : "new";
  return value === 0 ? "gone" : changeText(value, before).replace(/ on$|as in/, "");
}
