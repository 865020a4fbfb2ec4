/**
 * Texts that would be more than text in a careless page, and items that are full of them.
 */
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import type { DocumentHeader } from "../../../../lib/text/render/session_document.ts";
import { SAMPLE_ITEMS } from "../_sample_items.ts";
import { HEADER } from "./_page.ts";

const VECTORS = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "</style><script>alert(1)</script>",
  "</title><script>alert(1)</script>",
  "</pre></code></td></table><script>alert(1)</script>",
  "--><script>alert(1)</script>",
  "]]><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img src=https://evil.example/beacon.png>",
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)" x="',
  "' onfocus='alert(1)' autofocus tabindex=1 x='",
  "` onload=alert(1) `",
  "<svg onload=alert(1)>",
  "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
  "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<object data=https://evil.example/x></object>",
  "<embed src=https://evil.example/x>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<style>@import url(https://evil.example/x.css)</style>",
  "<base href=https://evil.example/>",
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  "<form action=https://evil.example><button>x</button></form>",
  "<video src=https://evil.example/x autoplay onerror=alert(1)></video>",
  "<body onload=alert(1)>",
  "<details open ontoggle=alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "<ScRiPt>alert(1)</sCrIpT>",
  "<script\x00>alert(1)</script>",
  "<img src=x\x0conerror=alert(1)>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;script&#62;alert(1)&#60;/script&#62;",
  "&#x3c;img src=x onerror=alert(1)&#x3e;",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "\x01javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "[x](javascript:alert(1))",
  "[x](javascript:alert(1)//https://a.example)",
  "[x](JAVASCRIPT&colon;alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](java&#10;script:alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  '[x](https://a.example "onmouseover=alert(1)")',
  '[x](https://a.example/"onmouseover="alert(1))',
  "[x](<https://a.example/'><script>alert(1)</script>>)",
  "![x](https://evil.example/beacon.png)",
  "![x](javascript:alert(1))",
  '![" onerror="alert(1)](x)',
  "<javascript:alert(1)>",
  "[x][r]\n\n[r]: javascript:alert(1)",
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  "```html\n<script>alert(1)</script>\n```",
  "| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |",
  "# <script>alert(1)</script>\n> <svg onload=alert(1)>\n- [ ] <b onclick=alert(1)>",
  "**<script>alert(1)</script>** `<script>alert(1)</script>`",
];

/** Where in a field the vector stands. */
const PLACES: ((vector: string) => string)[] = [
  (vector) => vector,
  (vector) => `before ${vector} after`,
  (vector) => `first\n\n${vector}\n\nlast`,
  (vector) => `\u202e${vector}\u2066`,
  (vector) => `${"x".repeat(120)}${vector}`,
];

/** At least 300 hostile texts. */
export const PAYLOADS = VECTORS.flatMap((vector) => PLACES.map((place) => place(vector)));

/** A value of which every text is replaced, but that which says what sort of item it is. */
export function withTexts<Value>(value: Value, replace: (text: string) => string): Value {
  function visit(inner: unknown, name: string): unknown {
    if (typeof inner === "string") return name === "type" ? inner : replace(inner);
    if (Array.isArray(inner)) return inner.map((entry) => visit(entry, ""));
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, entry]) => [key, visit(entry, key)]),
    );
  }
  return visit(value, "") as Value;
}

/** Names by which a decoded event can hold nothing but one of a few words. */
const CLOSED = new Set(["status", "kind", "role"]);

/** Every item, with the payload in each of its fields and as the name of arguments. */
export function hostileItems(payload: string): TranscriptItem[] {
  const items = SAMPLE_ITEMS.map((item) => {
    const hostile = withTexts(item, () => payload);
    const kept = Object.entries(item).filter(([name]) => CLOSED.has(name));
    return Object.assign(hostile, item.type === "unreadable" ? {} : Object.fromEntries(kept));
  });
  const base = { seq: 90, integrity: "verified" as const };
  const data = { [payload]: { [payload]: [payload] }, path: payload };
  const edit = { file_path: payload, old_string: `a ${payload}`, new_string: `b ${payload}` };
  const image = { type: "image" as const, media_type: "image/png", sha256: "", bytes: 1 };
  return [
    ...items,
    { type: "tool", ...base, call_id: "c", name: "n", input: data, status: "ok", output: payload },
    { type: "tool", ...base, call_id: "c", name: "n", input: edit, status: "ok" },
    { type: "message", role: "user", ...base, content: [{ ...image, data: payload }] },
    { type: "message", role: payload as "user", ...base, content: payload },
    { type: "bash", ...base, call_id: payload, command: payload, status: payload as "ok" },
  ];
}

/** A header with the payload in each of its fields. */
export function hostileHeader(payload: string): DocumentHeader {
  const summary: Summary = withTexts(HEADER.summary, () => payload);
  return { ...HEADER, summary, exported_at: payload, generator: payload };
}
