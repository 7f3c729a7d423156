import { confineHost } from "./isolation/confine-host.ts";

// What follows is loaded once: a host that root started becomes another program here.
confineHost(process.env);
const { serveHost } = await import("./serve.ts");
serveHost(process.env);
