/**
 * The body of an answer, up to a size: a server decides what it sends, and may send without end.
 */

/**
 * Reads a body as text until it ends, has so many bytes when unpacked, or takes too long. The rest is
 * never fetched. A body that breaks off gives what came.
 */
export async function readAtMost(
  { body }: Response,
  most_bytes: number,
  patience_ms: number,
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const stop = (): Promise<void> => reader.cancel().catch(() => {/* It has ended, or failed. */});
  const timer = setTimeout(stop, patience_ms);
  let text = "";
  try {
    for (let room = most_bytes; room > 0;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.length;
    }
  } catch {
    // It broke off: what came is all there is.
  } finally {
    clearTimeout(timer);
    await stop();
  }
  return text;
}
