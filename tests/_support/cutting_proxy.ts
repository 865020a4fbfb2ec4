/** A way to a server that can be cut, or swallow all that is sent. */
import type { Cut } from "./cut_objects.ts";

/** A proxy on a port of its own. */
export interface CuttingProxy extends AsyncDisposable {
  port: number;
  /** Cuts both directions once so many bytes went through, in either; undefined never. */
  cut_after: number | undefined;
  /** Cuts at a write of a client: at 1 the next one, which is passed on without an answer or not at all. */
  cut_at: Cut | undefined;
  /** Takes everything and passes nothing on. */
  swallows: boolean;
  /** Bytes from the client, and to it. */
  up: number;
  down: number;
}

/** Starts a proxy to a port of this machine. */
export function cuttingProxy(target: number): CuttingProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const proxy: CuttingProxy = {
    ...{ port: (listener.addr as Deno.NetAddr).port, cut_after: undefined, swallows: false },
    cut_at: undefined,
    ...{ up: 0, down: 0 },
    async [Symbol.asyncDispose](): Promise<void> {
      listener.close();
      for (const conn of open) close(conn);
      await serving;
    },
  };

  function close(conn: Deno.Conn): void {
    open.delete(conn);
    try {
      conn.close();
    } catch {
      // Closed already.
    }
  }

  async function pump(from: Deno.Conn, to: Deno.Conn, field: "up" | "down"): Promise<void> {
    const buffer = new Uint8Array(16 * 1024);
    try {
      for (;;) {
        const left = (proxy.cut_after ?? Infinity) - proxy.up - proxy.down;
        if (left <= 0) break;
        const count = await from.read(buffer.subarray(0, Math.min(buffer.length, left)));
        if (count === null) break;
        proxy[field] += count;
        const cut = field === "up" ? proxy.cut_at : undefined;
        const is_cut = cut !== undefined && --cut.left <= 0;
        if (is_cut && !(cut.left === 0 && cut.behind)) break;
        if (!proxy.swallows) await writeAll(to, buffer.subarray(0, count));
        if (is_cut) break;
      }
    } catch {
      // The other side is gone.
    }
    close(from);
    close(to);
  }

  async function serve(): Promise<void> {
    const running: Promise<void>[] = [];
    try {
      for await (const client of listener) {
        const server = await Deno.connect({ hostname: "127.0.0.1", port: target });
        open.add(client).add(server);
        running.push(pump(client, server, "up"), pump(server, client, "down"));
      }
    } finally {
      await Promise.all(running);
    }
  }
  const serving = serve().catch(() => {/* the listener was closed */});
  return proxy;
}

async function writeAll(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
}
