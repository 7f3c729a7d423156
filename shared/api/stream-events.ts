import * as z from "zod";
import { errorAnswerSchema } from "./answers.ts";
import type { ReadonlyDeep } from "./readonly-deep.ts";
import { logRecordSchema } from "./told-schema.ts";

const server = z.string().meta({ description: "The server's name in the config." });

/** The data of each event that a server causes, by the event's name. */
export const serverEventSchemas = {
  log: logRecordSchema,
  progress: z
    .object({
      server,
      call: z
        .int()
        .nonnegative()
        .exactOptional()
        .meta({ description: "With several calls: which one, counted from 0." }),
      progress: z.number(),
      total: z.number().exactOptional(),
      message: z.string().exactOptional(),
    })
    .meta({ id: "ProgressEvent" }),
  catalogue_changed: z
    .object({ server, list: z.enum(["tools", "prompts", "resources"]) })
    .meta({ id: "CatalogueChangedEvent" }),
  notification: z
    .object({ server, method: z.string(), params: z.record(z.string(), z.unknown()) })
    .meta({ id: "NotificationEvent" }),
  server_exception: z
    .object({ server, code: z.string().nullable(), message: z.string() })
    .meta({ id: "ServerExceptionEvent" }),
} as const;

const named = Object.entries(serverEventSchemas).map(([event, data]) =>
  z.object({ event: z.literal(event), data }),
);

/** One event of `text/event-stream`: the name of its `event` line, and the JSON of its `data` line. */
export const streamEventSchema = z
  .union([
    z.object({
      event: z.literal("accepted"),
      data: z.object({ request_id: z.string() }),
    }),
    ...named,
    z.object({
      event: z.literal("result"),
      data: z.unknown().meta({ description: "The body of the answer that is no stream." }),
    }),
    z.object({
      event: z.literal("error"),
      data: errorAnswerSchema.extend({
        http_status: z
          .int()
          .meta({ description: "HTTP status of the answer that would be no stream." }),
      }),
    }),
  ])
  .meta({
    id: "StreamEvent",
    description:
      "Begins with accepted and ends with result or error; the others come in between, at any time.",
  });

type Schemas = typeof serverEventSchemas;
export type ServerEventName = keyof Schemas;

/** One event of a stream that a server caused. */
export type ServerEvent = {
  [Name in ServerEventName]: {
    readonly event: Name;
    readonly data: ReadonlyDeep<z.infer<Schemas[Name]>>;
  };
}[ServerEventName];
