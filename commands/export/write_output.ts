/** Writes an export to its destination. After an error, no partial file remains. */
import { basename, dirname, extname, join, resolve } from "node:path";
import { draftPath } from "../../lib/core/file/draft_file.ts";
import type { ExportFormat } from "../../lib/features/export/export_document.ts";
import { mkdirSync, removeSync, renameSync } from "../../lib/core/platform/files.ts";
import type { SealTarget } from "../../lib/text/seal/seal.ts";
import type { Context } from "../_context.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { assertFree, type ExportOutput, guarded, openExport } from "./output.ts";

export interface OutputFlags {
  /** The file to write. Absent for stdout. */
  out?: string | undefined;
  force?: true;
  single?: true;
  format?: ExportFormat;
  target?: SealTarget | undefined;
  /** The destination of the content, if it is neither a file nor stdout. */
  output?: ExportOutput;
}

/** A function that writes the content of an export. It has to await `drain` after each piece. */
type WriteAll = (output: ExportOutput, signal?: AbortSignal) => Promise<void>;

/** Writes all content, or leaves no file, also after ^C. Returns the path, undefined for stdout. */
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
  // Stdout leaves no file behind, and a blocked write would delay the signal.
  return flags.out === undefined ? await writeWith() : await untilInterrupted(writeWith);
}

async function openOutput(
  context: Context,
  { out, force: forced, single, format, target, output: given }: OutputFlags,
): Promise<ExportOutput> {
  if (given !== undefined) return given;
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

const INDEX = "index.html";
const FOLDER_EXISTS =
  "an export over 5 MB becomes a folder, but a folder with this name exists. Choose another " +
  "name, or add --single to write one file";

/**
 * Opens an output that becomes one file. At the first call of `page`, it becomes a folder instead,
 * named like the file without its extension. After an error, neither remains.
 *
 * @throws {SessionError} `io` if the folder exists, and as {@linkcode openExport}
 */
function openPagesExport(context: Context, out: string, force: boolean): ExportOutput {
  const file = openExport(context, out, force);
  const path = resolve(context.cwd, out);
  const folder = join(dirname(path), basename(path, extname(path)));
  let draft: string | undefined;
  return {
    ...file,
    page(name, text): void {
      if (draft === undefined) {
        assertFree(folder, FOLDER_EXISTS);
        draft = draftPath(folder);
        guarded(folder, () => mkdirSync(draft ?? "", { mode: 0o700 }));
      }
      const file = join(draft, name);
      guarded(folder, () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
      const page = openExport(context, file, false);
      try {
        page.write(text);
        page.commit();
      } finally {
        page.discard();
      }
    },
    commit(): void | Promise<void> {
      if (draft === undefined) return file.commit();
      assertFree(folder, FOLDER_EXISTS);
      guarded(folder, () => renameSync(draft ?? "", folder));
      draft = undefined;
      this.written = join(dirname(out), basename(folder), INDEX);
    },
    discard(): void {
      file.discard();
      if (draft === undefined) return;
      try {
        removeSync(draft, { recursive: true });
      } catch {
        // It is gone.
      }
    },
  };
}

/**
 * Returns an output that encrypts its bytes and writes them to `output`. The bytes wait in memory
 * until {@linkcode ExportOutput.drain}.
 *
 * @throws {SessionError} `invalid-key`
 */
async function sealedOutput(
  output: ExportOutput,
  target: SealTarget,
): Promise<ExportOutput> {
  const { sealTo } = await import("../../lib/text/seal/seal.ts");
  const { readable, writable } = await sealTo(target);
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const waiting: Uint8Array[] = [];
  const written = writeSealed(readable, output);
  // The next writer gets the failure; until then it counts as handled.
  written.catch(() => {});
  async function orFailureOfOutput(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      // A failure of the disk takes precedence, because it stopped the stream.
      await written;
      throw error;
    }
  }
  async function send(): Promise<void> {
    for (const bytes of waiting.splice(0)) await writer.write(bytes);
  }
  return {
    written: output.written,
    write: (text) => void waiting.push(encoder.encode(text)),
    // The chunk is reused once this returns.
    writeBytes: (bytes) => void waiting.push(bytes.slice()),
    drain: () => orFailureOfOutput(send),
    async commit(): Promise<void> {
      await orFailureOfOutput(async () => {
        await send();
        await writer.close();
      });
      await written;
      await output.commit();
    },
    discard(): void {
      output.discard();
      writer.abort().catch(() => {
        // It is closed, or failed before.
      });
    },
  };
}

async function writeSealed(
  readable: ReadableStream<Uint8Array>,
  output: ExportOutput,
): Promise<void> {
  for await (const bytes of readable) output.writeBytes(bytes);
}
