/** Draws charts as SVG that needs no script. */
import { joinHtml, NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";

interface Bar {
  name: string;
  value: number;
  label: string;
}

const WIDTH = 900;
const HEIGHT = 180;
const TOP = 18;
const BOTTOM = 20;
const WIDEST = 48;

/** Draws a column for each day, the first and last of them named. */
export function columnChart(title: string, bars: readonly Bar[]): SafeHtml {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  if (most === 0) return NOTHING;
  const step = Math.min(WIDEST, WIDTH / bars.length);
  const height = HEIGHT - TOP - BOTTOM;
  const columns = bars.map(({ name, value, label }, index) => {
    const size = value / most * height;
    return safe`<rect x="${fixed(index * step + step * 0.1)}" y="${
      fixed(TOP + height - size)
    }" width="${fixed(step * 0.8)}" height="${
      fixed(size)
    }"><title>${name}: ${label}</title></rect>`;
  });
  const highest = bars.find(({ value }) => value === most);
  const base = HEIGHT - BOTTOM;
  return safe`<figure class="chart"><figcaption>${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}; the highest is ${highest?.label} on ${highest?.name}. The table below has all figures.">
<line x1="0" x2="${WIDTH}" y1="${base}" y2="${base}"></line>
${joinHtml(columns, "\n")}
<text x="4" y="12">${highest?.label}</text>
<text x="4" y="${HEIGHT - 6}">${bars[0]?.name}</text>
${lastName(bars, step)}
</svg></figure>`;
}

function lastName(bars: readonly Bar[], step: number): SafeHtml {
  const end = Math.max(150, bars.length * step);
  if (bars.length < 2) return NOTHING;
  return safe`<text x="${fixed(end - 4)}" y="${HEIGHT - 6}" text-anchor="end">${
    bars.at(-1)?.name
  }</text>`;
}

/** Draws a bar for the share of the largest value, beside the figure. */
export function shareBar(value: number, most: number): SafeHtml {
  if (most <= 0) return NOTHING;
  return safe`<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${
    fixed(value / most * 100)
  }" height="10"></rect></svg>`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
