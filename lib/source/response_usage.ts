/**
 * What one response of a model took, as its agent recorded it.
 *
 * @module
 */
export type { ResponseUsage } from "../projection/response_usage.ts";
