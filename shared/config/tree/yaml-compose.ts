import { Composer, type CST, type Document, type YAMLParseError, type YAMLWarning } from "yaml";

/** Each error of the composer costs as much as a hundred values: the first ones say enough. */
export const mostErrors = 20;
/** Warnings of the composer are tags of no plain data type. */
export const mostWarnings = 1000;

export interface Composed {
  /** Empty where composing was stopped. */
  readonly documents: readonly Document.Parsed[];
  readonly errors: readonly YAMLParseError[];
  /** The warning that was one too many. */
  readonly lastWarning: YAMLWarning | null;
}

/** Composes the documents of a text, and stops at the first trouble that is one too many. */
export function composeYaml(tokens: readonly CST.Token[], textLength: number): Composed {
  const composer = new Composer({ schema: "core", uniqueKeys: false, stringKeys: false });
  const watched: Watched[] = [];
  const documents: Document.Parsed[] = [];
  try {
    for (const token of tokens) {
      if (token.type === "document") watched.push(watch(composer));
      documents.push(...composer.next(token));
    }
    documents.push(...composer.end(true, textLength));
  } catch (stop) {
    if (!(stop instanceof ListFull)) throw stop;
    documents.length = 0;
  }
  return outcome(documents, watched);
}

/** The composer may make an error of the stop itself, which tells the author nothing. */
function outcome(documents: readonly Document.Parsed[], watched: readonly Watched[]): Composed {
  const lastWarning = watched.flatMap(({ refused }) => refused)[0] ?? null;
  const stopped = documents.length === 0 || lastWarning !== null;
  if (!stopped)
    return { documents, errors: documents.flatMap(({ errors }) => errors), lastWarning };
  const errors = watched.flatMap((one) => one.errors);
  return {
    documents: [],
    errors: errors.filter(({ message }) => message !== stopMessage),
    lastWarning,
  };
}

const stopMessage = "more was found than is told";

/** Ends the composer's work: it has no way to be stopped but a throw out of the lists that it fills. */
class ListFull extends Error {
  constructor() {
    super(stopMessage);
  }
}

interface Watched {
  readonly errors: readonly YAMLParseError[];
  /** Warnings that had no room. */
  readonly refused: readonly YAMLWarning[];
}

/** Bounds the lists that the next document's errors and warnings go into. */
function watch(composer: Composer): Watched {
  const { errors, warnings } = composer.streamInfo();
  const refused: YAMLWarning[] = [];
  errors.push = (...more) => {
    if (errors.length >= mostErrors) throw new ListFull();
    return Array.prototype.push.apply(errors, more);
  };
  warnings.push = (...more) => {
    if (warnings.length < mostWarnings) return Array.prototype.push.apply(warnings, more);
    refused.push(...more);
    throw new ListFull();
  };
  return { errors, refused };
}
