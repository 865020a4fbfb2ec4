/**
 * Makes the README's picture `.github/terminal.svg`: what a terminal shows of the sample sessions.
 * It needs tmux. The same sources give the same bytes.
 */
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SIZE = { columns: 92, rows: 40 };
/** What is typed, line by line. */
const TYPED = ["list --all", "show 8d1f#20"];
/** Rows of the picture; the rest of the last command's output is cut off. */
const SHOWN_ROWS = 30;

const CELL = { width: 8.4, height: 19 };
const PADDING = 16;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Colours of a terminal: on a light ground, and on a dark one. */
const LIGHT = [
  "#6e7781",
  "#b3261e",
  "#116329",
  "#7d4e00",
  "#0550ae",
  "#8250df",
  "#1b7c83",
  "#57606a",
];
const DARK = [
  "#6e7681",
  "#ff7b72",
  "#56d364",
  "#e3b341",
  "#79c0ff",
  "#d2a8ff",
  "#56d4dd",
  "#c9d1d9",
];
const GROUND = { light: ["#ffffff", "#24292f"], dark: ["#0d1117", "#e6edf3"] } as const;

/** The style of a run of characters, as the classes of its element. */
type Style = ReadonlySet<string>;

/** Characters of one style in a line, and the column where they begin. */
interface Run {
  column: number;
  width: number;
  text: string;
  style: Style;
}

/** Classes that a code of SGR takes away, and those that it gives. */
const CLEARS: Readonly<Record<number, RegExp>> = {
  0: /./,
  22: /^[bd]$/,
  23: /^i$/,
  24: /^u$/,
  39: /^f/,
};
const SETS: Readonly<Record<number, string>> = { 1: "b", 2: "d", 3: "i", 4: "u" };

/** Returns the style after an SGR sequence. Bright colours are drawn as the others. */
function restyled(style: Style, sequence: string): Style {
  const next = new Set(style);
  const [first = 0, ...more] = sequence.split(";").map(Number);
  for (const code of first === 38 ? [] : [first, ...more]) {
    const set = SETS[code];
    const isColour = (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
    const clears = isColour ? /^f/ : CLEARS[code];
    for (const name of style) if (clears?.test(name)) next.delete(name);
    if (set !== undefined) next.add(set);
    if (isColour) next.add(`f${code % 10}`);
  }
  return next;
}

/** True for characters that take two columns. */
function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/.test(
    character,
  );
}

function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (isWide(character) ? 2 : 1), 0);
}

/** Splits a line of a screen, with its SGR sequences, into runs of one style. */
function runsOf(line: string, start: Style): { runs: Run[]; style: Style } {
  const runs: Run[] = [];
  let style = start;
  let column = 0;
  // deno-lint-ignore no-control-regex
  for (const [, sequence, text = ""] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (sequence !== undefined) style = restyled(style, sequence);
    // Spaces at the ends are left out, and long ones split a run: a renderer may collapse them.
    for (const piece of text.match(/ +|[^ ]+(?: [^ ]+)*/g) ?? []) {
      const width = columnsOf(piece);
      if (piece.trim() !== "") runs.push({ column, width, text: piece, style });
      column += width;
    }
  }
  return { runs, style };
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Returns the element of a run. Its width is fixed, because fonts differ. */
function textElement({ column, width, text, style }: Run, row: number): string {
  const x = rounded(PADDING + column * CELL.width);
  const y = rounded(PADDING + (row + 0.75) * CELL.height);
  const names = style.size === 0 ? "" : ` class="${[...style].sort().join(" ")}"`;
  const length = ` textLength="${rounded(width * CELL.width)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text x="${x}" y="${y}"${length}${names}>${escapeXml(text)}</text>`;
}

function colours(palette: readonly string[], [ground, front]: readonly string[]): string {
  return `rect{fill:${ground}}text{fill:${front}}` +
    palette.map((colour, index) => `.f${index}{fill:${colour}}`).join("");
}

/** Returns a picture of a screen: lines of text with SGR sequences. */
export function screenPicture(lines: readonly string[], columns: number): string {
  const width = rounded(columns * CELL.width + 2 * PADDING);
  const height = rounded(lines.length * CELL.height + 2 * PADDING);
  let style: Style = new Set();
  const elements: string[] = [];
  for (const [row, line] of lines.entries()) {
    const read = runsOf(line, style);
    style = read.style;
    elements.push(...read.runs.map((run) => textElement(run, row)));
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Reprise lists sessions and shows one">`,
    `<style>text{font:14px ${FONT};white-space:pre}.b{font-weight:bold}.d{opacity:.65}` +
    `.i{font-style:italic}.u{text-decoration:underline}${colours(LIGHT, GROUND.light)}` +
    `@media(prefers-color-scheme:dark){${colours(DARK, GROUND.dark)}}</style>`,
    `<rect width="100%" height="100%" rx="8"/>`,
    ...elements,
    "</svg>",
    "",
  ].join("\n");
}

/** Runs tmux with a server of its own. */
async function tmux(
  socket: string,
  env: Record<string, string>,
  ...args: string[]
): Promise<string> {
  const command = new Deno.Command("tmux", { args: ["-L", socket, ...args], clearEnv: true, env });
  const { success, stdout, stderr } = await command.output();
  if (!success) throw new Error(`Cannot run tmux: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** Types the lines into a terminal, and returns its screen. */
async function takeScreen(folder: string): Promise<string[]> {
  const variables = ["PATH", "DENO_DIR", "DENO_TLS_CA_STORE"].map((
    name,
  ) => [name, Deno.env.get(name)]);
  const env: Record<string, string> = {
    ...Object.fromEntries(variables.filter(([, value]) => value !== undefined)),
    ...{ HOME: "/home/ada", REPRISE_HOME: `${folder}/store`, TMUX_TMPDIR: folder },
    ...{
      TERM: "xterm-256color",
      LANG: "en_US.UTF-8",
      TZ: "UTC",
      PAGER: "cat",
      REPRISE_PAGER: "cat",
    },
  };
  env.DENO_DIR ??= `${Deno.env.get("HOME")}/.cache/deno`;
  const reprise = `'${Deno.execPath()}' run --quiet --lock='${ROOT}deno.lock' -A '${ROOT}main.ts'`;
  const lines = TYPED.flatMap((typed) => [
    `printf '\\033[2m$\\033[0m \\033[1mreprise ${typed}\\033[0m\\n'`,
    `${reprise} ${typed} --no-cache`,
    "echo",
  ]);
  // The script ends where nobody sees it: the last command's output is longer than the picture.
  await Deno.writeTextFile(
    `${folder}/script.sh`,
    `${lines.join("\n")}\ntouch '${folder}/done'\nexec cat\n`,
  );
  const socket = "picture";
  const size = ["-x", `${SIZE.columns}`, "-y", `${SIZE.rows}`];
  const script = `sh '${folder}/script.sh'`;
  await tmux(socket, env, "-u", "-f", "/dev/null", "new-session", "-d", ...size, script);
  try {
    while (!await Deno.stat(`${folder}/done`).then(() => true, () => false)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return (await tmux(socket, env, "capture-pane", "-p", "-e", "-S", "-")).split("\n");
  } finally {
    await tmux(socket, env, "kill-server");
  }
}

if (import.meta.main) {
  const folder = await Deno.makeTempDir();
  try {
    // A copy: the sample store is a part of the repository.
    const copied = await new Deno.Command("cp", {
      args: ["-r", `${ROOT}testdata/demo`, `${folder}/store`],
    }).output();
    if (!copied.success) throw new Error("Cannot copy the sample sessions");
    const screen = (await takeScreen(folder)).slice(0, SHOWN_ROWS);
    await Deno.writeTextFile(`${ROOT}.github/terminal.svg`, screenPicture(screen, SIZE.columns));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
