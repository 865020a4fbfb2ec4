/** The results of all processes in one file, for `--junit-path`. */

const NAMES = ["tests", "failures", "errors"] as const;
/** The element that holds all suites of a process. */
const SUITES = /<testsuites [^>]*>\n?([\s\S]*)<\/testsuites>/;

function partOf(folder: string, at: number): string {
  return `${folder}/results_${at}.xml`;
}

/** The flag that lets a process write its results into a folder. */
export function junitFlags(folder: string, at: number, path: string | undefined): string[] {
  return path === undefined ? [] : [`--junit-path=${partOf(folder, at)}`];
}

function attribute(text: string, name: string): number {
  return Number(new RegExp(`<testsuites [^>]*\\b${name}="([^"]*)"`).exec(text)?.[1] ?? 0);
}

/** Joins the results of processes. One that was killed wrote none. */
export function joinJunit(folder: string, count: number, path: string): void {
  const texts = Array.from({ length: count }, (_, at) => {
    try {
      return Deno.readTextFileSync(partOf(folder, at));
    } catch {
      return "";
    }
  });
  const sums = NAMES.map((name) =>
    `${name}="${texts.reduce((sum, text) => sum + attribute(text, name), 0)}"`
  );
  const time = Math.max(...texts.map((text) => attribute(text, "time")));
  const suites = texts.map((text) => SUITES.exec(text)?.[1] ?? "").join("");
  const begin = `<testsuites name="deno test" ${sums.join(" ")} time="${time.toFixed(3)}">`;
  Deno.writeTextFileSync(
    path,
    `<?xml version="1.0" encoding="UTF-8"?>\n${begin}\n${suites}</testsuites>\n`,
  );
}
