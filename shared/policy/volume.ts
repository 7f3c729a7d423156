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
  const isForm = more.length === 0 && (mode === "ro" || mode === "rw");
  if (!isForm) return refusedForm(text, "/source:/target[:ro]");
  return checkVolume(text, { source, target, readOnly: mode === "ro" }, roots);
}

/** The field of `--mount` that each of its keys sets. */
const mountKeys: ReadonlyMap<string, "type" | "source" | "target" | "readOnly"> = new Map([
  ["type", "type"],
  ["src", "source"],
  ["source", "source"],
  ["dst", "target"],
  ["target", "target"],
  ["destination", "target"],
  ["ro", "readOnly"],
  ["readonly", "readOnly"],
]);

/**
 * Reads `type=bind,source=SOURCE,target=TARGET[,readonly]` of `docker run --mount`, each field
 * once, under the same rules as `-v`.
 */
export function parseMount(text: string, roots: readonly string[]): Check<Volume, LaunchReason> {
  const fields = new Map<string, string>();
  for (const part of text.split(",")) {
    const [key = "", ...value] = part.split("=");
    const field = mountKeys.get(key);
    if (field === undefined || fields.has(field)) return refusedForm(text, mountForm);
    fields.set(field, value.length === 0 && field === "readOnly" ? "true" : value.join("="));
  }
  const readOnly = fields.get("readOnly") ?? "false";
  const isForm = fields.get("type") === "bind" && (readOnly === "true" || readOnly === "false");
  if (!isForm) return refusedForm(text, mountForm);
  const [source = "", target = ""] = [fields.get("source"), fields.get("target")];
  return checkVolume(text, { source, target, readOnly: readOnly === "true" }, roots);
}

const mountForm = "type=bind,source=/source,target=/target[,readonly]";

function checkVolume(
  text: string,
  volume: Volume,
  roots: readonly string[],
): Check<Volume, LaunchReason> {
  const { source, target } = volume;
  if (!isPlainPath(source) || !isPlainPath(target)) return refusedPaths(text);
  if (/\.sock$/i.test(source)) return refusedSocket();
  if (!roots.some((root) => isInside(source, root))) return refusedRoot(source, roots);
  return accept(volume);
}

function isPlainPath(path: string): boolean {
  return pathPattern.test(path) && !path.split("/").some((segment) => /^\.{1,2}$/.test(segment));
}

function isInside(path: string, root: string): boolean {
  const folder = root.replace(/\/+$/, "");
  return folder.startsWith("/") && (path === folder || path.startsWith(`${folder}/`));
}

function refusedForm(text: string, form: string): Check<never, LaunchReason> {
  return refuse(
    "volume-invalid",
    `The volume ${shown(text)} is not of the form ${form}.`,
    "Write that form, with no option but whether it may be written to.",
  );
}

function refusedPaths(text: string): Check<never, LaunchReason> {
  return refuse(
    "volume-invalid",
    `The volume ${shown(text)} does not name two folders by their plain paths.`,
    "Write two absolute paths without `.`, `..` and special characters.",
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
    `Remove the volume, or ask the operator to allow the folder (now allowed: ${allowed}).`,
  );
}
