const fatalDecoder = new TextDecoder("utf-8", { fatal: true });

/** Whether bytes are UTF-8. To decode them tolerantly is faster: this tells why U+FFFD is there. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    fatalDecoder.decode(bytes);
    return true;
  } catch {
    // TypeError: the answer is no.
    return false;
  }
}
