import type { Text } from '../kit/text.ts';
import type { NasVendor } from './nas.ts';
import type { RadiusAddress } from './nas-detail.ts';

/** What a set-up script needs of a NAS. Without a secret the script has a placeholder. */
export interface NasSetup {
  readonly identifier: string;
  readonly transport: 'udp' | 'radsec';
  readonly coa_port: number;
  readonly interval_s: number;
  readonly chap: boolean;
  readonly mschap: boolean;
  readonly require_ma: boolean;
  readonly server: RadiusAddress;
  readonly secret?: string | undefined;
}

export interface NasScript {
  readonly id: string;
  readonly label: Text;
  /** Vendor attributes that the NAS must be set to. */
  readonly vendor: NasVendor;
  readonly transports: readonly NasSetup['transport'][];
  readonly lines: (setup: NasSetup) => readonly string[];
}

const secretMark = '<SECRET>';
const hostMark = '<RADIUS-SERVER>';

/** Line breaks and other control characters would begin another command. */
const oneLine = (value: string) => value.replace(/\p{C}/gu, '');
const hostOf = ({ server }: NasSetup) => oneLine(server.host) || hostMark;
const secretOf = ({ secret }: NasSetup) => oneLine(secret ?? secretMark);
const rotateFirst = ['# The secret has characters that this file cannot hold. Rotate the secret, then copy again.'];

/** Escapes of RouterOS; a plain question mark opens the help of its console. */
const routerOs = (value: string) => `"${oneLine(value).replace(/["\\$?]/g, '\\$&')}"`;
const shell = (value: string) => `'${oneLine(value).replaceAll("'", "'\\''")}'`;

/** FreeRADIUS keeps single quotes as they are; in double quotes it also expands references. Undefined: neither can hold it. */
const freeRadius = (value: string): string | undefined => {
  const text = oneLine(value);
  if (!/['\\]/.test(text)) return `'${text}'`;
  return /\$(ENV)?\{/.test(text) ? undefined : `"${text.replace(/["\\]/g, '\\$&')}"`;
};

const isIp = (host: string) => /^\d+(\.\d+){3}$/.test(host);

const routerOsRadius = (setup: NasSetup, service: 'hotspot' | 'ppp') => {
  const host = hostOf(setup);
  const address = isIp(host) ? host : `[:resolve ${routerOs(host)}]`;
  const { auth_port, acct_port } = setup.server;
  return [
    ...(setup.require_ma ? ['# RouterOS 6 sends no Message-Authenticator: turn off "Require Message-Authenticator" of this NAS.'] : []),
    `/system identity set name=${routerOs(setup.identifier)}`,
    `/radius remove [find comment="farlink-${service}"]`,
    `/radius add service=${service} address=${address} secret=${routerOs(secretOf(setup))} authentication-port=${auth_port} accounting-port=${acct_port} timeout=3s comment="farlink-${service}"`,
    `/radius incoming set accept=yes port=${setup.coa_port}`,
  ];
};

const mikrotikHotspot = (setup: NasSetup) => [
  ...routerOsRadius(setup, 'hotspot'),
  `/ip hotspot profile set [find] use-radius=yes radius-accounting=yes radius-interim-update=received login-by=${setup.chap ? 'http-chap' : 'http-pap'},cookie`,
];

const mikrotikPppoe = (setup: NasSetup) => [
  ...routerOsRadius(setup, 'ppp'),
  `/ppp aaa set use-radius=yes accounting=yes interim-update=${setup.interval_s}s`,
  `/interface pppoe-server server set [find] authentication=${['pap', ...(setup.chap ? ['chap'] : []), ...(setup.mschap ? ['mschap2'] : [])].join(',')}`,
];

const uspot = (setup: NasSetup) => {
  const { auth_port, acct_port } = setup.server;
  const host = shell(hostOf(setup));
  const secret = shell(secretOf(setup));
  const values = {
    nasid: shell(setup.identifier),
    auth_server: host,
    auth_port,
    auth_secret: secret,
    acct_server: host,
    acct_port,
    acct_secret: secret,
    acct_interval: setup.interval_s,
    das_port: setup.coa_port,
    das_secret: secret,
    mac_format: shell('aa-bb-cc-dd-ee-ff'),
  };
  return [
    '# "captive" is the name of the section of /etc/config/uspot.',
    ...Object.entries(values).map(([name, value]) => `uci set uspot.captive.${name}=${value}`),
    'uci commit uspot',
    '/etc/init.d/uspot restart',
  ];
};

const chilli = (setup: NasSetup) => {
  // Its start script writes the value between double quotes into another file.
  if (/["\\]/.test(secretOf(setup))) return rotateFirst;
  const { auth_port, acct_port } = setup.server;
  const host = shell(hostOf(setup));
  return [
    '# Lines of /etc/chilli/config',
    `HS_NASID=${shell(setup.identifier)}`,
    `HS_RADIUS=${host}`,
    `HS_RADIUS2=${host}`,
    `HS_RADSECRET=${shell(secretOf(setup))}`,
    `HS_RADAUTH=${auth_port}`,
    `HS_RADACCT=${acct_port}`,
    `HS_COAPORT=${setup.coa_port}`,
    `HS_DEFINTERIMINTERVAL=${setup.interval_s}`,
  ];
};

const homeServer = (setup: NasSetup, name: string, type: string, port: number, more: readonly string[]) => [
  `home_server ${name} {`,
  `  type = ${type}`,
  `  ipaddr = ${hostOf(setup)}`,
  `  port = ${port}`,
  ...more.map((line) => `  ${line}`),
  '}',
];

const realm = (auth: string, acct: string) => [
  `home_server_pool ${auth} {`,
  '  type = fail-over',
  `  home_server = ${auth}`,
  '}',
  ...(acct === auth ? [] : [`home_server_pool ${acct} {`, '  type = fail-over', `  home_server = ${acct}`, '}']),
  'realm farlink {',
  `  auth_pool = ${auth}`,
  `  acct_pool = ${acct}`,
  '  nostrip',
  '}',
];

const freeradius = (setup: NasSetup) => {
  const { auth_port, acct_port, radsec_port } = setup.server;
  if (setup.transport === 'radsec') {
    const tls = [
      'tls {',
      '  certificate_file = /etc/freeradius/farlink-client.pem',
      '  private_key_file = /etc/freeradius/farlink-client.key',
      '  ca_file = /etc/freeradius/farlink-ca.pem',
      '}',
    ];
    return [
      `# The common name of the certificate is ${oneLine(setup.identifier)}.`,
      ...homeServer(setup, 'farlink', 'auth+acct', radsec_port, ['proto = tcp', 'secret = radsec', 'status_check = none', ...tls]),
      ...realm('farlink', 'farlink'),
    ];
  }
  const quoted = freeRadius(secretOf(setup));
  if (quoted === undefined) return rotateFirst;
  const secret = [`secret = ${quoted}`];
  return [
    `# Set the address of this FreeRADIUS on the NAS record ${oneLine(setup.identifier)}: it forwards the identifiers of others.`,
    ...homeServer(setup, 'farlink-auth', 'auth', auth_port, secret),
    ...homeServer(setup, 'farlink-acct', 'acct', acct_port, secret),
    ...realm('farlink-auth', 'farlink-acct'),
  ];
};

const hostapd = (setup: NasSetup) => [
  '# The access point asks a FreeRADIUS in front (here on the same machine), which ends EAP and asks Farlink.',
  'ieee8021x=1',
  'wpa=2',
  'wpa_key_mgmt=WPA-EAP',
  'rsn_pairwise=CCMP',
  `nas_identifier=${oneLine(setup.identifier)}`,
  'auth_server_addr=127.0.0.1',
  'auth_server_port=1812',
  'auth_server_shared_secret=<SECRET-OF-FREERADIUS-CLIENT>',
  'acct_server_addr=127.0.0.1',
  'acct_server_port=1813',
  'acct_server_shared_secret=<SECRET-OF-FREERADIUS-CLIENT>',
  `radius_acct_interim_interval=${setup.interval_s}`,
];

const udp = ['udp'] as const;
const both = ['udp', 'radsec'] as const;

/** Set-up scripts by maker. */
export const nasScripts: readonly NasScript[] = [
  { id: 'mikrotik_hotspot', label: ['MikroTik Hotspot', 'MikroTik hotspot'], vendor: 'mikrotik', transports: udp, lines: mikrotikHotspot },
  { id: 'mikrotik_pppoe', label: ['MikroTik PPPoE', 'MikroTik PPPoE'], vendor: 'mikrotik', transports: udp, lines: mikrotikPppoe },
  { id: 'uspot', label: ['OpenWrt uspot', 'OpenWrt uspot'], vendor: 'chillispot', transports: udp, lines: uspot },
  { id: 'chilli', label: ['CoovaChilli', 'CoovaChilli'], vendor: 'chillispot', transports: udp, lines: chilli },
  { id: 'freeradius', label: ['前置FreeRADIUS', 'FreeRADIUS in front'], vendor: 'standard', transports: both, lines: freeradius },
  { id: 'hostapd', label: ['WPA企业版（hostapd）', 'WPA-Enterprise (hostapd)'], vendor: 'standard', transports: both, lines: hostapd },
];

export const scriptOf = (script: NasScript, setup: NasSetup): string => `${script.lines(setup).join('\n')}\n`;
