/** Files that the process has open, by Linux's table of them. */

/**
 * Lists the files with an open descriptor, one for each, whose path begins with a text: the process
 * runs other tests beside.
 */
export function openFiles(begin: string): string[] {
  return [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
    try {
      const path = Deno.readLinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(begin) ? [path] : [];
    } catch {
      // NotFound: the descriptor of the listing itself is closed by now.
      return [];
    }
  });
}
