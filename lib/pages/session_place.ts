/** Reads which items of a session an address asks for. */

const NUMBER = /^-?\d{1,9}$/;
const ITEM = "the number of an item, or -1 for the last one";

/** The parameters that take a number, with their forms. */
const FORMS = {
  seq: [/^[1-9]\d{0,8}$/, "the number of an event"],
  from: [NUMBER, ITEM],
  before: [NUMBER, ITEM],
} as const;

type Place = keyof typeof FORMS;

/** Returns a number of an address; undefined if it is absent or of another form. */
export function numberIn(query: URLSearchParams, name: Place): number | undefined {
  const text = query.get(name) ?? "";
  return FORMS[name][0].test(text) ? Number(text) : undefined;
}
