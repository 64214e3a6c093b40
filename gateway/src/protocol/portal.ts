import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { epoch } from './epoch.ts';
import { hashOf } from './shadow.ts';
import { int, type JsonObject, type Of, obj, oneOf, parseJson, record, str } from './shape.ts';

/** Section with the portal of a gateway. `{}`: no portal. */
export const portalSectionName = 'portal';

/** Largest bundle. */
export const bundleBytes = 1024 * 1024;

/**
 * Section `portal`: the pages that a gateway shows to users without access. `h` is the SHA-256 of the bundle, `n` its size, `url` where the
 * file exchange serves it. `key` signs the client data of the gateway; `host` is the hosted portal of the console.
 */
export const portalSection = obj(
  {
    id: int(1, Number.MAX_SAFE_INTEGER),
    h: str(64, /^[0-9a-f]{64}$/),
    n: int(1, 4 * 1024 * 1024),
    billing: oneOf(['free', 'charged']),
    key: str(64, /^[\w-]{43}$/),
    host: str(300, /^https?:\/\/[^\s"'<>\\]+\/$/),
  },
  { url: str(1000, /^https?:\/\//) },
);
export type PortalSection = Of<typeof portalSection>;

/** Hash of the section. The URL is not part of it, because it expires and is new in each message. */
export const portalHash = ({ url: _, ...doc }: JsonObject): string => hashOf(doc);

/** `manifest.json` of a bundle: SHA-256 of each other file. */
export const portalManifest = obj({
  v: oneOf([1]),
  portal: int(1, Number.MAX_SAFE_INTEGER),
  rev: int(1, 2_147_483_647),
  files: record(/^(asset|page|img)\/[a-z0-9][a-z0-9.-]{0,90}$/, str(64, /^[0-9a-f]{64}$/), 200),
});
export type PortalManifest = Of<typeof portalManifest>;

/** Code at the start of the reason why a bundle is not served, and the matching code of file tasks. */
export const portalFaults = { E_FETCH: 200, E_MISSING: 202, E_CORRUPT: 203, E_UNPACK: 102, E_PROBE: 101 } as const;
const isPortalFault = (code: string): code is keyof typeof portalFaults => Object.hasOwn(portalFaults, code);

/** Code of file tasks for the reason in an echo. Everything else is a failed installation. */
export const portalFaultCode = (err: string): 101 | 102 | 200 | 202 | 203 => {
  const code = err.split(' ', 1)[0] ?? '';
  return isPortalFault(code) ? portalFaults[code] : portalFaults.E_PROBE;
};

/** Data of a gateway about a client that opens the hosted portal. */
export const handover = obj(
  { sn: str(64, /^[\w-]+$/), mac: str(17, /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/), ip: str(45, /^[0-9a-fA-F.:]+$/), t: epoch },
  {
    /** Session of the client on the gateway, if it is logged in. */
    sid: str(64),
    acc: str(64),
  },
);
export type Handover = Of<typeof handover>;

/** Maximum difference between the signed time and the clock of the console, in both directions. */
export const handoverSeconds = 300;

const macOf = (key: string, text: string) =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(`farlink handover ${text}`).digest();

/** `{payload}.{signature}` in base64url, for the parameter `gw` of the hosted portal and the header of forwarded calls. */
export const signHandover = (key: string, client: Handover): string => {
  const text = Buffer.from(JSON.stringify(client)).toString('base64url');
  return `${text}.${macOf(key, text).toString('base64url')}`;
};

/** The serial number in a signed text, to find the key. It is not verified yet. */
export const claimedSn = (signed: string): string | undefined => {
  const parsed = parseJson(handover, Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString());
  return 'value' in parsed ? parsed.value.sn : undefined;
};

/** The client data, if the signature is valid and recent. */
export const openHandover = (key: string, signed: string, now: number): Handover | undefined => {
  const [text = '', signature = ''] = signed.split('.');
  const expected = macOf(key, text);
  const actual = Buffer.from(signature, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const parsed = parseJson(handover, Buffer.from(text, 'base64url').toString());
  if (!('value' in parsed)) return undefined;
  return Math.abs(parsed.value.t - now) <= handoverSeconds ? parsed.value : undefined;
};
