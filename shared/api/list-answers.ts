import * as z from "zod";
import { warningSchema } from "./call-result-schema.ts";
import {
  cataloguePromptSchema,
  catalogueResourceSchema,
  catalogueResourceTemplateSchema,
  catalogueToolSchema,
} from "./catalogue-schema.ts";
import { errorBodySchema } from "./error-body-schema.ts";
import { toldMetadata } from "./told-schema.ts";

const listing = {
  name: z.string(),
  source: z.enum(["deployment", "tenant", "submitted"]).nullable().meta({
    description: "Where the server is written; null where none of that name is in scope.",
  }),
  ok: z.boolean().meta({ description: "The server answered." }),
  transport: z.string().nullable(),
  era: z.enum(["legacy", "modern"]).nullable(),
  protocol_version: z.string().nullable(),
  cached: z.boolean().meta({ description: "The list was asked for earlier and kept." }),
  warnings: z.array(warningSchema),
  error: errorBodySchema.exactOptional().meta({ description: "Why the server did not answer." }),
};
const count = z.int().nonnegative();

/** How one server fared when its tools were listed. */
export const serverListingSchema = z
  .object({
    ...listing,
    tools: count.meta({ description: "How many of the tools are this server's." }),
  })
  .meta({ id: "ServerListing" });

const listAnswer = {
  success: z.boolean().meta({ description: "At least one server answered, or none was in scope." }),
  catalogue_hash: z
    .string()
    .meta({ description: "Changes when any definition changes; the answer's ETag as well." }),
  metadata: z.object({ request_id: z.string(), duration_ms: z.number(), ...toldMetadata }),
};

/** Answer of `POST /v1/tools/list`. */
export const toolListSchema = z
  .object({
    ...listAnswer,
    tools: z.array(catalogueToolSchema),
    servers: z.array(serverListingSchema),
  })
  .meta({ id: "ToolList" });

/** Answer of `POST /v1/prompts/list`. */
export const promptListSchema = z
  .object({
    ...listAnswer,
    prompts: z.array(cataloguePromptSchema),
    servers: z.array(z.object({ ...listing, prompts: count }).meta({ id: "PromptListing" })),
  })
  .meta({ id: "PromptList" });

/** Answer of `POST /v1/resources/list`. */
export const resourceListSchema = z
  .object({
    ...listAnswer,
    resources: z.array(catalogueResourceSchema),
    servers: z.array(z.object({ ...listing, resources: count }).meta({ id: "ResourceListing" })),
  })
  .meta({ id: "ResourceList" });

/** Answer of `POST /v1/resources/templates/list`. */
export const resourceTemplateListSchema = z
  .object({
    ...listAnswer,
    resource_templates: z.array(catalogueResourceTemplateSchema),
    servers: z.array(
      z.object({ ...listing, resource_templates: count }).meta({ id: "ResourceTemplateListing" }),
    ),
  })
  .meta({ id: "ResourceTemplateList" });
