/** Reports the findings in a log that a command read for another purpose. */
import type { Diagnostic, Report } from "../lib/log/diagnostic.ts";
import { isFault } from "../lib/log/diagnostic.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

/** Counts findings by code. */
export interface DiagnosticCount {
  report: Report;
  /** Says the count on stderr, if there is one to say. */
  tell(context: Context, ref: string): Promise<void>;
}

/** Counts what means loss or change; the rest is for `verify` to tell. */
export function countDiagnostics(): DiagnosticCount {
  const counts = new Map<string, number>();
  return {
    report({ code }: Diagnostic): void {
      if (isFault(code)) counts.set(code, (counts.get(code) ?? 0) + 1);
    },
    async tell(context, ref): Promise<void> {
      if (counts.size === 0) return;
      const found = [...counts].map(([code, count]) => `${count} ${code}`).join(", ");
      await say(context, `reprise: the log is damaged: ${found}; see: reprise verify ${ref}`);
    },
  };
}
