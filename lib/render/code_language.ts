/** The language that a path's name tells; one that is not known does no harm. */
export function languageOf(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  return /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1]?.toLowerCase();
}
