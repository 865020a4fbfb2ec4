/** The rows of a library's list, for tests that compare them. */
import type { Library } from "../../lib/library/library.ts";
import { rowsOf } from "../../lib/library/query/candidate.ts";
import type { QueryOptions } from "../../lib/library/query/query.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";

/** Lists sessions as `reprise list` does. */
export async function listed(library: Library, options: QueryOptions = {}): Promise<Summary[]> {
  return await rowsOf((await library.query({ ...options, rows: true })).entries);
}
