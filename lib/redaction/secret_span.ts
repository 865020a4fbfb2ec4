/** The place of a secret in a text. */
export interface SecretSpan {
  kind: string;
  start: number;
  end: number;
  /** Its own form or name gives it away wherever it stands, so it is worth looking for elsewhere. */
  certain: boolean;
  /** The secret itself, where the text encodes it or holds a part of it alone. */
  secret?: string;
}

/** The part of a secret that stands in one of the strings over which it is spread. */
export interface StraddlingPiece extends SecretSpan {
  /** The whole secret. */
  secret: string;
}
