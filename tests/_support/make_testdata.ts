/**
 * Writes testdata/logs anew: `deno run -A tests/_support/make_testdata.ts`. The
 * same bytes each time, so that a change of the format shows as a change of these files.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { audienceCases } from "./testdata/audience_cases.ts";
import { callCases } from "./testdata/call_cases.ts";
import { compactionCases } from "./testdata/compaction_cases.ts";
import { damagedCases } from "./testdata/damaged_cases.ts";
import { foreignCases } from "./testdata/foreign_cases.ts";
import type { LogCase } from "./testdata/log_case.ts";
import { sessionCases } from "./testdata/session_cases.ts";

/** The folder that holds the test data. */
export const TESTDATA = new URL("../../testdata/", import.meta.url);

/** Every log of testdata/logs, by name. */
export function logCases(): LogCase[] {
  return [
    ...sessionCases(),
    ...audienceCases(),
    ...callCases(),
    ...compactionCases(),
    ...damagedCases(),
    ...foreignCases(),
  ].sort((a, b) => a.name < b.name ? -1 : 1);
}

function readme(cases: readonly LogCase[]): string {
  const rows = cases.map(({ name, says, found, folded, events }) => {
    const codes = [...found, ...folded].map((code) => `\`${code}\``).join(", ");
    return `| \`${name}.jsonl\` | ${says} | ${events} | ${codes} |`;
  });
  return `# Logs, one behaviour each

Made by \`deno run -A tests/_support/make_testdata.ts\`; do not edit them by hand. The last two columns say how many
events a tolerant reader returns, and what \`doctor\` finds: in the lines first, then in the order of the events.

| file | shows | events | findings |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** Every generated file: path below testdata, and bytes. */
export function testdataFiles(): Map<string, Uint8Array> {
  const cases = logCases();
  const files = new Map<string, Uint8Array>();
  for (const { name, bytes } of cases) files.set(`logs/${name}.jsonl`, bytes);
  files.set("logs/README.md", new TextEncoder().encode(readme(cases)));
  return files;
}

if (import.meta.main) {
  for (const [path, bytes] of testdataFiles()) {
    const target = fileURLToPath(new URL(path, TESTDATA));
    Deno.mkdirSync(dirname(target), { recursive: true });
    Deno.writeFileSync(target, bytes);
  }
}
