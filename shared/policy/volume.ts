import { accept, refuse, type Check } from "./check.ts";
import type { LaunchReason } from "./reasons.ts";
import { shown } from "./shown.ts";

/** A folder of the host that a container sees. */
export interface Volume {
  /** Absolute path on the host, without `.`, `..` or empty segments. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

const pathPattern = /^(?:\/[A-Za-z0-9._+@ -]+)+$/;

/**
 * Reads `SOURCE:TARGET[:ro|rw]` of `docker run -v`. SOURCE must lie in one of the roots, whose
 * paths are absolute. Only the text is judged: whoever starts the container resolves symbolic
 * links and asks again.
 */
export function parseVolume(text: string, roots: readonly string[]): Check<Volume, LaunchReason> {
  const [source = "", target = "", mode = "rw", ...more] = text.split(":");
  const isForm =
    more.length === 0 && isPlainPath(source) && isPlainPath(target) && /^r[ow]$/.test(mode);
  if (!isForm) return refusedForm(text);
  if (/(?:^|\/)[^/]*\.sock$/i.test(source)) return refusedSocket();
  if (!roots.some((root) => isInside(source, root))) return refusedRoot(source, roots);
  return accept({ source, target, readOnly: mode === "ro" });
}

function isPlainPath(path: string): boolean {
  return pathPattern.test(path) && !path.split("/").some((segment) => /^\.{1,2}$/.test(segment));
}

function isInside(path: string, root: string): boolean {
  const folder = root.replace(/\/+$/, "");
  return folder.startsWith("/") && (path === folder || path.startsWith(`${folder}/`));
}

function refusedForm(text: string): Check<never, LaunchReason> {
  return refuse(
    "volume-invalid",
    `The volume ${shown(text)} is not of the form /source:/target[:ro].`,
    "Write two absolute paths without `.` and `..`, and no option but ro or rw.",
  );
}

function refusedSocket(): Check<never, LaunchReason> {
  return refuse(
    "volume-is-socket",
    "The volume hands a socket of the host to the container.",
    "Remove it: a container that reaches the engine's socket owns the host.",
  );
}

function refusedRoot(source: string, roots: readonly string[]): Check<never, LaunchReason> {
  const allowed = roots.length === 0 ? "none are set" : roots.join(", ");
  return refuse(
    "volume-outside-roots",
    `The volume's folder ${shown(source)} is not in a folder that the policy allows.`,
    `Remove -v, or ask the operator to allow the folder (now allowed: ${allowed}).`,
  );
}
