/**
 * An option's or argument's value that makes no sense. The parser of arguments knows it by its code, so
 * that reading a value does not need to load the parser.
 */
export class InvalidArgument extends Error {
  override name = "InvalidArgument";
  readonly code = "commander.invalidArgument";
  readonly exitCode = 1;
}
