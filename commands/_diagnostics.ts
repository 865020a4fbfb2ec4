/** Reports the damage in a log that a command reads for another purpose. */
import { type Diagnostic, isFault, type Report } from "../lib/core/log/diagnostic.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import type { SourceAccount } from "../lib/agents/contract/agent.ts";

export interface DiagnosticCount {
  report: Report;
  tell(context: Context, ref: string): Promise<void>;
}

/**
 * Returns a counter of the diagnostics that mean lost or changed bytes. It ignores all other
 * diagnostics, which only `doctor` reports.
 */
export function countDiagnostics(): DiagnosticCount {
  const counts = new Map<string, number>();
  return {
    report({ code }: Diagnostic): void {
      if (isFault(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
    },
    async tell(context, ref): Promise<void> {
      if (counts.size === 0) return;
      const found = [...counts].map(([code, count]) => `${count} ${code}`).join(", ");
      await say(context, `reprise: the log is damaged (${found}). See: reprise doctor ${ref}`);
    },
  };
}

/**
 * Describes how many bytes or rows of a session are events, damage and so on. The numbers add up to
 * the total.
 */
export function describeTally(
  { total, unit, events, side, dead, damage, blank }: SourceAccount,
): string {
  const parts = [
    `${events} of events`,
    ...Object.entries(side).map(([type, count]) => `${count} of ${type}`),
    ...(dead === 0 ? [] : [`${dead} from other branches or subagents`]),
    `${damage} of damage`,
    `${blank} blank`,
  ];
  return `${total} ${unit} = ${parts.join(" + ")}`;
}
