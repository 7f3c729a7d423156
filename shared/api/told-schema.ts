import * as z from "zod";
import { logLevels, severities } from "../mcp/log-levels.ts";

/** One log record of a server. */
export const logRecordSchema = z
  .object({
    server: z.string().meta({ description: "The server's name in the config." }),
    level: z.enum(severities).meta({
      description: "notice counts as info; alert and emergency count as critical.",
    }),
    mcp_level: z.enum(logLevels).meta({ description: "The level as the server told it." }),
    logger: z.string().exactOptional(),
    data: z.unknown().meta({ description: "What the server logged: a text or any JSON." }),
  })
  .meta({ id: "LogRecord" });

/** What metadata holds of the things that a server tells besides its answer. */
export const toldMetadata = {
  logs: z.array(logRecordSchema).exactOptional().meta({
    description: "With options.log_level, in answers that are no streams: the first 100 records.",
  }),
  dropped: z.record(z.string(), z.int().positive()).exactOptional().meta({
    description:
      "How many log, progress, notification and server_exception events were left out because there were too many.",
  }),
};
