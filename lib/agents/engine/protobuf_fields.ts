/** Reads protobuf messages without their schema (protobuf.dev, "Encoding"). */

/** A length-delimited protobuf field: a text, a packed list or a nested message. */
export interface BytesField {
  number: number;
  value: Uint8Array;
}

/** Yields the length-delimited fields. Stops at the first bytes that are not a field. */
export function* bytesFields(bytes: Uint8Array): Generator<BytesField> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] as number;
      value += (byte % 128) * shift;
      if (byte < 128) return value;
    }
    return Infinity;
  };
  while (at < bytes.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    if (key % 8 === 0) varint();
    else if (key % 8 === 1) at += 8;
    else if (key % 8 === 5) at += 4;
    else if (key % 8 === 2) {
      const length = varint();
      if (at + length > bytes.length) return;
      yield { number, value: bytes.subarray(at, at += length) };
    } else return;
  }
}
