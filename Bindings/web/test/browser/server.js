// Serves the folder of the package on this machine, which browsers take for a secure page.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../..", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".json": "application/json",
  ".wasm": "application/wasm",
};

export async function serve(port = 0) {
  const server = createServer((request, response) => {
    const path = join(FOLDER, normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)));
    const file = path.endsWith("/") ? join(path, "index.html") : path;
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { origin: `http://localhost:${server.address().port}`, close: () => server.close() };
}

// node test/browser/server.js [PORT]
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { origin } = await serve(Number(process.argv[2] ?? 8000));
  console.log(`${origin}/demo/`);
}
