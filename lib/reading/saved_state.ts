/** A format's state as JSON, for a place: with the maps and sets in it. */

/** Returns a state as JSON that later changes do not touch. */
export function savedState(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state, (_key, value) => {
    if (value instanceof Map) return { $map: [...value] };
    return value instanceof Set ? { $set: [...value] } : value;
  }));
}

/** Returns the state that was saved, as a copy. */
export function restoredState<State>(saved: unknown): State {
  return JSON.parse(JSON.stringify(saved), (_key, value) => {
    if (Array.isArray(value?.$map)) return new Map(value.$map);
    return Array.isArray(value?.$set) ? new Set(value.$set) : value;
  });
}
