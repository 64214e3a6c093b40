import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './run.mjs';

const server = await createServer({
  root: join(root, 'web'),
  clearScreen: false,
  server: {
    port: Number(process.env.WEB_PORT),
    strictPort: true,
    proxy: { '/agt': { target: `http://127.0.0.1:${process.env.PORT}`, ws: true } },
  },
});
await server.listen();
server.printUrls();
