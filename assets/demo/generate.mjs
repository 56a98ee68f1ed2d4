#!/usr/bin/env node
// Writes the demo sessions beside itself:
//
//   env $(tests/oracle/install) sh -c '"$PI_NODE" assets/demo/generate.mjs'
//
// Placeholders the program fills in: @HOME@ the home folder of the demo, @FILE:name@ the path of another demo session.
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as api from "./api.mjs";
import { spike } from "./prototype.mjs";
import * as web from "./web.mjs";

const folder = path.dirname(fileURLToPath(import.meta.url));
for (const make of [...Object.values(api), ...Object.values(web), spike]) make(folder);
