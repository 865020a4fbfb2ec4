/** Detects regular expressions that may run too long: they can match a text in many ways. */

const ESCAPE = /\\[pPu]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]/g;
const BACKREFERENCE = /(?:^|[^\\])(?:\\\\)*\\[1-9k]/;
const REPEAT = "[*+?]|\\{\\d+,\\d*\\}";
const VARIES = new RegExp(`\\||${REPEAT}`);
const GROUP = new RegExp(
  "\\((?:\\?(?:<[=!]|<[^>]*>|[a-z-]*[:=!]))?([^()]*)\\)(([*+]|\\{\\d+(?:,\\d*)?\\})?)",
);

/** True if a group with repeats or alternatives is repeated, or a group is referred to again. */
export function hasNestedRepeats({ source }: RegExp): boolean {
  if (BACKREFERENCE.test(source)) return true;
  let rest = source.replaceAll(ESCAPE, "a");
  for (let group = GROUP.exec(rest); group !== null; group = GROUP.exec(rest)) {
    const [whole, inside = "", repeat = ""] = group;
    const varies = VARIES.test(inside);
    if (varies && repeat !== "") return true;
    // A place that varies stays one for the group around it.
    const place = varies || repeat !== "" ? "a*" : "a";
    rest = rest.slice(0, group.index) + place + rest.slice(group.index + whole.length);
  }
  return false;
}
