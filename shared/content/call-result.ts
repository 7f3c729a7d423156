import type * as z from "zod";
import type {
  binaryBlockSchema,
  callMetadataSchema,
  callResultSchema,
  completionResultSchema,
  mediaBlockSchema,
  promptResultSchema,
  resourceResultSchema,
  textBlockSchema,
  truncationSchema,
  warningSchema,
} from "../api/call-result-schema.ts";
import type { ReadonlyDeep } from "../api/readonly-deep.ts";

export type TextBlock = ReadonlyDeep<z.infer<typeof textBlockSchema>>;

export type MediaBlock = ReadonlyDeep<z.infer<typeof mediaBlockSchema>>;

/** An embedded resource (`data` and, for text resources, `text`) or a resource link (`data` null). */
export type BinaryBlock = ReadonlyDeep<z.infer<typeof binaryBlockSchema>>;

export type ContentBlock = TextBlock | MediaBlock | BinaryBlock;

/** What was shortened to keep a result under its size limit. */
export type Truncation = ReadonlyDeep<z.infer<typeof truncationSchema>>;

/** Something lost or repaired on the way that did not fail the operation. */
export type Warning = ReadonlyDeep<z.infer<typeof warningSchema>>;

export type CallMetadata = ReadonlyDeep<z.infer<typeof callMetadataSchema>>;

/** The answer to one tool call that reached the tool: HTTP 200 for every status. */
export type CallResult = ReadonlyDeep<z.infer<typeof callResultSchema>>;

export type PromptResult = ReadonlyDeep<z.infer<typeof promptResultSchema>>;
export type ResourceResult = ReadonlyDeep<z.infer<typeof resourceResultSchema>>;
export type CompletionResult = ReadonlyDeep<z.infer<typeof completionResultSchema>>;
