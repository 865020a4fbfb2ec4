/** Writes an export to where it is to go: all of it, or no file. */
import type { ExportFormat } from "../../lib/export/export_document.ts";
import type { SealTarget } from "../../lib/seal/seal.ts";
import type { Context } from "../_context.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { type ExportOutput, openExport } from "./output.ts";
import { openPagesExport } from "./pages_output.ts";
import { sealedOutput } from "./sealed_output.ts";

/** Where an export goes. */
export interface OutputFlags {
  /** The file to make; stdout where it is absent. */
  out?: string;
  force?: true;
  single?: true;
  format?: ExportFormat;
  /** The keys that will open it; absent of a plain one. */
  target?: SealTarget;
}

/** Writes the content. The output must be drained after each piece. */
export type WriteAll = (output: ExportOutput, signal?: AbortSignal) => Promise<void>;

/** Writes all of it, or leaves no file: ^C takes away what was begun. Returns what was written. */
export async function writeOutput(
  context: Context,
  flags: OutputFlags,
  write: WriteAll,
): Promise<string | undefined> {
  async function writeWith(signal?: AbortSignal): Promise<string | undefined> {
    const output = await openOutput(context, flags);
    try {
      await write(output, signal);
      signal?.throwIfAborted();
      await output.commit();
      return output.written;
    } finally {
      output.discard();
    }
  }
  // Stdout leaves nothing behind, and one that nobody reads would keep a signal from being heard.
  return flags.out === undefined ? await writeWith() : await untilInterrupted(writeWith);
}

async function openOutput(
  context: Context,
  { out, force: forced, single, format, target }: OutputFlags,
): Promise<ExportOutput> {
  const force = forced ?? false;
  if (target !== undefined) {
    const output = openExport(context, out, force);
    try {
      return await sealedOutput(output, target);
    } catch (error) {
      output.discard();
      throw error;
    }
  }
  return out !== undefined && format === "html" && !single
    ? openPagesExport(context, out, force)
    : openExport(context, out, force);
}
