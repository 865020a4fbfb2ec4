/** What came of each test file of a run: read from what `deno test` prints of a group. */
import { stripVTControlCharacters } from "node:util";
import { MARK } from "../_support/test_report.ts";

const RESULT = /^(?:\S+ => )?(.+?) \.\.\.(?: |$)/;
const STATUS = /(?:^|\.\.\. )(ok|FAILED|ignored)(?: \(.*\))?$/;

/** The tests of a file. */
export interface FileResult {
  path: string;
  passed: number;
  /** Names of the tests that failed. */
  failed: string[];
  /** False where the process ended, or its time, while the file's tests ran. */
  ended: boolean;
}

/** Reads the output of one process: the files in their order, without those that never began. */
export function fileResults(output: string): FileResult[] {
  const files: FileResult[] = [];
  let name = "";
  for (const raw of output.split(/\r?\n/)) {
    const line = stripVTControlCharacters(raw);
    if (line === " ERRORS ") break;
    name = RESULT.exec(line)?.[1] ?? name;
    const status = STATUS.exec(line)?.[1];
    if (status === undefined) continue;
    const file = files.at(-1);
    if (name.startsWith(MARK)) {
      if (file !== undefined) file.ended = true;
      const path = name.slice(MARK.length);
      if (path !== "") files.push({ path, passed: 0, failed: [], ended: false });
    } else if (file !== undefined && status === "ok") file.passed += 1;
    else if (file !== undefined && status === "FAILED") file.failed.push(name);
  }
  return files;
}
