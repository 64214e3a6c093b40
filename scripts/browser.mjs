import { aptInstall, findProgram, mayApt, runs } from './debian.mjs';
import { printLine, StepError } from './run.mjs';

// The headless shell renders the same pages in two thirds of the time.
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const paths = [
  `/usr/bin/${shell}`,
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Finds the browser: CHROMIUM, or Chromium or Chrome at the usual paths. */
export const findBrowser = () => {
  if (process.env.CHROMIUM) return runs(process.env.CHROMIUM) ? process.env.CHROMIUM : undefined;
  return findProgram(paths, names);
};

/** Finds the browser, or installs it if allowed: on Debian and Ubuntu as root. */
export const ensureBrowser = async () => {
  const found = findBrowser();
  if (found) return found;
  if (process.env.CHROMIUM) throw new StepError(`CHROMIUM names ${process.env.CHROMIUM}, which cannot be run.`);
  if (mayApt()) {
    // Older Debian versions have no package for the shell alone.
    for (const browser of [shell, 'chromium']) {
      const packages = [browser, 'fonts-noto-cjk'];
      printLine(`Installing Debian packages for the browser tests: ${packages.join(', ')} and their libraries…`);
      await aptInstall(packages);
      const installed = findBrowser();
      if (installed) return installed;
    }
  }
  throw new StepError(
    'The browser tests need Chromium or Chrome: install it (Debian: apt-get install chromium fonts-noto-cjk) or set CHROMIUM to its path.',
  );
};
