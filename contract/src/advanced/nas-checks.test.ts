import { describe, expect, it } from 'vitest';
import { nasChecks, type Observed } from './nas-checks.ts';

const fresh: Observed = {
  kind: 'foreign',
  login_seen_at: null,
  accounting_seen_at: null,
  class_returned: null,
  clock_offset_s: null,
  wrong_secret: 0,
  require_ma: true,
  signing: 'none',
  coa: null,
};
const states = (more: Partial<Observed>) => nasChecks({ ...fresh, ...more }).map(({ state }) => state);
const textOf = (key: string, more: Partial<Observed>) => nasChecks({ ...fresh, ...more }).find((check) => check.key === key)?.text[1];

describe('the check list of a NAS', () => {
  it('waits for everything at first, and is complete with all that can be seen', () => {
    expect(states({})).toEqual(['none', 'none', 'none', 'none', 'none']);
    const coa = { is_acked: true, text: 'Acknowledged', at: 3 };
    const all = { login_seen_at: 1, accounting_seen_at: 2, class_returned: true, clock_offset_s: -60, coa };
    expect(states(all)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  });

  it('names the cause of a missing login', () => {
    expect(textOf('login', { wrong_secret: 2 })).toContain('wrong secret');
    expect(textOf('login', { signing: 'unsigned' })).toContain('Message-Authenticator');
    expect(textOf('login', { signing: 'unsigned', require_ma: false })).toContain('Check address');
  });

  it('warns of logins without accounting, accounting without Class, a refused request and a wrong clock', () => {
    const coa = { is_acked: false, text: 'Refused: session not found', at: 3 };
    const broken = { login_seen_at: 1, class_returned: false, clock_offset_s: 3661, coa };
    expect(states(broken)).toEqual(['ok', 'warning', 'warning', 'warning', 'warning']);
    expect(textOf('coa', { coa })).toBe('Refused: session not found');
    expect(textOf('clock', { clock_offset_s: 3661 })).toBe('1h 1m 1s ahead. Set NTP on the NAS.');
    expect(textOf('clock', { clock_offset_s: -5 })).toBe('5s behind');
  });
});
