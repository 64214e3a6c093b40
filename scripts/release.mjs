// npm run release [-- FOLDER]: makes one archive that starts on a machine without Node and without a registry.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureInstalled, ensureWebBuilt } from './prepare.mjs';
import { consolePackages, git, releaseFile, releaseMembers, serverPackages } from './release-files.mjs';
import { main, modules, printLine, root, StepError, windows } from './run.mjs';
import { tarGz } from './tar.mjs';
import { thirdParty } from './third-party.mjs';

/** @param {string} file */
const versionIn = (file) => String(JSON.parse(readFileSync(file, 'utf8')).version);

/** Version, commit and time of the release. SOURCE_DATE_EPOCH replaces the time of the commit. */
const describe = () => {
  const version = versionIn(join(root, 'package.json'));
  const isChanged = git(['status', '--porcelain', '--untracked-files=no']) !== '';
  if (isChanged) printLine('The checkout has changes that are not committed: the archive contains them.');
  const time = Number(process.env.SOURCE_DATE_EPOCH ?? git(['log', '-1', '--format=%ct']));
  const commit = `${git(['rev-parse', 'HEAD'])}${isChanged ? ' with changes' : ''}`;
  const node = versionIn(join(modules, 'node', 'package.json'));
  return { version, commit, time, date: new Date(time * 1000).toISOString(), platform: process.platform, arch: process.arch, node };
};

/** @param {string} file */
const sha256 = async (file) => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

/** @param {ReturnType<typeof describe>} release */
const members = (release) => {
  const folder = `farlink-${release.version}`;
  /** @type {import('./tar.mjs').Member[]} */
  const texts = [
    { name: releaseFile, mode: 0o644, text: `${JSON.stringify(release, null, 2)}\n` },
    { name: 'THIRD-PARTY.txt', mode: 0o644, text: thirdParty(serverPackages(), consolePackages()) },
  ];
  return [...releaseMembers(), ...texts]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((member) => ({ ...member, name: `${folder}/${member.name}` }));
};

await main(async () => {
  if (windows) throw new StepError('Releases can only be built on Linux and macOS.');
  const begun = performance.now();
  await ensureInstalled();
  await ensureWebBuilt();
  const release = describe();
  const target = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? join(root, 'release'));
  mkdirSync(target, { recursive: true });
  const file = join(target, `farlink-${release.version}-${release.platform}-${release.arch}.tar.gz`);
  const all = members(release);
  const { source, gzip } = tarGz(all, release.time);
  await pipeline(source, gzip, createWriteStream(`${file}.part`));
  renameSync(`${file}.part`, file);
  const sum = await sha256(file);
  writeFileSync(`${file}.sha256`, `${sum}  ${basename(file)}\n`);
  const unpacked = all.reduce((total, member) => total + ('file' in member ? member.size : 0), 0);
  /** @param {number} bytes */
  const mega = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  printLine(`${file}\n${all.length} files, ${mega(unpacked)}; archive ${mega(statSync(file).size)}; SHA-256 ${sum}`);
  printLine(`Made in ${((performance.now() - begun) / 1000).toFixed(1)} s from ${release.commit}.`);
  return 0;
});
