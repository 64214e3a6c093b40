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

/** Matches the ends of paths. */
const paths = (...ends: string[]) => new RegExp(ends.map((end) => end.replaceAll('/', '[\\\\/]').replaceAll('.', '\\.')).join('|'));

/**
 * Chunks that pages share, in the order in which they take modules; each takes the imports of its modules too. A page loads few of them,
 * and its other modules itself. `e2e/first-load.spec.ts` holds the limits.
 */
const groups = [
  { name: 'react', test: paths('node_modules/(react|react-dom|scheduler|react-router)/') },
  { name: 'start', tags: ['$initial' as const] },
  {
    // The shell, and what both lists and configuration pages show.
    name: 'console',
    test: paths(
      'web/src/app/console.tsx',
      'ui/native/(button|action-button|icon-button|act-button|refusal|select-box|column-head|select|line-input).tsx',
      'ui/browser/',
      'ui/theme/icons.ts',
      '@ant-design/icons(-svg)?/',
      'kit/chrome/read-failed.tsx',
      'kit/live/use-live.ts',
      'kit/list/(cell.tsx|columns.ts|view-settings.tsx|use-table-view.ts)',
      'kit/actions/(action-state|fit-buttons).ts',
      'contract/src/export/export.ts',
    ),
  },
  { name: 'list', test: paths('kit/list/(resource-page|plain-list|field-text).tsx') },
  {
    name: 'device',
    test: paths(
      'contract/src/device/(device-resource|shadow|remote).ts',
      'contract/src/config/(config|gateway-config).ts',
      'kit/actions/open-remote.ts',
    ),
  },
  { name: 'user', test: paths('pages/user/user-list.tsx') },
  {
    // Small modules that several pages use. Their imports are in the chunks above.
    name: 'controls',
    test: paths(
      'ui/native/',
      'kit/form/(record-state|typed-text|use-submit|use-leave-guard|use-picture)',
      'kit/(live|net)/',
      'kit/chrome/(route|tabs)',
      'kit/actions/after-pointer-up.ts',
      '(useQueries|queriesObserver|useMutation).js',
      'contract/src/(kit/|choices)',
    ),
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
  {
    // Declarations that pages about devices, VNOs and logs share.
    name: 'logs',
    test: paths('contract/src/(log|protocol|traffic)/', 'contract/src/vno/vno.ts', 'contract/src/device/device-fields.ts'),
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
  { name: 'record-view', test: paths('kit/form/(record-view|use-record).ts') },
  {
    name: 'config',
    test: paths('pages/config/gateway-config.tsx', 'kit/document/(use-document|schema).ts', 'gateway/src/(kit/|choices.ts)'),
  },
  { name: 'form', test: paths('kit/form/(record-dialog|record-page).tsx') },
].map((group, index, all) => ({ ...group, priority: all.length - index }));

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
      output: { codeSplitting: { groups } },
      // A list that opens in a dialog is in the chunk of all lists.
      checks: { ineffectiveDynamicImport: false },
    },
  },
});
