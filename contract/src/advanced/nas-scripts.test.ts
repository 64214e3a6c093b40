import { describe, expect, it } from 'vitest';
import { type NasSetup, nasScripts, scriptOf } from './nas-scripts.ts';

const setup: NasSetup = {
  identifier: 'hotel-1',
  transport: 'udp',
  coa_port: 3799,
  interval_s: 300,
  chap: false,
  mschap: false,
  require_ma: false,
  server: { host: 'aaa.example.net', auth_port: 1812, acct_port: 1813, radsec_port: 2083 },
  secret: 'plain-secret-of-20-chars',
};
/** A reference that FreeRADIUS would expand. */
const reference = ['$', '{x}'].join('');
const scriptFor = (id: string, more: Partial<NasSetup> = {}) => {
  const found = nasScripts.find((script) => script.id === id);
  if (!found) throw new Error(`no script ${id}`);
  return scriptOf(found, { ...setup, ...more });
};
const udpScripts = nasScripts.filter(({ id }) => id !== 'hostapd').map(({ id }) => id);

describe('the set-up script of a NAS', () => {
  it.each(udpScripts)('%s has the address, the ports and the secret, or a placeholder', (id) => {
    const script = scriptFor(id);
    for (const part of ['aaa.example.net', '1812', '1813', 'plain-secret-of-20-chars']) expect(script).toContain(part);
    const hidden = scriptFor(id, { secret: undefined });
    expect(hidden).toContain('<SECRET>');
    expect(hidden).not.toContain('plain-secret');
    expect(scriptFor(id, { server: { ...setup.server, host: '' } })).toContain('<RADIUS-SERVER>');
  });

  it('quotes a secret by the rules of each router', () => {
    const secret = 'a"b\\c$d?e\'f#g;h';
    expect(scriptFor('mikrotik_hotspot', { secret })).toContain(`secret="a\\"b\\\\c\\$d\\?e'f#g;h" `);
    expect(scriptFor('uspot', { secret })).toContain(`auth_secret='a"b\\c$d?e'\\''f#g;h'\n`);
    expect(scriptFor('freeradius', { secret })).toContain(`secret = "a\\"b\\\\c$d?e'f#g;h"\n`);
    expect(scriptFor('freeradius', { secret: `ab"${reference}c` })).toContain(`secret = 'ab"${reference}c'\n`);
    expect(scriptFor('chilli', { secret: "it's;$(id)" })).toContain(`HS_RADSECRET='it'\\''s;$(id)'\n`);
  });

  it('says so if a file cannot hold the secret', () => {
    for (const [id, secret] of [
      ['chilli', 'with"quote'],
      ['freeradius', `with'${reference}`],
    ] as const) {
      expect(scriptFor(id, { secret })).toContain('Rotate the secret');
      expect(scriptFor(id, { secret })).not.toContain('with');
    }
  });

  it('has no additional line for a value with line breaks', () => {
    const evil = 'x\n/user add name=evil\r\u2028';
    for (const { id } of nasScripts) {
      const lines = (more: Partial<NasSetup>) => scriptFor(id, more).split('\n').length;
      for (const more of [{ secret: evil }, { identifier: evil }, { server: { ...setup.server, host: evil } }])
        expect(lines(more), id).toBe(lines({}));
    }
  });

  it('follows the switches of the NAS', () => {
    expect(scriptFor('mikrotik_hotspot')).toContain('login-by=http-pap,cookie');
    expect(scriptFor('mikrotik_hotspot', { chap: true })).toContain('login-by=http-chap,cookie');
    expect(scriptFor('mikrotik_pppoe', { chap: true, mschap: true })).toContain('authentication=pap,chap,mschap2');
    expect(scriptFor('mikrotik_pppoe')).toContain('interim-update=300s');
    expect(scriptFor('mikrotik_pppoe', { require_ma: true })).toContain('Message-Authenticator');
    expect(scriptFor('mikrotik_hotspot', { server: { ...setup.server, host: '203.0.113.9' } })).toContain('address=203.0.113.9 ');
    const radsec = scriptFor('freeradius', { transport: 'radsec' });
    expect(radsec).toContain('port = 2083');
    expect(radsec).not.toContain('plain-secret');
  });
});
