import * as z from "zod";

const unchangedObject = z.record(z.string(), z.unknown());

const namesShape = {
  name: z.string().meta({
    description: "Public name within the server: the original, or its characters made legal.",
  }),
  qualified_name: z.string().meta({
    description: "Name among all servers: [A-Za-z0-9_-], at most 64 characters.",
  }),
  server: z.string().meta({ description: "The server's name in the config." }),
  original_name: z.string().meta({ description: "The name that the server knows." }),
  title: z.string().nullable(),
  description: z.string().nullable(),
};

/** One tool of `/v1/tools/list`. What the server did not send is null. */
export const catalogueToolSchema = z
  .object({
    ...namesShape,
    input_schema: unchangedObject.meta({
      description: "JSON Schema of the arguments, as the server sent it, without x-mcp-header.",
    }),
    output_schema: unchangedObject
      .nullable()
      .meta({ description: "JSON Schema of structured_content." }),
    annotations: unchangedObject
      .nullable()
      .meta({ description: "The server's own hints on the tool's behaviour; not to be trusted." }),
    meta: unchangedObject.nullable().meta({ description: "The tool's `_meta`, unchanged." }),
  })
  .meta({ id: "CatalogueTool" });

/** One prompt of `/v1/prompts/list`. What the server did not send is null. */
export const cataloguePromptSchema = z
  .object({
    ...namesShape,
    arguments: z.array(unchangedObject).nullable(),
    meta: unchangedObject.nullable().meta({ description: "The prompt's `_meta`, unchanged." }),
  })
  .meta({ id: "CataloguePrompt" });

const resourceShape = {
  name: z
    .string()
    .meta({ description: "The server's own name for it; its URI where it has none." }),
  server: z.string().meta({ description: "The server's name in the config." }),
  title: z.string().nullable(),
  description: z.string().nullable(),
  mime_type: z.string().nullable(),
  annotations: unchangedObject.nullable(),
  meta: unchangedObject.nullable().meta({ description: "Its `_meta`, unchanged." }),
};

/** One resource of `/v1/resources/list`. What the server did not send is null. */
export const catalogueResourceSchema = z
  .object({
    uri: z.string().meta({ description: "What `/v1/resources/read` takes." }),
    ...resourceShape,
    size: z.number().nullable().meta({ description: "Size in bytes that the server states." }),
  })
  .meta({ id: "CatalogueResource" });

/** One template of `/v1/resources/templates/list`. What the server did not send is null. */
export const catalogueResourceTemplateSchema = z
  .object({
    uri_template: z.string().meta({ description: "URI template (RFC 6570)." }),
    ...resourceShape,
  })
  .meta({ id: "CatalogueResourceTemplate" });
