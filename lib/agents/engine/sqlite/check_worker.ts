/** The worker thread that checks a database. */
import { followOrder } from "../../../core/platform/thread.ts";
import { checkFile } from "./check_file.ts";

export type Faults = string[];

followOrder<string, Faults>((path, send) => Promise.resolve(path).then(checkFile).then(send));
