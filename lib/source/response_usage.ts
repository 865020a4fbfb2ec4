/**
 * The usage of one response of a model, as its agent recorded it.
 *
 * @module
 */
export type { ResponseUsage } from "../projection/response_usage.ts";
