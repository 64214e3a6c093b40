import { createHash } from 'node:crypto';
import { canonical } from './canonical.ts';
import { epoch } from './epoch.ts';
import { document, flag, int, list, type Of, obj, oneOf, parseJson, row, str } from './shape.ts';

/**
 * Accounts of subscribers on a gateway. The console numbers each change of a gateway's accounts. A page carries the changes from one number
 * to another, so a change of ten accounts costs ten entries.
 */
export const accountName = str(64, /^\S+$/);
const revision = int(0, Number.MAX_SAFE_INTEGER);
const bytes = int(0, Number.MAX_SAFE_INTEGER);
const speed = int(0, 2_147_483_647);
const digest = str(16, /^[0-9a-f]{16}$/);

/** Reasons why an account cannot log in at any gateway. */
export const blockReasons = ['disabled', 'frozen', 'expired', 'shutdown', 'reserved_shutdown', 'no_package'] as const;
export type BlockReason = (typeof blockReasons)[number];

/** Reasons of a gateway to reject a login. */
export type LoginRefusal = BlockReason | 'unknown' | 'wrong_password' | 'too_many' | 'wrong_ip' | 'wrong_mac' | 'wrong_vlan';

/**
 * One package of an account. `b` and `s` are limits on the account's own counters at this gateway (bytes, seconds online), so they stay the
 * same while the gateway reports usage. `r` are the next resets of the cycle, each with the quota `q`.
 */
const phase = obj(
  { h: int(1, Number.MAX_SAFE_INTEGER), u: speed, d: speed },
  { gu: speed, gd: speed, b: bytes, s: bytes, from: epoch, til: epoch, dur: bytes, x: flag, r: list(epoch, 8), q: bytes },
);
export type Phase = Of<typeof phase>;

/** When all packages are used up: 0 no limit, 1 slower, 2 stop; followed by the speeds for 1. */
const exhaustedAction = row(oneOf([0, 1, 2]), speed, speed);

/**
 * An account. `v` is the verifier of its password. `c` names the counters: a new value starts them at zero. `ap` is the application template
 * of the section `policies`; without it the policy of the gateway itself applies.
 */
export const accountEntry = obj(
  {
    acc: accountName,
    v: str(120, /^\d{1,2}\.[\w-]{16,}\.[\w-]{32,}$/),
    c: revision,
    al: int(1, 255),
    ph: list(phase, 64),
    z: exhaustedAction,
  },
  {
    st: oneOf(blockReasons),
    ex: epoch,
    id: int(60, 86_400),
    mac: str(17, /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/),
    ip: str(45, /^[0-9a-fA-F.:]+$/),
    vl: int(1, 4094),
    ap: int(1, Number.MAX_SAFE_INTEGER),
  },
);
export type AccountEntry = Of<typeof accountEntry>;

/** Maximum entries of one page. */
export const maxAccountEntries = 1000;

/**
 * Changes `from` one revision `to` another: entries and removed names. `all` begins a complete transfer; `end` ends it, and accounts that
 * were not part of it are removed.
 */
export const downAccounts = obj(
  { from: revision, to: revision, a: list(accountEntry, maxAccountEntries), x: list(accountName, maxAccountEntries) },
  { all: flag, end: flag },
);
export type DownAccounts = Of<typeof downAccounts>;

/** Revision of the accounts on a gateway, with their number and digest. */
export const accountListVersion = obj({ rev: revision, n: int(0, 1_000_000), h: digest });
export type AccountListVersion = Of<typeof accountListVersion>;

/** Reply to a page. `bad` lists the accounts that the gateway could not store, with the reason. */
export const accountReport = obj(
  { rev: revision, n: int(0, 1_000_000), h: digest },
  { bad: list(row(accountName, str(200)), maxAccountEntries) },
);
export type AccountReport = Of<typeof accountReport>;

/** 64 bits of a SHA-256 of the entry, as it is sent. */
export const entryHash = (entry: AccountEntry): bigint => {
  const sent = parseJson(document, JSON.stringify(entry));
  return createHash('sha256')
    .update('value' in sent ? canonical(sent.value) : '')
    .digest()
    .readBigInt64BE();
};

/** Digest of all accounts in any order: the XOR of their hashes. */
export const digestText = (xor: bigint): string => BigInt.asUintN(64, xor).toString(16).padStart(16, '0');
