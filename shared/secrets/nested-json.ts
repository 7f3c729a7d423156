import { isNestedDeeper } from "../content/nesting.ts";

const deepest = 200;

/**
 * The data of a text that is JSON and has strings which are escaped twice or more; undefined for
 * every other text, the usual case.
 */
export function readNestedJson(text: string): unknown {
  if (!/^\s*[[{"]/.test(text) || !text.includes("\\\\")) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    return isNestedDeeper(data, deepest) ? undefined : data;
  } catch {
    return undefined; // ordinary text, masked as such
  }
}
