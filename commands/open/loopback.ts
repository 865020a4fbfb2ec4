/** Serves pages on the loopback address, where no other machine can reach them. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PageRequest, PageResponse } from "../../lib/frontends/pages/site_frame.ts";

const HOST = "127.0.0.1";

interface Loopback {
  /** Host and port, such as `127.0.0.1:8080`. A request must name both. */
  authority: string;
  close(): Promise<void>;
}

type Answer = (request: PageRequest) => Promise<PageResponse>;

export async function serveLoopback(site: (authority: string) => Answer): Promise<Loopback> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: HOST, port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const authority = `${HOST}:${port}`;
  const answer = site(authority);
  server.on("request", (request, response) => void respond(answer, request, response));
  return {
    authority,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Maximum number of bytes of a form. */
const MOST_FORM = 64 * 1024;

/** Returns a form's fields. Returns none if the body is not a form or is over `MOST_FORM` bytes. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const none = new URLSearchParams();
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type)) return none;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_FORM) return none;
    chunks.push(chunk);
  }
  return new URLSearchParams(await new Blob(chunks as BlobPart[]).text());
}

async function respond(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", url: target = "", headers } = request;
  const { status, headers: given, body } = await answer({
    method,
    target,
    header(name): string | undefined {
      const value = headers[name];
      return typeof value === "string" ? value : undefined;
    },
    form: () => readForm(request),
  });
  // At most a form's body is read, so the connection ends with the answer.
  const sent = { ...given, connection: "close" };
  if (typeof body !== "string") {
    response.writeHead(status, sent);
    return method === "HEAD" ? void response.end() : await stream(body, response);
  }
  const bytes = new TextEncoder().encode(body);
  response.writeHead(status, { ...sent, "content-length": String(bytes.length) });
  response.end(method === "HEAD" ? undefined : bytes);
}

/** Sends the pieces. Waits for a slow client, and stops when the client disconnects. */
async function stream(pieces: AsyncIterable<string>, response: ServerResponse): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  let free = Promise.withResolvers<void>();
  response.on("drain", () => free.resolve());
  response.on("close", () => {
    free.resolve();
    void iterator.return?.();
  });
  response.flushHeaders();
  try {
    for (let piece = await iterator.next(); !piece.done; piece = await iterator.next()) {
      if (response.destroyed) return;
      free = Promise.withResolvers();
      if (!response.write(piece.value)) await free.promise;
    }
    response.end();
  } catch {
    // The headers are sent, so a broken answer is all that can tell of it.
    response.destroy();
  }
}
