import { epoch } from './epoch.ts';
import { int, mismatch, oneOf, type Shape, str } from './shape.ts';

export const authActions = ['login', 'logout'] as const;
export const forumActions = ['post', 'reply', 'browse'] as const;
export const mailDirections = ['send', 'receive'] as const;
export const terminalSystems = ['android', 'ios', 'windows', 'other'] as const;

const unstorable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const halfCharacter = /[\ud800-\udbff]$/;

/** Does not split a surrogate pair. */
const truncate = (text: string, max: number) => (text.length <= max ? text : text.slice(0, max).replace(halfCharacter, ''));

/**
 * A text that was taken from the traffic of a user. It is made storable instead of refused, so that one hostile page does not remove the
 * other rows of its batch: lone surrogates and control characters are replaced, the rest is truncated. Reading the result again changes nothing.
 */
export const trafficText = (max: number): Shape<string> => ({
  read: (raw, at) => {
    if (typeof raw !== 'string') return mismatch(at, 'a text');
    const text = truncate(raw, max * 4)
      .toWellFormed()
      .replace(unstorable, ' ')
      .trim();
    return truncate(text, max).trimEnd();
  },
});

const account = str(64, /^\S*$/);
const mac: Shape<string> = {
  read: (raw, at) => {
    const text = typeof raw === 'string' ? raw.toLowerCase() : '';
    return /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(text) ? text : mismatch(at, 'a MAC address');
  },
};
const ip = str(45, /^[0-9a-fA-F:.]+$/);
const port = int(0, 65_535);
const ports = str(11, /^\d{1,5}-\d{1,5}$/);
/** 16 random bytes, made by the gateway for each row with values that are sealed. */
const salt = str(32, /^[0-9a-f]{32}$/);

/** `at` is the time of the row, `acc` the account, empty if there is none. */
const common = { at: epoch, acc: account };
const terminal = { ip, mac };

/** Streams of audit data. Rows carry their own time, because they are collected over minutes. */
export const auditStreams = {
  a_auth: {
    series: false,
    required: { ...common, act: oneOf(authActions) },
    optional: { ...terminal, li: epoch, lo: epoch, pip: ip, pr: ports, sid: str(64) },
  },
  a_id: {
    series: false,
    required: { ...common, app: trafficText(64), id: trafficText(128) },
    optional: { ...terminal, act: trafficText(32), sip: ip, sp: port },
  },
  // HTTPS shows the host only, so `u` and `t` are optional.
  a_url: {
    series: false,
    required: { ...common, h: trafficText(255) },
    optional: { ...terminal, u: trafficText(2048), t: trafficText(512), cat: trafficText(64), sip: ip, sp: port },
  },
  a_bbs: {
    series: false,
    required: { ...common, f: trafficText(64), act: oneOf(forumActions), salt },
    optional: { ...terminal, au: trafficText(128), t: trafficText(512), c: trafficText(4096), u: trafficText(2048) },
  },
  // `to` and `cc` are addresses separated by commas.
  a_mail: {
    series: false,
    required: { ...common, dir: oneOf(mailDirections), salt },
    optional: {
      ...terminal,
      from: trafficText(320),
      to: trafficText(4096),
      cc: trafficText(4096),
      sub: trafficText(1024),
      n: int(0, 10_000),
      sz: int(0, 2 ** 40),
    },
  },
  a_term: {
    series: false,
    required: { at: epoch, mac, os: oneOf(terminalSystems) },
    optional: { acc: account, ip, br: trafficText(64), ssid: trafficText(64), sig: int(-200, 0) },
  },
} as const;

export type AuditStream = keyof typeof auditStreams;
export const isAuditStream = (name: string): name is AuditStream => Object.hasOwn(auditStreams, name);
