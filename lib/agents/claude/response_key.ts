/**
 * Which records are of one response. Its message id and request id name it in all files. Where the
 * request id is missing, as behind Bedrock, Vertex and proxies, only records of one session are taken
 * for one response, and of ids that Anthropic did not make only those of one time: proxies use theirs
 * again.
 */

/** The key of a response; undefined where its record has no message id. */
export function responseKey(
  id: string,
  request: string | undefined,
  session: string,
  time: string,
): string {
  if (request !== undefined) return `${id}\n${request}`;
  return id.startsWith("msg_") ? `${id}\n${session}` : `${id}\n${session} ${time}`;
}
