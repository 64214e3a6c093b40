import type { ApplyState } from '@farlink/contract/protocol/apply.ts';
import { describe, expect, it } from 'vitest';
import { bundleWait } from '../../orders/bundle-wait.ts';
import { type BundleRow, bundleBody, bundlesOf, openBundle } from './bundle-message.ts';

const row = (section: string, apply: number, state: ApplyState, more: Partial<BundleRow> = {}): BundleRow => ({
  device_id: 7,
  boot: 'boot1',
  section,
  rev: 1,
  hash: 'h',
  doc: { rows: [] },
  apply_id: apply,
  apply_key: `00000000000${apply}`,
  apply_state: state,
  keep: 60,
  trial_at: null,
  handed_at: null,
  ...more,
});
const named = (rows: readonly BundleRow[]) =>
  bundlesOf(rows).map(({ id, keep, rows: some }) => [id, keep, some.map(({ section }) => section)]);

describe('pending sections', () => {
  it('are sent as one message for each apply operation, after the sections that were applied earlier', () => {
    const rows = [row('network_wan', 3, 0), row('network_lan', 1, 3), row('network_dns', 2, 3), row('network_vlan', 3, 0)];
    const [again, open] = named(rows);
    expect(again).toEqual([expect.stringMatching(/^[0-9a-f]{12}$/), 0, ['network_lan', 'network_dns']]);
    expect(open).toEqual(['000000000003', 60, ['network_wan', 'network_vlan']]);
    // The id does not depend on the order, but changes with the boot or a revision.
    expect(named(rows.toReversed())[0]?.[0]).toBe(again?.[0]);
    expect(named([row('network_lan', 1, 3, { boot: 'boot2' }), row('network_dns', 2, 3, { boot: 'boot2' })])[0]?.[0]).not.toBe(again?.[0]);
    expect(named([row('network_lan', 1, 3), row('network_dns', 2, 3, { rev: 2 })])[0]?.[0]).not.toBe(again?.[0]);
  });

  it('are sent separately from refused sections', () => {
    expect(named([row('network_wan', 1, 4), row('network_lan', 2, 3), row('network_dns', 3, 5)]).map(([, , sections]) => sections)).toEqual(
      [['network_wan'], ['network_lan'], ['network_dns']],
    );
  });

  it('wait for another link only if they are large and the link is billed by volume', () => {
    expect(bundleWait('l_band', 800, 1)).toBeUndefined();
    expect(bundleWait('l_band', 1000, 1)).toBe('link_size');
    expect(bundleWait('6d', 50_000_000, 9)).toBeUndefined();
  });

  it('are replaced by a URL, the longest first, until the message is short enough', () => {
    const config = { secretKey: Buffer.alloc(32), publicUrl: undefined, port: 1 };
    const doc = (bytes: number) => ({ rows: [{ name: 'x'.repeat(bytes) }] });
    const rows = [
      row('network_wan', 1, 0, { doc: doc(40_000) }),
      row('network_lan', 1, 0, { doc: doc(30_000) }),
      row('network_dns', 1, 0, { doc: doc(20_000) }),
    ];
    const [group] = bundlesOf(rows);
    if (!group) throw new Error('no set');
    const body = bundleBody(config, openBundle(group, config.secretKey), '6d', new Set(), 1000);
    expect(body.length).toBeLessThan(65_000);
    expect(JSON.parse(body)).toMatchObject({
      id: '000000000001',
      keep: 60,
      s: {
        network_wan: { rev: 1, h: 'h', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/depot\/v1\./), n: 40_022 },
        network_lan: { doc: doc(30_000) },
        network_dns: { doc: doc(20_000) },
      },
    });
  });
});
