import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { goodPackage, pngOf, theme, zipOf } from '../../../../test/portal-api.ts';
import { readConfig } from '../../../env/config.ts';
import { PackageFault } from './package-fault.ts';
import { readPackage } from './read-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const deps = { config: readConfig({ DATA_DIR: folder }) };

const read = (bytes: Uint8Array) => {
  const path = join(folder, 'a.zip');
  writeFileSync(path, bytes);
  return readPackage(deps, path);
};
const faultOf = async (bytes: Uint8Array): Promise<string> => {
  try {
    await read(bytes);
    return 'accepted';
  } catch (error) {
    if (error instanceof PackageFault) return error.message;
    throw error;
  }
};

const good = await goodPackage();
/** yazl refuses unsafe names, so a name of the same length is replaced in the finished archive. */
const renamed = async (from: string, to: string) => {
  const bytes = await zipOf({ ...good, [from]: 'x' });
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
};
const many = (count: number, name: (n: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), '<p>x</p>']));
const manifest = (more: object) => ({ ...good, 'manifest.json': JSON.stringify({ name: 'A', version: '1', theme, ...more }) });

describe('a template package', () => {
  it('gives the same parts for the same files, with its own images', async () => {
    const bytes = await zipOf(good);
    const one = await read(bytes);
    expect(await read(bytes)).toEqual(one);
    expect(one.parts.images).toMatchObject([{ ext: 'png', width: 190, height: 60 }]);
    expect(one.parts.css).toContain(`url(../img/${one.parts.images[0]?.sha256}.png)`);
    expect(one.manifest.blocks?.[0]).toMatchObject({ logo: one.parts.images[0] });
  });

  it.each([
    ['no archive', async () => Buffer.from('PK not a zip'), 'ZIP: cannot be read'],
    ['an empty archive', () => zipOf({}), 'ZIP: cannot be read'],
    ['a cut archive', async () => (await zipOf(good)).subarray(0, 300), 'ZIP: cannot be read'],
    ['a path to the folder above', () => renamed('xx/evil.css', '../evil.css'), 'ZIP: cannot be read'],
    ['an absolute path', () => renamed('xevil.css', '/evil.css'), 'ZIP: cannot be read'],
    ['a drive letter', () => renamed('xx/evil.css', 'c:/evil.css'), 'ZIP: cannot be read'],
    ['a symbolic link', () => zipOf(good, 0o120777), 'symbolic links are not allowed'],
    ['a script file', () => zipOf({ ...good, 'app.js': 'alert(1)' }), 'app.js: a package may contain only'],
    ['a page', () => zipOf({ ...good, 'index.html': '<p>' }), 'index.html: a package may contain only'],
    ['an SVG', () => zipOf({ ...good, 'images/a.svg': '<svg onload="alert(1)"/>' }), 'images/a.svg: a package may contain only'],
    ['an unknown folder', () => zipOf({ ...good, 'more/style.css': 'a{}' }), 'more/style.css: a package may contain only'],
    ['more than 200 files', () => zipOf({ ...good, ...many(201, (n) => `fragments/f${n}.html`) }), 'more than 200 files'],
    ['more than 20 images', () => zipOf({ ...good, ...many(21, (n) => `images/i${n}.png`) }), 'more than 20 images'],
    [
      'a style sheet that is too large when unpacked',
      () => zipOf({ ...good, 'style.css': 'a{}'.repeat(50_000) }),
      'style.css: the file is larger than 64 KB',
    ],
    ['a zip bomb', () => zipOf({ ...good, 'images/b.png': Buffer.alloc(300 * 1024 * 1024) }), 'cannot be read'],
    ['a false image', () => zipOf({ ...good, 'images/b.png': '<script>alert(1)</script>' }), 'images/b.png: not a valid JPG or PNG image'],
    ['binary text', () => zipOf({ ...good, 'style.css': Buffer.from([0xff, 0xfe, 0x00]) }), 'style.css: not a UTF-8 text'],
    ['no manifest', async () => zipOf({ 'style.css': 'a{color:red}' }), 'manifest.json: the package has no such file'],
    ['a broken manifest', () => zipOf({ ...good, 'manifest.json': '{' }), 'manifest.json: not valid JSON'],
    ['a manifest without theme', () => zipOf({ ...good, 'manifest.json': '{"name":"a","version":"1"}' }), 'manifest.json: theme'],
    ['a color that ends the rule', () => zipOf(manifest({ theme: { ...theme, primary: '#fff;}*{' } })), 'manifest.json: theme.primary'],
    ['an unknown block', () => zipOf(manifest({ blocks: [{ id: 'a', kind: 'script' }] })), 'manifest.json: blocks'],
    ['a script address', () => zipOf(manifest({ blocks: [{ id: 'a', kind: 'footer', text: ['', ''], link: 'javascript:x' }] })), 'link'],
    [
      'an image that is not in the package',
      () => zipOf(manifest({ theme: { ...theme, image: 'images/none.png' } })),
      'manifest.json: theme.image',
    ],
    [
      'CSS that loads an external URL',
      () => zipOf({ ...good, 'style.css': 'a{color:red}\n\na{background:url(//e.example)}' }),
      'style.css, line 3: url(',
    ],
    ['HTML with script', () => zipOf({ ...good, 'fragments/b.html': '<p>\n<script>' }), 'fragments/b.html, line 2: <script>'],
  ])('with %s is refused', async (_, make, reason) => {
    expect(await faultOf(await make())).toContain(reason);
  });

  it('that is encrypted is refused', async () => {
    const bytes = await zipOf({ 'manifest.json': '{}' });
    // Bit 0 of the flags, in the local and in the central header.
    for (const [mark, at] of [
      [0x04034b50, 6],
      [0x02014b50, 8],
    ] as const)
      for (let n = 0; n < bytes.length - 4; n++)
        if (bytes.readUInt32LE(n) === mark) bytes.writeUInt16LE(bytes.readUInt16LE(n + at) | 1, n + at);
    expect(await faultOf(bytes)).toContain('ZIP: cannot be read');
  });

  it('with damaged bytes is refused or read, without another error', { tags: 'all' }, async () => {
    const bytes = await zipOf({ ...good, 'images/b.png': await pngOf(8, 8) });
    for (let n = 0; n < 150; n++) {
      const damaged = Buffer.from(bytes);
      damaged[(n * 7919) % damaged.length] = (n * 31) & 255;
      expect(typeof (await faultOf(damaged))).toBe('string');
    }
  });
});
