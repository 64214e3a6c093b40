import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nasScripts, scriptOf } from '../contract/src/advanced/nas-scripts.ts';
import { root } from './run.mjs';

/** @type {Readonly<Record<string, string>>} */
const pages = {
  mikrotik_hotspot: 'mikrotik',
  mikrotik_pppoe: 'mikrotik',
  uspot: 'openwrt',
  chilli: 'coovachilli',
  freeradius: 'freeradius',
  hostapd: 'wpa-enterprise',
};

/** @type {import('../contract/src/advanced/nas-scripts.ts').NasSetup} */
const setup = {
  identifier: 'hotel-1',
  transport: 'udp',
  coa_port: 3799,
  interval_s: 300,
  chap: false,
  mschap: false,
  require_ma: false,
  server: { host: 'aaa.example.net', auth_port: 1812, acct_port: 1813, radsec_port: 2083 },
};

test.each(nasScripts.map((script) => ({ id: script.id, script })))('the page of $id shows the script of the console', ({ id, script }) => {
  expect(readFileSync(join(root, `docs/routers/${pages[id]}.md`), 'utf8')).toContain(`\`\`\`sh\n${scriptOf(script, setup)}\`\`\``);
});
