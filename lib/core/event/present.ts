/** Returns a copy of an object without its undefined fields. The type excludes undefined, too. */
export function present<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}
