import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardRuleCalls as calls } from '@farlink/contract/card/card-rule.ts';
import { errors } from '@farlink/contract/errors.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grantsOf } from '../../../test/api.ts';
import { type CardFixture, day, openCardFixture } from '../../../test/card-fixture.ts';
import { runs } from '../../../test/soak.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { isCardNumber } from '../../domain/card/card-number.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { open } from '../../kit/session/secret.ts';

let billing: CardFixture;
beforeAll(async () => {
  billing = await openCardFixture();
});
afterEach(async () => expect(await auditLedger(billing.api.db)).toEqual([]));
afterAll(() => billing.api.close());

const refusal = async (more: object): Promise<unknown> => {
  const { code, data }: { code: number; data: unknown } = await billing.order(billing.east, { ...more });
  return code === 0 ? 'made' : Object(data).fields;
};
const amount = (denomination: string, count = 1) => ({ card_type: 'amount', denomination, count });

describe('making cards', () => {
  it('creates one batch per line in the background, and posts the value of the cards to the ledger', async () => {
    const { api, east, packageId, eastId } = billing;
    const cards = [amount('50', 20), { card_type: 'package', package_id: packageId, period: 3, count: 7 }];
    const reply = await billing.order(east, { cards, remark: '码头' });
    expect(reply.data).toMatchObject({ success: 2, fail: 0, errors: [], list: [{ id: reply.data.id }, {}] });
    const before = (await east.call(calls.list)).data.list;
    expect(before.map((r) => [r.state, r.made_count])).toEqual([
      ['making', 0],
      ['making', 0],
    ]);
    await billing.runJobs();
    const { list } = (await east.call(calls.list, { orderby: 'denomination asc' })).data;
    expect(list).toMatchObject([
      { card_type: 'amount', denomination: '50.00', count: 20, made_count: 20, state: 'ready', package_name: null, period: null },
      { card_type: 'package', denomination: '90.30', count: 7, state: 'ready', package_name: '月租 10GB', period: 3 },
    ]);
    expect(list[0]).toMatchObject({ usage: 0, used_count: 0, bind_type: 'none', bind_name: null, export_status: 0, name: '春季促销' });
    expect(list[0]?.batch_no).toMatch(/^C\d{8}\d{6}$/);
    expect(await billing.debt()).toEqual({ card_stock: '1632.10', card_debt: '-1632.10' });
    const made = await api.db.selectFrom('recharge_card').selectAll().where('agent_id', '=', eastId).execute();
    expect(made).toHaveLength(27);
    for (const card of made) {
      expect(isCardNumber(card.number)).toBe(true);
      expect(card.password).toMatch(/^v1\./);
      expect(open(api.deps.config.secretKey, card.password)).toMatch(/^[A-HJKMNP-Z2-9]{16}$/);
      expect(card.remark).toBe('码头');
    }
    const log = await api.db.selectFrom('syslog').select('content_en').where('module', '=', 'card').orderBy('id').execute();
    expect(log.map((l) => l.content_en)).toEqual([
      expect.stringMatching(/^Ordered 20 cards as batch C/),
      expect.stringMatching(/^Ordered 7 cards as batch C/),
    ]);
  });

  it('accepts at most ten types, each unique and complete', async () => {
    const eleven = Array.from({ length: 11 }, (_, i) => amount(String(i + 1)));
    expect(await refusal({ cards: eleven })).toEqual({ cards: '最多10种卡类型，且每项均须填写完整' });
    expect(await refusal({ cards: eleven.slice(1) })).toBe('made');
    expect(await refusal({ cards: [] })).toEqual({ cards: '请完善卡片类型' });
    expect(await refusal({ cards: [amount('5'), amount('5.00')] })).toEqual({ cards: '同一套餐或面值只能出现一次' });
    const twice = { card_type: 'package', package_id: billing.packageId, count: 1 };
    expect(
      await refusal({
        cards: [
          { ...twice, period: 1 },
          { ...twice, period: 2 },
        ],
      }),
    ).toEqual({ cards: '同一套餐或面值只能出现一次' });
    expect(await refusal({ cards: [amount('5'), { card_type: 'amount', count: 1 }] })).toEqual({
      cards: '第2行：请输入面值（元）',
      'cards[1].denomination': '请输入面值（元）',
    });
    await billing.runJobs();
  });

  it('refuses a count, denomination or period out of range', async () => {
    for (const [line, text] of [
      [amount('5', 50_001), '数值范围为1-50000'],
      [amount('5', 0), '数值范围为1-50000'],
      [amount('0'), '大于0，最多两位小数'],
      [amount('1.234'), '大于0，最多两位小数'],
      [amount('1000000.01'), '数值范围为0-1000000'],
      [{ card_type: 'package', package_id: billing.packageId, period: 37, count: 1 }, '数值范围为1-36'],
    ] as const)
      expect(await refusal({ cards: [line] })).toMatchObject({ cards: `第1行：${text}` });
    const dear = await billing.makePackage('dear', { price: '500000' });
    expect(await refusal({ cards: [{ card_type: 'package', package_id: dear, period: 3, count: 1 }] })).toEqual({
      cards: '第1行：卡面值不能超过1000000元',
    });
  });

  it('refuses an expiry in the past, and a device, group or package that is missing or not visible', async () => {
    const { api, west } = billing;
    expect(await refusal({ expire_at: api.clock.now() })).toEqual({ expire_at: '有效期不能早于当前时间' });
    expect(await refusal({ bind_type: 'device' })).toEqual({ device_id: '请选择绑定设备' });
    expect(await refusal({ bind_type: 'group', device_group_id: 999 })).toEqual({ device_group_id: '请选择有效的数据' });
    const line = { card_type: 'package', package_id: billing.packageId, period: 1, count: 1 };
    const foreign = await billing.order(west, { cards: [line] });
    expect(foreign).toMatchObject({ code: errors.bad_input.code, data: { fields: { cards: '第1行：请选择有效的套餐' } } });
    const bound = await billing.order(west, { bind_type: 'device', device_id: billing.shipId });
    expect(bound).toMatchObject({ data: { fields: { device_id: '请选择有效的数据' } } });
  });

  it('refuses an expired package, and a hidden package without the right to view it', async () => {
    const { api, east } = billing;
    const hidden = await api.db
      .updateTable('package')
      .set({ is_hide: true })
      .where('id', '=', await billing.makePackage('hidden'))
      .returning('id')
      .executeTakeFirstOrThrow();
    const role = await makeRole(east, 'cards', grantsOf(['card_manage', 'card_all']));
    await makeStaff(east, 'cashier', role);
    const line = { card_type: 'package', package_id: hidden.id, period: 1, count: 1 };
    expect((await billing.order(await api.login('cashier'), { cards: [line] })).code).toBe(errors.bad_input.code);
    const ending = await billing.makePackage('ending', { expire_at: api.clock.now() + day });
    api.clock.advance(60);
    await api.db.updateTable('package').set({ expire_at: api.clock.now() }).where('id', '=', ending).execute();
    expect(await refusal({ cards: [{ ...line, package_id: ending }] })).toEqual({ cards: '第1行：请选择有效的套餐' });
  });

  it('lets a role limited to devices make cards for those devices only', async () => {
    const { api, east, shipId } = billing;
    const role = await makeRole(east, 'ship', grantsOf(['card_manage', 'card_all']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [shipId],
    });
    await makeStaff(east, 'purser', role);
    const purser = await api.login('purser');
    expect(await billing.order(purser)).toMatchObject({ data: { fields: { bind_type: '您的管理范围仅限指定设备，请绑定设备' } } });
    expect((await billing.order(purser, { bind_type: 'device', device_id: billing.otherId })).code).toBe(errors.bad_input.code);
    const { id } = await billing.make({ bind_type: 'device', device_id: shipId }, purser);
    expect((await purser.call(calls.list)).data.list.map((r) => r.id)).toEqual([id]);
    expect((await purser.call(cardCalls.list)).data.total).toBe(3);
  });
});

describe('the creation of a batch', () => {
  const count = runs(50_000, 12_000);

  it('leaves no cards when it is killed, and completes at the next attempt', { tags: 'all' }, async () => {
    const { api, east } = billing;
    const before = await billing.debt();
    const { id } = (await billing.order(east, { cards: [amount('1', count)] })).data;
    // The insert that reaches half of the cards terminates the connection, once.
    await sql`create sequence kill_once`.execute(api.db);
    await sql
      .raw(
        `create function kill_in_the_middle() returns trigger language plpgsql as $$ begin
          if (select count(*) from recharge_card where rule_id = ${id}) >= ${count / 2} and nextval('kill_once') = 1 then
            perform pg_terminate_backend(pg_backend_pid()); end if; return null; end $$;
        create trigger kill_in_the_middle after insert on recharge_card for each statement execute function kill_in_the_middle();`,
      )
      .execute(api.db);
    await billing.runJobs();
    const left = await api.db.selectFrom('recharge_card').select('id').where('rule_id', '=', id).execute();
    expect(left).toEqual([]);
    expect((await east.call(calls.read, { id })).data.state).toBe('making');
    expect(await billing.debt()).toEqual(before);
    expect((await east.call(calls.remove, { id })).code).toBe(errors.card_batch_making.code);
    expect((await east.call(calls.export, { ids: [id] })).code).toBe(errors.card_batch_making.code);

    api.clock.advance(60);
    await billing.runJobs();
    await sql.raw('drop trigger kill_in_the_middle on recharge_card').execute(api.db);
    expect((await east.call(calls.read, { id })).data).toMatchObject({ state: 'ready', made_count: count });
    const { rows } = await sql<{ n: number; numbers: number }>`
      select count(*)::int as n, count(distinct number)::int as numbers from recharge_card where rule_id = ${id}`.execute(api.db);
    expect(rows).toEqual([{ n: count, numbers: count }]);
    expect(Number((await billing.debt()).card_stock) - Number(before.card_stock)).toBe(count);
  });

  it('runs once with several job runners', async () => {
    const { id } = (await billing.order(billing.east, { cards: [amount('2', 6000)] })).data;
    await Promise.all([billing.runJobs(), billing.runJobs(), billing.runJobs()]);
    const { n } = await billing.api.db
      .selectFrom('recharge_card')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('rule_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(n).toBe(6000);
  });

  it('fails after three attempts, and the failed batch can be deleted', async () => {
    const { api, east } = billing;
    await sql
      .raw(
        `create function never() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
        create trigger never before insert on recharge_card for each statement execute function never();`,
      )
      .execute(api.db);
    const { id } = (await billing.order(east)).data;
    for (let tries = 0; tries < 3; tries++) {
      await billing.runJobs();
      api.clock.advance(600);
    }
    await sql.raw('drop trigger never on recharge_card').execute(api.db);
    const again = await api.login('east');
    expect((await again.call(calls.read, { id })).data).toMatchObject({ state: 'failed', made_count: 0 });
    expect((await again.call(calls.remove, { id })).code).toBe(0);
  });
});
