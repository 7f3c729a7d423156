import * as z from "zod";
import { catalogue, errorTypes, type ErrorCode, type ErrorType } from "../errors/catalogue.ts";

/** The `error` object of every failed answer. */
export const errorBodySchema = z
  .object({
    type: z.enum(Object.keys(errorTypes) as ErrorType[]).meta({
      description: "Kind of error; docs/reference/errors.md lists the types and their parents.",
    }),
    code: z
      .enum(Object.keys(catalogue) as ErrorCode[])
      .meta({ description: "Stable code of the error, to decide on." }),
    message: z.string().meta({ description: "What happened, for people." }),
    hint: z.string().meta({ description: "What to do about it." }),
    server: z
      .string()
      .exactOptional()
      .meta({ description: "The server's name in the config, where one is concerned." }),
    retryable: z
      .boolean()
      .meta({ description: "The same request may succeed later and cannot run a tool twice." }),
    executed: z
      .enum(["no", "maybe", "yes"])
      .meta({ description: "Whether the tool may have run." }),
    details: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .meta({ description: "Facts about this failure; which ones depends on the code." }),
    docs: z
      .string()
      .meta({ description: "Path of the code's documentation, from the repository's root." }),
  })
  .meta({ id: "ErrorBody" });
