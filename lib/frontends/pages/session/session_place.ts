/** Reads which items of a session an address asks for. */

const NUMBER = /^-?\d{1,9}$/;
const ITEM = "the number of a message, counted from 0, or -1 for the last one";

const FORMS = {
  seq: [/^[1-9]\d{0,8}$/, "the number of an event"],
  from: [NUMBER, ITEM],
  before: [NUMBER, ITEM],
} as const;

type Place = keyof typeof FORMS;

export function numberIn(query: URLSearchParams, name: Place): number | undefined {
  const text = query.get(name) ?? "";
  return FORMS[name][0].test(text) ? Number(text) : undefined;
}

export function oddPlaces(query: URLSearchParams): string[] {
  return (Object.keys(FORMS) as Place[]).flatMap((name) => {
    const text = (query.get(name) ?? "").slice(0, 200);
    return text === "" || numberIn(query, name) !== undefined
      ? []
      : [`Ignored ${name}=${text}: expected ${FORMS[name][1]}`];
  });
}

/** Returns the searched words in an address. Its parameter `words` has one word per line. */
export function wordsIn(query: URLSearchParams): string[] {
  return (query.get("words") ?? "").split("\n").filter((word) => word !== "");
}
