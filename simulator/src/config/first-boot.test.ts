import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { checkConfig, factoryDocs } from '@farlink/gateway/kit/config.ts';
import { readDocument, rowsOf } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import { digestOf, hashOf } from '@farlink/gateway/protocol/shadow.ts';
import { describe, expect, test } from 'vitest';
import { helloOf } from '../hello.ts';
import { profileOf } from '../profile.ts';
import { Configuration } from './configuration.ts';
import { rig } from './test/rig.ts';

const ships = Array.from({ length: 20 }, (_, i) => {
  const sn = `YARD${i}`;
  return rig({ sn, links: undefined, at: undefined, calm: false, ...profileOf(sn, 1) }).gateway;
});

describe('a gateway that was configured at the shipyard', () => {
  test('has documents that break no rule, in a whole fleet', () => {
    for (const { sections } of ships) {
      const problems = sections.names.flatMap((name) => {
        const page = gatewayPages.get(name);
        return page ? readDocument(page, sections.doc(name)).problems.map(({ path, text }) => `${name} ${path} ${text[1]}`) : ['no page'];
      });
      expect(problems).toEqual([]);
      expect(
        checkConfig(
          sections.names,
          (name) => sections.doc(name),
          (name) => factoryDocs.get(name) ?? {},
        ),
      ).toEqual([]);
    }
    expect(new Set(ships.map(({ sections }) => sections.names.length)).size).toBeGreaterThan(1);
  });

  test('has a WAN for each link, an entry for each access point, and the name of the ship', () => {
    const { gateway } = rig({ name: '远洋一号' });
    const wans = rowsOf(gateway.sections.doc('network_wan'));
    expect(wans.map(({ name, link_type, port }) => [name, link_type, port])).toEqual([
      ['wan_leo', 'leo', 'eth5'],
      ['wan_6d', '6d', 'eth0'],
      ['wan_lband', 'lband', 'eth4'],
    ]);
    expect(rowsOf(gateway.sections.doc('ac_ap_list')).map(({ mac }) => mac)).toEqual(gateway.view().aps.map(({ mac }) => mac));
    expect(rowsOf(gateway.sections.doc('docker_container')).map(({ name }) => name)).toEqual(
      gateway.containers.info().map(({ name }) => name),
    );
    expect(gateway.sections.doc('advanced_device_info')).toMatchObject({ device_name: '远洋一号', site_type: 'fixed' });
    expect(rig({ docker: 0 }).gateway.sections.names).not.toContain('docker_container');
    expect(rig({ links: ['lte'] }).gateway.sections.names).not.toContain('satellite_route_modem');
  });

  test('reports its documents once as local values, marked as heavy', () => {
    const { gateway, sent: results } = rig();
    gateway.configuration.introduce();
    const reported = results.filter(({ topic }) => topic.startsWith('cfg/'));
    expect(reported.map(({ topic }) => topic.slice(4)).sort()).toEqual(gateway.sections.names.toSorted());
    expect(reported.every(({ heavy, body }) => heavy && body.loc === true && body.rev === 0 && body.h === hashOf(body.doc ?? null))).toBe(
      true,
    );
    expect(JSON.stringify(reported).length).toBeLessThan(12_000);
    gateway.reboot();
    gateway.configuration.introduce();
    expect(results.filter(({ topic }) => topic.startsWith('cfg/'))).toHaveLength(reported.length);
  });

  test('sends the digest of its sections in the hello, and no revisions', () => {
    const { gateway } = rig();
    const { sections } = gateway;
    const sent = (from = gateway) => {
      const { h, cfg } = helloOf(from, {}, 1);
      return { h, cfg };
    };
    const hashes = Object.fromEntries(sections.names.map((name) => [name, hashOf(sections.doc(name))]));
    expect(sent()).toEqual({ h: digestOf(hashes), cfg: {} });
    gateway.changeLocally('network_lan', { rows: [] });
    expect(sent()).toEqual({ h: digestOf({ ...hashes, network_lan: hashOf({ rows: [] }) }), cfg: {} });
    expect(sent(rig({ configured: false }).gateway)).toEqual({ h: digestOf({}), cfg: {} });
  });
});

test('ten thousand unchanged configurations need a few hundred bytes each', { tags: 'all' }, () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const { gateway } = rig();
  const setup = { name: 'ship', docker: 1, isFixed: false } as const;
  const weigh = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = weigh();
  const fleet = Array.from({ length: 10_000 }, () => new Configuration(gateway, { ...setup }));
  for (const { sections } of fleet) sections.digest();
  const each = (weigh() - before) / fleet.length;
  expect(fleet.every(({ sections }) => sections.doc('network_wan') !== undefined)).toBe(true);
  expect(each).toBeLessThan(600);
});
