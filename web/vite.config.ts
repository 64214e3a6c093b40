import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Writes .gz and .br beside every asset, so that the server only has to choose. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: {
    sequential: true,
    async handler({ dir = '' }) {
      const files = await readdir(dir, { recursive: true });
      for (const file of files.filter((f) => /\.(js|css|html|svg|json)$/.test(f))) {
        const path = join(dir, file);
        const content = await readFile(path);
        await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
        await writeFile(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
      }
    },
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react({ compiler: true }), precompress()],
  server: { proxy: { '/agt': 'http://127.0.0.1:8080' } },
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: 'hidden',
    rolldownOptions: {
      // These packages do not declare it: unused modules can be removed, such as the form behind a context that an input reads.
      treeshake: { moduleSideEffects: [{ test: /node_modules[\\/]@rc-component[\\/]/, sideEffects: false }] },
      output: {
        // The login is small and loads first; `shared` has the modules that most pages use; a page loads its other modules itself.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 30 },
            { name: 'login', tags: ['$initial'], priority: 20 },
            { name: 'shared', minShareCount: 24, priority: 10 },
          ],
        },
      },
    },
  },
});
