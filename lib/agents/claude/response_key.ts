/**
 * Identifies the response of a record. Message id and request id name it in all files. Bedrock,
 * Vertex and proxies send no request id, so there only records of one session match. Proxies reuse
 * ids, so foreign ids must also have the same time.
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
