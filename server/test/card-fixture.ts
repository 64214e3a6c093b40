import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { exportJobs } from '../src/kit/export/export-job.ts';
import { startJobs } from '../src/kit/jobs/job-runner.ts';
import { open } from '../src/kit/session/secret.ts';
import { cardExports } from '../src/modules/card/export-cards.ts';
import { cardJobs } from '../src/modules/card/index.ts';
import { type Api, type Caller, startApi } from './api.ts';
import { subscriberRow } from './subscriber.ts';
import { makeBranches } from './world.ts';

export const day = 86_400;

/** A VNO with a device, a group, a package and subscribers, for tests of cards. */
export const openCardFixture = async () => {
  const api: Api = await startApi();
  const world = await makeBranches(api);
  const { eastId, childId, east } = world;
  const add = async (agent_id: number, name: string, more: object = {}) =>
    (
      await api.db
        .insertInto('device')
        .values({ agent_id, name, sn: name, create_at: 1, ...more })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const group = { agent_id: eastId, name: '东海船队', create_at: 1 };
  const { id: groupId } = await api.db.insertInto('device_group').values(group).returning('id').executeTakeFirstOrThrow();
  const shipId = await add(eastId, '东海一号', { device_group_id: groupId });
  const otherId = await add(eastId, '东海二号');
  const flow = { package_type: 'flow', flow_capacity: 10, flow_unit: 'GB', up_speed: 0, down_speed: 0, priority: 10, online_type: 0 };
  const makePackage = async (name: string, more: object = {}) =>
    (await east.call(packageCalls.create, { ...flow, name, price: '30.10', bind_type: 'device', device_id: [shipId], ...more })).data.id;
  const packageId = await makePackage('月租 10GB');

  let n = 0;
  const subscriber = async (more: object = {}) => {
    const row = subscriberRow({ agent_id: eastId, account: `sailor${++n}`, device_id: shipId, ...more });
    return api.db.insertInto('subscriber').values(row).returning(['id', 'account']).executeTakeFirstOrThrow();
  };

  /** Runs all due jobs, including follow-up jobs. */
  const runJobs = async () => {
    const jobs = startJobs(api.deps, { ...cardJobs, ...exportJobs(cardExports) }, { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
  };
  const order = (by: Caller, more: Values = {}) =>
    by.call(cardRuleCalls.make, {
      name: '春季促销',
      cards: [{ card_type: 'amount', denomination: '50', count: 3 }],
      bind_type: 'none',
      expire_at: api.clock.now() + 30 * day,
      ...more,
    });
  /** Creates a batch with its cards and returns the cards with passwords. */
  const make = async (more: Values = {}, by = east) => {
    const reply = await order(by, more);
    if (reply.code !== 0) throw new Error(JSON.stringify(reply));
    await runJobs();
    const rows = await api.db.selectFrom('recharge_card').selectAll().where('rule_id', '=', reply.data.id).orderBy('id').execute();
    const cards = rows.map((card) => ({ ...card, password: open(api.deps.config.secretKey, card.password) }));
    const [card] = cards;
    if (!card) throw new Error('no card was made');
    return { id: reply.data.id, cards, card };
  };
  /** Reason why a card was refused for a subscriber; empty if it was accepted. */
  const redeem = async (card: { number: string; password: string }, subscriberId: number, by = east) => {
    const input = { ids: [subscriberId], kind: 'card', card_number: card.number, card_password: card.password };
    const reply = await by.call(moneyCalls.recharge, input);
    return reply.code === 0 ? reply.data.list[0]?.message : reply.msg;
  };
  const stateOf = async (id: number) =>
    (await api.db.selectFrom('recharge_card').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
  const change = (ids: readonly number[], more: Values, by = east) => by.call(cardCalls.change, { ids, ...more });
  /** Ledger balance of unused cards of a VNO. */
  const debt = async (agentId = eastId) => {
    const rows = await api.db
      .selectFrom('ledger_account')
      .select(['kind', 'amount'])
      .where('agent_id', '=', agentId)
      .where('kind', 'in', ['card_stock', 'card_debt'])
      .execute();
    return Object.fromEntries(rows.map((row) => [row.kind, row.amount]));
  };
  return {
    api,
    ...world,
    childId,
    shipId,
    otherId,
    groupId,
    packageId,
    makePackage,
    subscriber,
    runJobs,
    order,
    make,
    redeem,
    stateOf,
    change,
    debt,
  };
};

export type CardFixture = Awaited<ReturnType<typeof openCardFixture>>;
