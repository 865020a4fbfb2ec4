/** Writes the report of a repair for people. */
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { RepairReport } from "../../lib/repair/examine_session.ts";
import type { RepairFinding, RepairOption } from "../../lib/repair/finding.ts";
import { counted } from "../../lib/render/counted.ts";
import type { ClientEnd } from "../../lib/source/session_repair.ts";

type Named = Pick<SessionHandle, "ref" | "agent_title">;

const ENDS: Readonly<Record<ClientEnd, string>> = {
  refuses: "refuses the session",
  wipes: "may take the file for empty and write it anew: a resume could lose all of it",
  hangs: "hangs or fails when the session is resumed",
  "does-not-find": "does not find the session",
};

const NEEDED: Readonly<Record<RepairOption, string>> = {
  relink: "with --relink: follows the record before it in the file (a guess)",
  cwd: "with --cwd DIRECTORY: a new one is made; the rest is not repaired without it",
  trim_output: "with --trim-output BYTES: what tools gave is cut, which changes words",
};

const REPEATED = "with --relink: gets an id of its own, and stands before the other (a guess)";

/** A report, finding by finding. */
export function reportText(
  session: Named,
  report: RepairReport,
  { written }: { written: boolean },
): string {
  const { findings, more_findings, client, messages, repairable } = report;
  const { ref, agent_title } = session;
  if (findings.length === 0) {
    return `Nothing to repair in ${ref}: the model gets ${counted(messages.before, "message")}`;
  }
  const lines = findings.flatMap((finding) => findingLines(agent_title, finding));
  if (more_findings > 0) lines.push(`and ${more_findings} more of this kind`);
  if (client !== undefined) lines.push(`${agent_title} ${ENDS[client]}`);
  const { before, after } = messages;
  lines.push(`The model gets ${counted(before, "message")} today, ${after} once it is repaired`);
  if (!repairable) lines.push("Nothing of this can be repaired as it was asked for");
  else if (!written) lines.push(`Write it with: reprise repair ${ref} --in-place --write`);
  return lines.join("\n");
}

function findingLines(title: string, finding: RepairFinding): string[] {
  const { line, offset, found, today, repair, needs } = finding;
  const needed = finding.damage === "repeated-id" ? REPEATED : needs && NEEDED[needs];
  const does = [
    ...(repair === undefined ? [] : [repair]),
    ...(needs === undefined ? [] : [needed]),
  ];
  return [
    `line ${line}, byte ${offset}: ${found}`,
    ...(today === undefined ? [] : [`  ${title}: ${today}`]),
    `  repair: ${does.length === 0 ? "none; it stays as it is" : does.join("; ")}`,
  ];
}

/** What SQLite says of a database. */
export function databaseText({ ref }: Named, faults: readonly string[]): string {
  const found = faults.length === 0
    ? "The database is sound"
    : ["SQLite says of the database:", ...faults.map((fault) => `  ${fault}`)].join("\n");
  return `${found}\nA database of another agent is never changed. Export what can be read: ` +
    `reprise export ${ref} --out FILE`;
}
