/** Appends fifty marks to a store. Arguments: its folder, and what the sessions' names begin with. */
import { appendMark } from "../../../lib/core/store/marks.ts";

const [directory = "", name = ""] = Deno.args;

if (import.meta.main) {
  for (let number = 0; number < 50; number++) {
    appendMark(directory, { ref: name + number, title: "t", time: "x" });
  }
}
