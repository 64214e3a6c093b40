import type { EventKind } from '@farlink/contract/protocol/event.ts';
import { rollbackTimer } from '@farlink/contract/protocol/rollback.ts';
import { commandState } from '../../../contract/src/protocol/command.ts';
import { type AccountReport, accountListVersion, accountReport } from './account.ts';
import { type DangerListVersion, dangerHit, dangerListVersion } from './danger-list.ts';
import { dpiReports } from './dpi.ts';
import { epoch } from './epoch.ts';
import { maxBytes } from './limits.ts';
import { hashPattern } from './shadow.ts';
import {
  document,
  flag,
  int,
  isObject,
  type Json,
  type JsonObject,
  list,
  mismatch,
  num,
  type Of,
  obj,
  oneOf,
  record,
  reportedDocument,
  row,
  type Shape,
  str,
} from './shape.ts';
import { authorizers, type Batch, batchOf, bootPattern, isStream, type StreamName, seq } from './stream.ts';
import { tempReleaseEnds, tempReleasePurposes, tempReleaseRefusals } from './temp-release.ts';
import { sectionPattern } from './topic.ts';

const boot = str(16, bootPattern);
/** Name of a connection, set by the gateway. It distinguishes a late bye message of an older connection. */
const connection = str(16, /^[0-9a-z]+$/);
const hash = str(32, hashPattern);
const shortText = str(64);
const state = oneOf([0, 1, 2]);
const bytes = int(0, maxBytes);
const percent = int(0, 100);
const mac = str(17, /^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/);
const address = str(45, /^[0-9A-Fa-f.:]+$/);
const changeModes = ['default', 'backup', 'roaming'] as const;
const dockerActions = ['start', 'stop', 'restart', 'install', 'uninstall'] as const;
const logoutReasons = ['user', 'kick', 'idle', 'quota', 'lost', 'expired', 'session'] as const;
const link = str(16, /^[a-z0-9_]+$/);
const version = str(16, /^\d{1,2}\.\d{1,2}\.\d{1,2}$/);

export const hello = obj(
  { boot, fw: version, h: hash },
  {
    t: epoch,
    fwp: version,
    model: shortText,
    caps: list(str(32), 32),
    link,
    cfg: record(sectionPattern, int(0, 2_147_483_647), 400),
    docker: int(0, 4),
    opt: obj({ st: int(0, 2) }, { h: str(64) }),
    up: int(0, 4_000_000_000),
    hw: shortText,
    ip: str(45),
    bill: int(0, 3),
    // Version of its protocol map, which gives applications their ids.
    pm: str(32, /^[0-9A-Za-z._-]+$/),
    // Version of its accounts.
    acc: accountListVersion,
    // Version of its list of dangerous websites.
    danger: dangerListVersion,
    c: connection,
  },
);
export type Hello = Of<typeof hello>;

export const bye = obj({ r: oneOf(['lost', 'stop', 'reboot']) }, { c: connection });
export type Bye = Of<typeof bye>;

const linkStatus = obj({ i: link, s: state }, { r: int(0, 600_000), q: percent, u: bytes, d: bytes, ip: address });

export const status = obj(
  { b: boot, n: seq, t: epoch },
  {
    full: flag,
    l: list(linkStatus, 16),
    cur: link,
    lan: list(state, 64),
    // Name, state, stations, MAC.
    ap: list(row(str(64), state, int(0, 100_000), mac), 256),
    p: row(num(-90, 90), num(-180, 180), num(0, 200), num(0, 360), oneOf([0, 1])),
    cpu: percent,
    mem: percent,
    on: int(0, 1_000_000),
  },
);
export type Status = Of<typeof status>;

/** Required fields of each event kind; other fields are stored too. */
const eventKinds = {
  link: obj({ from: shortText, to: shortText }, { why: shortText, mode: oneOf(changeModes) }),
  fence: obj({ fence: str(128), in: flag }, { lat: num(-90, 90), lon: num(-180, 180), act: str(128) }),
  ap: obj({ ap: shortText, s: state }, { mac, ip: address }),
  port: obj({ port: int(0, 63), s: state }),
  auth: obj({ acc: shortText, ok: flag }, { why: shortText, mac: shortText, via: oneOf(authorizers) }),
  docker: obj(
    { name: str(128), st: int(0, 4) },
    { img: str(255), act: oneOf(dockerActions), ok: flag, cpu: percent, mem: bytes, log: str(4000) },
  ),
  lock: obj({ lock: shortText }),
  // Login or logout of a subscriber; the bytes are those of the whole session. `via` is the side that authorised it.
  user: obj(
    { sid: shortText, acc: shortText, in: flag },
    { mac, ip: address, u: bytes, d: bytes, why: oneOf(logoutReasons), via: oneOf(authorizers) },
  ),
  // A temporary release began, was refused or ended. `until` is the end of the release or of the refusal.
  release: obj(
    { mac, rule: int(0, Number.MAX_SAFE_INTEGER), st: oneOf(['start', 'refused', 'end']) },
    { until: epoch, why: oneOf([...tempReleaseEnds, ...tempReleaseRefusals]), for: oneOf(tempReleasePurposes), u: bytes, d: bytes },
  ),
  // The console changed the platform of the gateway; `restore`: it then restores its newest backup there.
  bound: obj({ restore: flag }),
  // Login at the gateway's own web pages.
  login: obj({ acc: shortText, ok: flag }, { ip: address }),
  // Visits to a dangerous website that were blocked.
  danger: dangerHit,
} as const satisfies Record<EventKind, Shape<unknown>>;
export const isEventKind = (k: unknown): k is EventKind => typeof k === 'string' && Object.hasOwn(eventKinds, k);

export interface FieldEvent {
  readonly id: string;
  readonly k: EventKind;
  readonly t: number;
  readonly doc: JsonObject;
}

const eventHead = obj({ id: str(40, /^[0-9a-z]{4,16}-\d{1,16}$/), t: epoch });
export const event: Shape<FieldEvent> = {
  read: (raw, at) => {
    const { id, t } = eventHead.read(raw, at);
    if (!isObject(raw) || !isEventKind(raw.k)) return mismatch('k', `one of ${Object.keys(eventKinds).join(' ')}`);
    eventKinds[raw.k].read(raw, at);
    const { id: _, k, t: __, ...rest } = reportedDocument.read(raw, at);
    return { id, k: raw.k, t, doc: rest };
  },
};

export type SectionReport =
  | { readonly rev: number; readonly ok: true; readonly h: string; readonly loc: false }
  | { readonly rev: number; readonly ok: false; readonly err: string; readonly act?: number; readonly loc: false }
  | { readonly rev: number; readonly ok: true; readonly h: string; readonly loc: true; readonly doc: JsonObject };

const sectionFields = obj(
  { rev: int(0, 2_147_483_647) },
  { ok: flag, h: hash, err: str(500), act: int(0, 2_147_483_647), loc: flag, doc: reportedDocument },
);

/** Confirms a revision, reports why it failed, or reports a local change. */
export const sectionReport: Shape<SectionReport> = {
  read: (raw, at) => {
    const { rev, ok, h, err, act, loc, doc } = sectionFields.read(raw, at);
    if (loc) return { rev, ok: true, loc, h: h ?? mismatch('h', 'the hash of doc'), doc: doc ?? mismatch('doc', 'the document') };
    if (ok === undefined) return mismatch('ok', 'true or false');
    if (ok) return { rev, ok, h: h ?? mismatch('h', 'the hash that was applied'), loc: false };
    return { rev, ok, err: err ?? mismatch('err', 'the reason'), act, loc: false };
  },
};

/** Codes of file tasks: downloading, waiting for a link, downloaded. */
const progressCodes = [1, 2, 100] as const;

/** Progress of a section that takes time: the portal, and continuous reports. */
export const sectionProgress = obj(
  { rev: int(1, 2_147_483_647), pct: percent, code: oneOf(progressCodes) },
  // Continuous reports, by task.
  { r: dpiReports },
);
export type SectionProgress = Of<typeof sectionProgress>;

export const result = obj(
  { st: oneOf(['ack', 'run', 'done', 'fail']) },
  { pct: percent, code: int(0, 65_535), out: reportedDocument, err: str(2000) },
);
export type Result = Of<typeof result>;
export const stateOfResult = (st: Result['st']) => commandState.to(st);

/** A bundle was applied with a rollback timer. It is sent over the changed links and is final after the console confirms. */
export const bundleReport = obj({ st: oneOf(['trial']) });
export type BundleReport = Of<typeof bundleReport>;

export const enrol = obj({ hw: str(64, /^[!-~]{4,64}$/) }, { model: shortText, fw: version });
export type Enrol = Of<typeof enrol>;

/** One parsed message of a gateway. */
export type GatewayMessage =
  | { readonly kind: 'hello'; readonly body: Hello }
  | { readonly kind: 'bye'; readonly body: Bye }
  | { readonly kind: 'status'; readonly body: Status }
  | { readonly kind: 'batch'; readonly stream: StreamName; readonly body: Batch }
  | { readonly kind: 'event'; readonly body: FieldEvent }
  | { readonly kind: 'section'; readonly section: string; readonly body: SectionReport }
  | { readonly kind: 'progress'; readonly section: string; readonly body: SectionProgress }
  | { readonly kind: 'result'; readonly id: string; readonly body: Result }
  | { readonly kind: 'set'; readonly id: string; readonly body: BundleReport }
  | { readonly kind: 'accounts'; readonly body: AccountReport }
  | { readonly kind: 'danger'; readonly body: DangerListVersion }
  | { readonly kind: 'enrol'; readonly body: Enrol };

const commandId = /^[0-9a-f]{12}$/;

/** Shape of the message of a topic; undefined: not part of this protocol. */
export const shapeOf = (tail: string): Shape<GatewayMessage> | undefined => {
  const [head = '', name = '', more] = tail.split('/');
  if (more !== undefined) return undefined;
  if (name === '') {
    if (head === 'hello') return { read: (raw, at) => ({ kind: 'hello', body: hello.read(raw, at) }) };
    if (head === 'bye') return { read: (raw, at) => ({ kind: 'bye', body: bye.read(raw, at) }) };
    if (head === 's') return { read: (raw, at) => ({ kind: 'status', body: status.read(raw, at) }) };
    if (head === 'e') return { read: (raw, at) => ({ kind: 'event', body: event.read(raw, at) }) };
    if (head === 'acc') return { read: (raw, at) => ({ kind: 'accounts', body: accountReport.read(raw, at) }) };
    if (head === 'danger') return { read: (raw, at) => ({ kind: 'danger', body: dangerListVersion.read(raw, at) }) };
    if (head === 'enrol') return { read: (raw, at) => ({ kind: 'enrol', body: enrol.read(raw, at) }) };
    return undefined;
  }
  if (head === 't' && isStream(name)) return { read: (raw, at) => ({ kind: 'batch', stream: name, body: batchOf(name).read(raw, at) }) };
  if (head === 'cfg' && sectionPattern.test(name))
    return {
      read: (raw, at) =>
        isObject(raw) && raw.pct !== undefined
          ? { kind: 'progress', section: name, body: sectionProgress.read(raw, at) }
          : { kind: 'section', section: name, body: sectionReport.read(raw, at) },
    };
  if (head === 'set' && commandId.test(name)) return { read: (raw, at) => ({ kind: 'set', id: name, body: bundleReport.read(raw, at) }) };
  if (head === 'r' && commandId.test(name)) return { read: (raw, at) => ({ kind: 'result', id: name, body: result.read(raw, at) }) };
  return undefined;
};

/** A section from the console; `f` has the URLs of the files that the document names, by SHA-256. */
export const downSection = obj({ rev: int(1, 2_147_483_647), h: hash, doc: document }, { f: document });

const revision = int(1, 2_147_483_647);
const webAddress = str(2000, /^https?:\/\//);

/** One section of a bundle: its document, or its URL and size. */
export type DownBundleSection =
  | { readonly rev: number; readonly h: string; readonly doc: JsonObject }
  | { readonly rev: number; readonly h: string; readonly url: string; readonly n: number };
const bundleSectionFields = obj({ rev: revision, h: hash }, { doc: document, url: webAddress, n: bytes });
const downBundleSection: Shape<DownBundleSection> = {
  read: (raw, at) => {
    const { rev, h, doc, url, n } = bundleSectionFields.read(raw, at);
    if (doc) return { rev, h, doc };
    return { rev, h, url: url ?? mismatch(`${at}.doc`, 'the document or its url'), n: n ?? mismatch(`${at}.n`, 'the bytes at url') };
  },
};

/** Sections that are applied together or not at all; `f` has the URLs of their files, by SHA-256. */
export const downBundle = obj(
  { id: str(12, commandId), keep: int(0, rollbackTimer.gatewayMax), s: record(sectionPattern, downBundleSection, 400) },
  { f: record(/^[0-9a-f]{64}$/, webAddress, 4000) },
);
export type DownBundle = Of<typeof downBundle>;
/** The console confirms a bundle. */
export const downConfirm = obj({ id: str(12, commandId) });

export const downClock = obj({ t: epoch }, { seen: record(/^[a-z]+$/, int(0, Number.MAX_SAFE_INTEGER), 16) });
export const downEnrol = obj({ st: int(0, 6) }, { key: str(64), code: str(128) });

export interface DownCommand {
  readonly id: string;
  readonly exp: number;
  readonly args: Readonly<Record<string, Json>>;
}
const downCommandHead = obj({ id: str(12, commandId), exp: epoch });
export const downCommand: Shape<DownCommand> = {
  read: (raw, at) => {
    const { id, exp } = downCommandHead.read(raw, at);
    const { id: _, exp: __, ...args } = document.read(raw, at);
    return { id, exp, args };
  },
};
