const secretName =
  /(?:^|[_-])(?:api[_-]?key|access[_-]?key|secret(?:[_-]?key)?|private[_-]?key|token|password|passwd|pwd|pass|pat|credentials?|authorization|auth[_-]?key|key)$/i;
const secretHeader =
  /^(?:authorization|proxy-authorization|x-.*(?:key|token|secret|auth).*|api-?key|private-token)$/i;

/** Whether the name says that a credential stands there. `field` is the entry's: `env`, `headers`, `args` or `config`. */
export function namesSecret({
  field,
  name,
}: {
  readonly field: string;
  readonly name: string;
}): boolean {
  if (field === "headers") return secretHeader.test(name);
  return (field === "env" || field === "args" || field === "config") && secretName.test(name);
}
