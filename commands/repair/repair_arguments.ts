/** The flags of `repair`. */
export interface RepairArguments {
  out?: string | undefined;
  inPlace?: boolean | undefined;
  write?: boolean | undefined;
  undo?: boolean | undefined;
  relink?: boolean | undefined;
  trimOutput?: number | undefined;
  cwd?: string | undefined;
  json?: boolean | undefined;
}
