/**
 * Finds a session's working directory if its start does not name it, as before 1.0.
 *
 * The samples beside the format notes tell it by a notice on trusted folders. They also tell it by
 * the context of later events (`@github/copilot-sdk` 1.0.14, `WorkingDirectoryContext`).
 */
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import { asName, asObject, asText } from "../../reading/json_value.ts";

const TRUSTED = /^Folder (.+) has been added to trusted folders\.$/;
const HEAD_BYTES = 16 * 1024;

/** The directory that the first records of a log name. */
export function directoryInHead(path: string): string | undefined {
  for (const { value } of readHeadRecords(path, HEAD_BYTES)) {
    const { context, message } = asObject(value.data);
    const cwd = asName(asObject(context).cwd) ?? trustedFolder(message);
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}

/** The folder that a notice says to be trusted. */
export function trustedFolder(notice: unknown): string | undefined {
  return TRUSTED.exec(asText(notice) ?? "")?.[1];
}
