/**
 * Whether a URI may be one that a template (RFC 6570) makes: the literal parts stand in it in their
 * order. An expression may stand for anything, so that a URI of the template is never missed.
 */
export function mayMatchTemplate(uri: string, template: string): boolean {
  const literals = template.split(/\{[^{}]*\}/);
  const [first = "", ...rest] = literals;
  const last = rest.pop();
  if (last === undefined) return uri === template;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const literal of rest) {
    const found = uri.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return uri.length - last.length >= at && uri.endsWith(last);
}
