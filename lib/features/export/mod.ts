/**
 * Writing a session as a document, part by part, with its secrets replaced.
 *
 * @example Write a session as Markdown
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { exportDocument } from "@reprise/reprise/export";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const store = openStore({ root });
 * const session = store.create({ cwd: root });
 * await session.turn().user("Hello");
 * await session.finish();
 *
 * const document = await exportDocument("md");
 * const { summary } = await store.load(session.id);
 * const header = { summary, exported_at: "2026-11-22", generator: "my-agent", redacted: false };
 * let text = document.begin(header);
 * for await (const events of store.events(session.id)) text += document.take(events);
 * text += document.end();
 * assert.match(text, /Hello/);
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export {
  type RedactionFinding,
  Redactor,
  type RedactorOptions,
} from "../../text/redaction/redactor.ts";
export type { DocumentHeader } from "../../text/render/session_document.ts";
export {
  EXPORT_FORMATS,
  type ExportDocument,
  exportDocument,
  type ExportFormat,
  type ExportOptions,
} from "./export_document.ts";
