/** Leaves out the undefined fields of an object, whose types say that a field is there or not. */
export function present<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };
}
