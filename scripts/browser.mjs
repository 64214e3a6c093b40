import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, StepError, say } from './run.mjs';

// The headless shell draws the same pages in two thirds of the time.
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
  `/usr/bin/${shell}`,
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** @param {string} file */
const runs = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser of this machine: CHROMIUM, or a Chromium or Chrome where it usually is. */
export const findBrowser = () => {
  if (process.env.CHROMIUM) return runs(process.env.CHROMIUM) ? process.env.CHROMIUM : undefined;
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, ...onPath].find(runs);
};

const isDebian = () => existsSync('/etc/os-release') && /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Finds the browser, or installs it where that is ours to do: on Debian and Ubuntu as root. */
export const ensureBrowser = async () => {
  const found = findBrowser();
  if (found) return found;
  if (process.env.CHROMIUM) throw new StepError(`CHROMIUM names ${process.env.CHROMIUM}, which cannot be run.`);
  if (process.getuid?.() === 0 && isDebian()) {
    say('Installing Chromium…');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
    await run('apt-get', ['update', ...quiet], { env });
    // An older Debian has no package of the shell alone.
    for (const browser of [shell, 'chromium']) {
      await run('apt-get', ['install', '-y', ...quiet, browser, 'fonts-noto-cjk'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
      const installed = findBrowser();
      if (installed) return installed;
    }
  }
  throw new StepError(
    'The browser tests need Chromium or Chrome: install it (Debian: apt-get install chromium fonts-noto-cjk) or set CHROMIUM to its path.',
  );
};
