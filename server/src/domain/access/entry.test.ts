import { type AccountUsage, accountService, startCycles } from '@farlink/gateway/protocol/account-service.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noon } from '../../../test/metering/fixture.ts';
import { states } from '../../../test/metering/histories.ts';
import { runs } from '../../../test/soak.ts';
import { chargeUsage } from '../metering/engine/charge-usage.ts';
import { extendedAt, serviceAt, speedsAt } from '../metering/engine/service-at.ts';
import type { MeterState } from '../metering/engine/types.ts';
import { grantOf } from '../radius/grant.ts';
import type { Access } from './access.ts';
import { accountEntryOf, type GatewayCounters } from './account-entry.ts';
import { afterPhases, phasesOf } from './phases.ts';

const accessAt = (state: MeterState, now: number): Access => ({
  id: 1,
  agent_id: 1,
  account: 'sailor',
  password: '',
  verifier: null,
  device_id: 1,
  device_group_id: null,
  whole_vno: false,
  blocked: null,
  allow_logins: 1,
  bind_ip: null,
  bind_mac: null,
  vlan_id: null,
  expire_at: noon + 1_000_000_000,
  idle_s: null,
  phases: phasesOf(state, now),
  after: afterPhases(state, now),
  application_id: null,
});

const entryAt = (state: MeterState, counters: GatewayCounters, now: number) => accountEntryOf(accessAt(state, now), '10.a.b', counters);

/** First uses by package, as a gateway notes them. */
const usageOf = (state: MeterState, counters: GatewayCounters): AccountUsage => ({
  bytes: counters.used_bytes,
  seconds: counters.used_seconds,
  first: Object.fromEntries(state.holdings.flatMap(({ id, activated_at }) => (activated_at === null ? [] : [[id, activated_at]]))),
});

const counters = { counter_id: 1, used_bytes: 12_345, used_seconds: 678 };
const rounds = runs(100_000, 4000, 1000);

test('a gateway serves an account as the console would', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(states, fc.integer({ min: -200_000, max: 400_000 }), (state, ahead) => {
      const now = noon + ahead;
      const here = accountService(entryAt(state, counters, now), usageOf(state, counters), now);
      const there = serviceAt(state, now);
      expect(here.mode).toBe(there.mode);
      if (here.mode === 'full' && there.mode === 'full') {
        expect(here.holding).toBe(there.holding);
        const holding = state.holdings.find(({ id }) => id === there.holding) ?? extendedAt(state, now);
        if (!holding) throw new Error('full service without a package');
        const { up_speed: up, down_speed: down } = speedsAt(state, holding, now);
        expect([here.up, here.down]).toEqual([up, down]);
        expect(grantOf(accessAt(state, now), now)).toMatchObject({ grant: { up, down } });
      }
      if (here.mode === 'slow' && there.mode === 'slow') expect([here.up, here.down]).toEqual([there.limit_up, there.limit_down]);
    }),
    { numRuns: rounds },
  );
});

test('the entry of an account stays correct while its gateway reports usage', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(states, fc.nat(50_000), fc.array(fc.nat(3000), { maxLength: 5 }), (state, ahead, amounts) => {
      const now = noon + ahead;
      const metered = chargeUsage(state, { bytes: 1, seconds: 1 }, now - 1).state;
      let entry = entryAt(metered, counters, now);
      let here = metered;
      let used = counters;
      for (const bytes of amounts) {
        const { state: after, events } = chargeUsage(here, { bytes, seconds: 0 }, now);
        here = after;
        used = { ...used, used_bytes: used.used_bytes + bytes };
        // The first use of a package sets its end, so the console sends the entry again.
        if (events.some(({ type }) => type === 'activated')) entry = entryAt(here, used, now);
        const service = accountService(startCycles(entry, usageOf(here, used), now), usageOf(here, used), now);
        const there = serviceAt(here, now);
        expect(service.mode).toBe(there.mode);
        const holding = there.mode === 'full' && here.holdings.find(({ id }) => id === there.holding);
        if (!holding) continue;
        const { up_speed: up, down_speed: down } = speedsAt(here, holding, now);
        expect(service).toMatchObject({ up, down });
      }
    }),
    { numRuns: rounds },
  );
});
