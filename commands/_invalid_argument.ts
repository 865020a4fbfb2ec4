/**
 * An invalid value of an option or an argument. The argument parser knows it by its code, so that
 * reading a value need not load the parser.
 */
export class InvalidArgument extends Error {
  override name = "InvalidArgument";
  readonly code = "commander.invalidArgument";
  readonly exitCode = 1;
}
