/** Parses a page of a bucket's list. The XML may come from a hostile server. Pure. */
import type { StoredObject } from "../objects/object_store.ts";

export interface ListPage {
  objects: StoredObject[];
  next?: string;
}

interface Element {
  name: string;
  text: string;
  children: Element[];
}

/** Matches a tag and the text after it. Comments, declarations and CDATA are not matched. */
const TAG = /<(\/?)([A-Za-z][\w.:-]*)(?:\s[^<>]*?)?(\/?)>([^<]*)/gy;
const PROLOG = /^\uFEFF?\s*(?:<\?xml[^<>]*\?>)?\s*/;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** Maximum depth of elements. The deepest is the name of an object's owner. */
const MAX_DEPTH = 5;
const MAX_TOKEN = 4096;
/** Maximum elements on a page. A page has a thousand objects of about twenty elements each. */
const MAX_ELEMENTS = 100_000;

export function parseListPage(xml: string): ListPage | undefined {
  const root = rootElement(xml);
  if (root?.name !== "ListBucketResult") return undefined;
  const objects = root.children.filter(({ name }) => name === "Contents").map(objectOf);
  if (!objects.every((one) => one !== undefined)) return undefined;
  const next = textOf(root, "NextContinuationToken");
  switch (textOf(root, "IsTruncated")) {
    case "false":
      return { objects };
    case "true":
      return next && next.length <= MAX_TOKEN ? { objects, next } : undefined;
    default:
      return undefined;
  }
}

function objectOf(contents: Element): StoredObject | undefined {
  const [key, size, tag] = ["Key", "Size", "ETag"].map((name) => textOf(contents, name));
  if (!key || !tag || size === undefined || !/^\d{1,15}$/.test(size)) return undefined;
  return { key, size: Number(size), tag: plainTag(tag) };
}

/** Returns an ETag without its quotes, and without the `W/` that a proxy may add. */
export function plainTag(tag: string): string {
  return tag.replace(/^W\//, "").replaceAll('"', "");
}

function textOf({ children }: Element, wanted: string): string | undefined {
  return children.find(({ name }) => name === wanted)?.text;
}

function rootElement(xml: string): Element | undefined {
  const top: Element = { name: "", text: "", children: [] };
  const open = [top];
  const body = xml.slice(PROLOG.exec(xml)?.[0].length ?? 0);
  let [end, elements] = [0, 0];
  for (const [tag, closing, name = "", empty, text = ""] of body.matchAll(TAG)) {
    end += tag.length;
    const parent = open.at(-1) ?? top;
    if (closing) {
      if (parent.name !== name) return undefined;
      open.pop();
    } else {
      if (++elements > MAX_ELEMENTS) return undefined;
      const element = { name, text: empty ? "" : unescaped(text), children: [] };
      parent.children.push(element);
      if (!empty) open.push(element);
      if (open.length > MAX_DEPTH) return undefined;
    }
  }
  const is_whole = end === body.length && open.length === 1 && top.children.length === 1;
  return is_whole ? top.children[0] : undefined;
}

function unescaped(text: string): string {
  return text.replaceAll(ENTITY, (all, decimal, hexadecimal, name: keyof typeof NAMED) => {
    if (name !== undefined) return NAMED[name];
    const code = decimal === undefined ? parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10FFFF ? String.fromCodePoint(code) : all;
  });
}
