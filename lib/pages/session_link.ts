/**
 * Writes the address of a session, relative to that of a page.
 *
 * @param more The event, thread or page to show. @param anchor The place on that page.
 */
export function sessionLink(
  ref: string,
  more: Readonly<Record<string, string>> = {},
  anchor = "",
): string {
  const query = new URLSearchParams({ ref, ...more });
  return `session?${query}${anchor === "" ? "" : `#${anchor}`}`;
}
