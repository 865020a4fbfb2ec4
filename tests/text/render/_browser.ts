/**
 * A headless Chromium, driven over its own protocol: what a page is like to the one who looks at it.
 */
import type { Requirement } from "../../_support/needing.ts";
import assert from "node:assert/strict";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PATIENCE_MS = 30_000;

/** Path of a Chromium, if this machine has one. */
export const CHROMIUM = findChromium();

function findChromium(): string | undefined {
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    // Not there.
    return false;
  }
}

type Json = Record<string, unknown>;

interface Answer {
  id?: number;
  method?: string;
  params?: Json;
  sessionId?: string;
  result?: Json;
  error?: { message: string };
}

interface Pending {
  resolve(result: Json): void;
  reject(error: Error): void;
}

/** A running browser. */
export class Browser {
  readonly #process: Deno.ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #pages = new Map<string, Page>();
  #last = 0;

  constructor(process: Deno.ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data as string) as Answer);
  }

  /** Sends a command; resolves with what the browser answers. */
  send(method: string, params: Json = {}, sessionId?: string): Promise<Json> {
    const id = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    this.#pending.set(id, { resolve, reject });
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return promise;
  }

  /** Opens a page and waits until it is loaded. */
  async open(url: string, view: View): Promise<Page> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const attached = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, attached["sessionId"] as string, targetId as string);
    this.#pages.set(attached["sessionId"] as string, page);
    await page.load(url, view);
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.onclose = resolve);
    await this.send("Browser.close");
    await closed;
    await this.#process.status;
    await Deno.remove(this.#profile, { recursive: true });
  }

  #receive({ id, method, params = {}, sessionId = "", result = {}, error }: Answer): void {
    if (id === undefined) {
      this.#pages.get(sessionId)?.notice(method ?? "", params);
      return;
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error.message));
  }
}

/** How a page is looked at. */
export interface View {
  width: number;
  height?: number;
  dark?: boolean;
}

/** A page, and what it has tried to do. */
export class Page {
  /** Addresses that were asked for, but the page itself and what is in it. */
  readonly requests: string[] = [];
  /** Why requests were not sent at all. */
  readonly blocked: string[] = [];
  /** Texts of dialogs. */
  readonly dialogs: string[] = [];
  /** What the policy of the page has forbidden, and other complaints of the browser. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #session: string;
  readonly #target: string;
  #loaded = Promise.withResolvers<void>();
  /** The empty page that was there before: that it is loaded may be told late. */
  #frame = { id: "", loaderId: "" };

  constructor(browser: Browser, session: string, target: string) {
    this.#browser = browser;
    this.#session = session;
    this.#target = target;
  }

  /** Loads the page; called once, by the browser. */
  async load(url: string, { width, height = 900, dark = false }: View): Promise<void> {
    for (const domain of ["Page", "Network", "Log", "Runtime"]) await this.send(`${domain}.enable`);
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
    const value = dark ? "dark" : "light";
    await this.send("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value }],
    });
    await this.send("Page.setLifecycleEventsEnabled", { enabled: true });
    const { frameTree } = await this.send("Page.getFrameTree");
    this.#frame = (frameTree as { frame: { id: string; loaderId: string } }).frame;
    await this.send("Page.navigate", { url });
    await this.#loaded.promise;
  }

  /** Sends a command to this page. */
  send(method: string, params: Json = {}): Promise<Json> {
    return this.#browser.send(method, params, this.#session);
  }

  /** The value of an expression, a promise's too. It may run although the page may run nothing. */
  async evaluate(expression: string): Promise<unknown> {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return (result as { value?: unknown }).value;
  }

  /** Does what leads to another page, and waits until that is loaded. */
  async follow(expression: string): Promise<void> {
    this.#loaded = Promise.withResolvers<void>();
    try {
      await this.evaluate(`void (${expression})`);
    } catch (error) {
      // The page may be left before the browser answers.
      if (!isPageLeft(error)) throw error;
    }
    await this.#loaded.promise;
  }

  /** What is seen, as PNG. */
  async screenshot(): Promise<Uint8Array> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Uint8Array.fromBase64(data as string);
  }

  async close(): Promise<void> {
    await this.#browser.send("Target.closeTarget", { targetId: this.#target });
  }

  /** What the browser tells of the page. */
  notice(method: string, params: Json): void {
    if (method === "Page.lifecycleEvent" && params["name"] === "load") {
      const { id, loaderId } = this.#frame;
      if (params["frameId"] === id && params["loaderId"] !== loaderId) this.#loaded.resolve();
    }
    if (method === "Page.javascriptDialogOpening") {
      this.dialogs.push(String(params["message"]));
      void this.send("Page.handleJavaScriptDialog", { accept: true });
    }
    if (method === "Network.requestWillBeSent") {
      const { url } = params["request"] as { url: string };
      if (!/^(?:file|data):/.test(url)) this.requests.push(url);
    }
    if (method === "Network.loadingFailed" && params["blockedReason"] !== undefined) {
      this.blocked.push(String(params["blockedReason"]));
    }
    if (method === "Log.entryAdded") {
      this.complaints.push((params["entry"] as { text: string }).text);
    }
  }
}

/** True for the error of an expression whose page was left before its answer. */
export function isPageLeft(error: unknown): boolean {
  return /target navigated/.test(`${error}`);
}

/** Starts a browser without a window, whose every name leads nowhere. */
export async function openBrowser(): Promise<Browser> {
  assert.ok(CHROMIUM !== undefined);
  const profile = await Deno.makeTempDir({ prefix: "reprise-browser-" });
  const process = new Deno.Command(CHROMIUM, {
    args: [
      "--headless",
      // Where root runs the tests there is no sandbox to be had.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--no-first-run",
      "--hide-scrollbars",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      `--user-data-dir=${profile}`,
      "--remote-debugging-port=0",
      "about:blank",
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const socket = new WebSocket(await socketAddress(join(profile, "DevToolsActivePort")));
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return new Browser(process, profile, socket);
}

/** The browser writes where it listens once it does. */
async function socketAddress(path: string): Promise<string> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (isFile(path)) {
      const [port = "", route = ""] = (await Deno.readTextFile(path)).split("\n");
      if (route !== "") return `ws://127.0.0.1:${port}${route}`;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Cannot start the browser: it does not say where it listens");
}

/** A browser that tests drive. */
export const BROWSER: Requirement = {
  what: "Chromium",
  get: "apt install chromium",
  met: CHROMIUM !== undefined,
};
