import { randomBytes } from 'node:crypto';
import type { Random } from '@farlink/contract/kit/random.ts';
import { type SampleRow, type SampleSession, sampleActivity, sampleAuth, sampleTerminal } from '@farlink/gateway/kit/sample-audit.ts';
import type { AuditStream } from '@farlink/gateway/protocol/audit.ts';

/** Days of audit data before the first start. */
export const auditDays = 7;

/** An online period of one account. */
export interface OnlinePeriod {
  readonly acc: string;
  readonly sid: string;
  readonly start: number;
  readonly end: number;
}

const hex = (n: number) => (n & 255).toString(16).padStart(2, '0');
const newSalt = () => randomBytes(16).toString('hex');

/** The terminal of an account: the same MAC each time, the address of this session. */
const sessionOf = ({ acc, sid }: OnlinePeriod, n: number): SampleSession => {
  let h = 0;
  for (const char of acc) h = (Math.imul(h, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return { acc, sid, mac: `02:de:${[h, h >> 8, h >> 16, h >> 24].map(hex).join(':')}`, ip: `192.168.10.${10 + (n % 230)}` };
};

/** Audit rows of the people of a gateway: login, logout, terminal and some activities each. */
export const auditRows = (random: Random, sn: string, periods: readonly OnlinePeriod[]): Map<AuditStream, SampleRow[]> => {
  const rows = new Map<AuditStream, SampleRow[]>();
  const add = (stream: AuditStream, row: SampleRow) => rows.set(stream, [...(rows.get(stream) ?? []), row]);
  for (const [n, period] of periods.entries()) {
    const { start, end } = period;
    const session = sessionOf(period, n);
    add('a_auth', sampleAuth(sn, session, start));
    add('a_auth', sampleAuth(sn, session, start, end));
    add('a_term', sampleTerminal(random, session, start));
    for (let i = random.int(2, 6); i > 0; i--) add(...sampleActivity(random, session, random.int(start, end), newSalt));
  }
  return rows;
};
