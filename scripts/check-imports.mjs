import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {ReadonlyMap<string, readonly string[]>} Imports Imports of each file: paths of the repository, or names of packages. */

/** Packages that a package may import. Tests may also import the simulator. */
const packages = {
  contract: [],
  gateway: ['contract'],
  portal: ['contract', 'gateway/src/protocol'],
  simulator: ['gateway', 'portal', 'contract/src/kit', 'contract/src/protocol'],
  server: ['contract', 'gateway', 'portal'],
  web: ['contract', 'gateway', 'portal'],
  e2e: ['contract', 'gateway', 'portal'],
  bench: ['contract', 'gateway', 'portal', 'server', 'simulator', 'scripts'],
  scripts: ['contract', 'server/src/env'],
};

/** Layers from the bottom up. A layer imports the layers before it; layers in one line do not import each other. */
const layers = {
  'server/src': [
    ['env'],
    ['db'],
    ['kit'],
    ['config-doc'],
    ['orders'],
    ['domain'],
    ['field', 'radius', 'remote', 'portal-host', 'modules', 'backup'],
    ['demo'],
    ['.'],
  ],
  'web/src': [['ui'], ['kit'], ['pages'], ['app'], ['.']],
};

/** Folders whose children do not import each other. What two of them need moves one layer down. */
const siblings = ['server/src/modules', 'web/src/pages'];

/** Folders whose subfolders may use each other, but not in a circle. */
const withoutCircles = ['server/src/kit', 'server/src/domain', 'server/src/domain/metering'];

/** @type {readonly { from: RegExp, except?: RegExp, to: RegExp, why: string }[]} */
const bans = [
  { from: /^server\/src\//, to: /^server\/test\//, why: 'only tests use fixtures' },
  { from: /^contract\//, to: /^node:/, why: 'the browser has no Node modules' },
  { from: /^web\//, except: /^web\/src\/ui\//, to: /^(antd|@ant-design)(\/|$)/, why: 'only web/src/ui uses the component library' },
  {
    from: /^web\/src\/(app|kit\/(actions|announcement|chrome|list|live|net|traffic))\//,
    to: /^web\/src\/ui\/antd\/(?!lazy-|confirm-dialog)/,
    why: 'shell and lists open without the component library',
  },
  {
    from: /^web\//,
    to: /^contract\/src\/(pages|endpoints)\.ts$/,
    why: 'a page imports its own declarations; contract/menu.ts has the menu',
  },
];

const isTest = (/** @type {string} */ file) => /\.test\.\w+$|^server\/test\//.test(file);

/** @param {string} file @param {string} root */
const layerOf = (file, root) => {
  const rest = file.slice(root.length + 1);
  return rest.includes('/') ? (rest.split('/')[0] ?? '.') : '.';
};

/** @param {string} from @param {string} to */
const crossesLayers = (from, to) =>
  Object.entries(layers).some(([root, order]) => {
    if (!from.startsWith(`${root}/`) || !to.startsWith(`${root}/`)) return false;
    const above = layerOf(from, root);
    const below = layerOf(to, root);
    const at = (/** @type {string} */ name) => order.findIndex((line) => line.includes(name));
    return above !== below && at(below) >= at(above);
  });

/** @param {string} from @param {string} to */
const crossesSiblings = (from, to) =>
  siblings.some((root) => {
    if (!from.startsWith(`${root}/`) || !to.startsWith(`${root}/`)) return false;
    const one = layerOf(from, root);
    const other = layerOf(to, root);
    return one !== '.' && one !== other;
  });

/** @param {string} from @param {string} to */
const crossesPackages = (from, to) => {
  const [name] = from.split('/');
  if (!name || !Object.hasOwn(packages, name) || to.startsWith(`${name}/`)) return false;
  const allowed = packages[/** @type {keyof typeof packages} */ (name)];
  const isPackage = Object.keys(packages).some((name) => to.startsWith(`${name}/`));
  return isPackage && !allowed.some((name) => to.startsWith(`${name}/`));
};

/** @param {Imports} imports @returns {string[]} */
export const wrongImports = (imports) =>
  [...imports].flatMap(([from, targets]) => {
    if (isTest(from)) return [];
    return targets.flatMap((to) => {
      const ban = bans.find((rule) => rule.from.test(from) && !rule.except?.test(from) && rule.to.test(to));
      if (ban) return [`${from} imports ${to}: ${ban.why}`];
      if (crossesPackages(from, to)) return [`${from} imports ${to}: the package may not`];
      if (crossesLayers(from, to)) return [`${from} imports ${to}: imports go down the layers`];
      return crossesSiblings(from, to) ? [`${from} imports ${to}: move what both need one layer down`] : [];
    });
  });

/**
 * Groups of files that import each other (Tarjan), type-only imports included.
 * @param {Imports} imports @returns {string[][]}
 */
export const cyclesOf = (imports) => {
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {Map<string, number>} */
  const low = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const cycles = [];
  const visit = (/** @type {string} */ file) => {
    order.set(file, order.size);
    low.set(file, order.get(file) ?? 0);
    stack.push(file);
    const targets = imports.get(file) ?? [];
    for (const to of targets) {
      if (!imports.has(to)) continue;
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? 0, low.get(to) ?? 0));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || targets.includes(file)) cycles.push(group.sort());
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return cycles;
};

/**
 * Circles of subfolders. Files in the folder itself belong to none.
 * @param {Imports} imports @returns {string[]}
 */
export const folderCircles = (imports) =>
  withoutCircles.flatMap((root) => {
    /** @param {string} file */
    const subfolderOf = (file) => (file.startsWith(`${root}/`) && layerOf(file, root) !== '.' ? layerOf(file, root) : undefined);
    /** @type {Map<string, string[]>} */
    const uses = new Map();
    for (const [from, targets] of imports) {
      const subfolder = isTest(from) ? undefined : subfolderOf(from);
      if (subfolder === undefined) continue;
      const others = targets.flatMap((to) => subfolderOf(to) ?? []).filter((other) => other !== subfolder);
      uses.set(subfolder, [...(uses.get(subfolder) ?? []), ...others]);
    }
    return cyclesOf(uses).map((circle) => `circle of folders in ${root}: ${circle.join(' - ')}`);
  });

const importPattern = /(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^'\n]+)'/gm;

/** @param {string} file @param {string} text */
export const importsOf = (file, text) =>
  [...text.matchAll(importPattern)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name.replace(/^@farlink\/(\w+)\//, '$1/src/'),
  );

/** @returns {Imports} */
export const readImports = () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' });
  const files = list.split('\n').filter(Boolean);
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]));
};

if (import.meta.main) {
  const imports = readImports();
  const cycles = cyclesOf(imports).map((group) => `import cycle of ${group.length} files: ${group.join(', ')}`);
  const faults = [...wrongImports(imports), ...cycles, ...folderCircles(imports)];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.stdout.write(`${imports.size} files, ${cycles.length} import cycles, ${faults.length} faults\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
