import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardRuleCalls as calls } from '@farlink/contract/card/card-rule.ts';
import { errors } from '@farlink/contract/errors.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, grantsOf } from '../../../test/api.ts';
import { type CardFixture, day, openCardFixture } from '../../../test/card-fixture.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { enqueue } from '../../kit/jobs/job.ts';

let billing: CardFixture;
let east: Caller;
beforeAll(async () => {
  billing = await openCardFixture();
  east = billing.east;
});
beforeEach(() => billing.api.clock.advance(1));
afterEach(async () => expect(await auditLedger(billing.api.db)).toEqual([]));
afterAll(() => billing.api.close());

const zh = (name: keyof typeof errors) => errors[name].text[0];
const cardOf = (id: number) => billing.api.db.selectFrom('recharge_card').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const lastLog = () => billing.api.db.selectFrom('syslog').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
const terms = (more: object = {}) => ({ expire_at: billing.api.clock.now() + 60 * day, bind_type: 'none', ...more });
const moved = async (work: () => Promise<unknown>) => {
  const before = await billing.debt();
  await work();
  const after = await billing.debt();
  return {
    stock: Number(after.card_stock ?? 0) - Number(before.card_stock ?? 0),
    debt: Number(after.card_debt ?? 0) - Number(before.card_debt ?? 0),
  };
};

describe('the card lists', () => {
  it('show the data of a card, but never its password', async () => {
    const { id, card } = await billing.make({
      cards: [{ card_type: 'package', package_id: billing.packageId, period: 2, count: 2 }],
      bind_type: 'device',
      device_id: billing.shipId,
      remark: '备注',
    });
    const { list, total } = (await east.call(cardCalls.list, { rule_id: id })).data;
    expect(total).toBe(2);
    expect(list[1]).toMatchObject({
      number: card.number,
      password: '****************',
      card_type: 'package',
      period: 2,
      denomination: '60.20',
      package_name: '月租 10GB',
      status: 'unused',
      bind_type: 'device',
      device_name: '东海一号',
      used_user: null,
      used_at: null,
      remark: '备注',
      agent_name: 'VNO east',
    });
    expect(JSON.stringify(list)).not.toContain(card.password);
    expect(JSON.stringify(list)).not.toContain('v1.');
  });

  it('find a card by each filter, and accept each sortable column', async () => {
    const { id, card } = await billing.make({
      cards: [{ card_type: 'amount', denomination: '77.70', count: 1 }],
      bind_type: 'group',
      device_group_id: billing.groupId,
    });
    const sailor = await billing.subscriber();
    await billing.redeem(card, sailor.id);
    const now = billing.api.clock.now();
    const yes = {
      number: card.number.slice(3, 12),
      rule_id: id,
      status: 'used',
      card_type: 'amount',
      bind_type: 'group',
      used_user: sailor.account,
      producer: '测试',
      denomination: '77.7',
      vno_id: billing.eastId,
    };
    const no = {
      status: 'unused',
      card_type: 'package',
      bind_type: 'none',
      used_user: 'nobody',
      producer: 'nobody',
      denomination: '77.71',
      vno_id: billing.childId,
      package_id: billing.packageId,
      device_id: billing.shipId,
    };
    const found = async (filter: object) => (await east.call(cardCalls.list, { rule_id: id, ...filter })).data.total;
    for (const [key, value] of Object.entries(yes)) expect(await found({ [key]: value }), key).toBe(1);
    for (const [key, value] of Object.entries(no)) expect(await found({ [key]: value }), key).toBe(0);
    expect(await found({ denomination: '70', cond_denomination: 'gt' })).toBe(1);
    expect(await found({ used_at_start: now - 5, used_at_end: now + 5 })).toBe(1);
    expect(await found({ used_at_start: now + 1 })).toBe(0);
    expect(await found({ expire_at_end: now })).toBe(0);
    const rules = async (filter: object) => (await east.call(calls.list, { rule_id: id, ...filter })).data.total;
    expect(await rules({ card_type: 'amount', bind_type: 'group', denomination: '70', cond_denomination: 'gt' })).toBe(1);
    expect(await rules({ device_id: billing.shipId })).toBe(0);
    expect(await rules({ create_at_end: now - 10 * day })).toBe(0);
    for (const column of ['number', 'status', 'used_at', 'expire_at', 'create_at'])
      expect((await east.call(cardCalls.list, { orderby: `${column} desc` })).code, column).toBe(0);
    for (const column of ['batch_no', 'name', 'denomination', 'count', 'used_count', 'expire_at', 'create_at'])
      expect((await east.call(calls.list, { orderby: `${column} asc` })).code, column).toBe(0);
    expect((await east.call(calls.option)).data[id]).toMatch(/^C\d+ 春季促销$/);
  });

  it('are limited to the branch: another VNO cannot find, read, reveal or change cards', async () => {
    const { id, card } = await billing.make();
    const { west, admin } = billing;
    for (const call of [calls.list, cardCalls.list]) expect((await west.call(call)).data.total).toBe(0);
    expect((await west.call(calls.option)).data).toEqual({});
    expect((await west.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect((await west.call(calls.remove, { id })).code).toBe(errors.not_found.code);
    expect((await west.call(calls.update, { id, version: 1, name: 'x', ...terms() })).code).toBe(errors.not_found.code);
    expect((await west.call(cardCalls.reveal, { id: card.id })).code).toBe(errors.not_found.code);
    expect((await billing.change([card.id], { status: 'disabled' }, west)).code).toBe(errors.not_found.code);
    expect((await west.call(calls.export, { ids: [id] })).code).toBe(errors.not_found.code);
    expect((await admin.call(calls.read, { id })).data.id).toBe(id);
    expect(await billing.stateOf(card.id)).toBe('unused');
  });
});

describe('the password of a card', () => {
  it('is revealed on request, and the operator log records it without the value', async () => {
    const { card } = await billing.make();
    expect((await east.call(cardCalls.reveal, { id: card.id })).data).toEqual({ value: card.password });
    const log = await lastLog();
    expect(log).toMatchObject({ content_zh: `查看充值卡 ${card.number} 的卡密`, module: 'card', result: 'success' });
    expect(JSON.stringify(log)).not.toContain(card.password);
  });

  it('is not revealed with the right to view only, which permits no other action either', async () => {
    const { api } = billing;
    const { id, card } = await billing.make();
    const role = await makeRole(east, 'look', grantsOf(['card_all', 'card_manage', 'card_export', 'make_card'], '10'));
    await makeStaff(east, 'looker', role);
    const looker = await api.login('looker');
    expect((await looker.call(cardCalls.list, { rule_id: id })).data.total).toBe(3);
    for (const reply of [
      await looker.call(cardCalls.reveal, { id: card.id }),
      await billing.change([card.id], { status: 'disabled' }, looker),
      await billing.order(looker),
      await looker.call(calls.remove, { id }),
      await looker.call(calls.export, { ids: [id] }),
    ])
      expect(reply.code).toBe(errors.denied.code);
  });
});

describe('changing cards', () => {
  it('changes the unused cards of a selection, and reports the reason for the others', async () => {
    const { cards } = await billing.make();
    const [one, two, three] = cards.map((c) => c.id);
    const [, second] = cards;
    if (!one || !two || !three || !second) throw new Error('no cards');
    await billing.redeem(second, (await billing.subscriber()).id);
    const expire_at = billing.api.clock.now() + 90 * day;
    const input = { expire_at, bind_type: 'device', device_id: billing.shipId, remark: '改' };
    const { data } = await billing.change([one, two, three, 999_999], input);
    expect(data).toMatchObject({ success: 2, fail: 2 });
    expect(data.list.map((row) => row.message)).toEqual(['', zh('card_not_changeable'), '', zh('not_found')]);
    expect(await cardOf(one)).toMatchObject({ expire_at, device_id: billing.shipId, remark: '改' });
    expect(await cardOf(two)).toMatchObject({ device_id: null, remark: null });
    expect((await billing.change([one, three], input)).code).toBe(errors.unchanged.code);
    await billing.change([one], { ...input, expire_at: expire_at + day, remark: undefined });
    expect((await cardOf(one)).remark).toBe('改');
    await billing.change([one], { ...input, remark: null });
    expect((await cardOf(one)).remark).toBeNull();
    expect((await billing.change([one], terms({ expire_at: 1 }))).data).toMatchObject({ fields: { expire_at: '有效期不能早于当前时间' } });
    const entries = await billing.api.db.selectFrom('syslog').selectAll().where('content_en', 'like', 'Changed%').orderBy('id').execute();
    expect(entries.map((e) => [e.content_en, e.result, e.message_zh])).toEqual([
      ['Changed 2 cards', 'success', null],
      [`Changed card ${second.number}`, 'fail', zh('card_not_changeable')],
      [`Changed card ${cards[0]?.number}`, 'success', null],
      [`Changed card ${cards[0]?.number}`, 'success', null],
    ]);
    expect(entries[0]?.after).toMatchObject({ expire_at, device_id: billing.shipId });
  });

  it('voids cards permanently, and removes their value from the ledger', async () => {
    const { cards } = await billing.make();
    const ids = cards.slice(0, 2).map((c) => c.id);
    expect(await moved(() => billing.change(ids, { status: 'disabled' }))).toEqual({ stock: -100, debt: 100 });
    expect(await Promise.all(cards.map((c) => billing.stateOf(c.id)))).toEqual(['disabled', 'disabled', 'unused']);
    expect(await moved(() => billing.change(ids, { status: 'disabled' }))).toEqual({ stock: 0, debt: 0 });
    expect((await billing.change(ids, terms())).data).toMatchObject({ success: 0, fail: 2 });
    expect((await billing.change(ids, { status: 'unused' })).code).toBe(errors.bad_input.code);
  });

  it('voids each card once when requests are concurrent', async () => {
    const { cards } = await billing.make();
    const ids = cards.map((c) => c.id);
    const work = () => Promise.all(Array.from({ length: 8 }, () => billing.change(ids, { status: 'disabled' })));
    expect(await moved(work)).toEqual({ stock: -150, debt: 150 });
  });

  it('accepts at most 500 cards', async () => {
    const ids = Array.from({ length: 501 }, (_, i) => i + 1);
    expect((await billing.change(ids, { status: 'disabled' })).code).toBe(errors.bad_input.code);
  });
});

describe('cards past their expiry', () => {
  it('become expired and are written off exactly once', async () => {
    const { api } = billing;
    const { cards, id } = await billing.make({ expire_at: api.clock.now() + 100 });
    const [used, gone] = cards;
    if (!used || !gone) throw new Error('no cards');
    await billing.redeem(used, (await billing.subscriber()).id);
    api.clock.advance(100);
    // The card is expired but not swept yet: it can no longer be changed.
    expect((await billing.change([gone.id], terms())).data.list[0]?.message).toBe(zh('card_not_changeable'));
    const sweep = async () => {
      await enqueue(api.db, api.clock.now(), { kind: 'expire_cards' });
      await billing.runJobs();
    };
    expect(await moved(sweep)).toEqual({ stock: -100, debt: 100 });
    expect(await Promise.all(cards.map((c) => billing.stateOf(c.id)))).toEqual(['used', 'expired', 'expired']);
    expect(await moved(sweep)).toEqual({ stock: 0, debt: 0 });
    expect((await east.call(cardCalls.list, { rule_id: id, status: 'expired' })).data.total).toBe(2);
  });
});

describe('a card batch', () => {
  it('requires the current version for a change, which applies to its unused cards only', async () => {
    const { id, cards } = await billing.make();
    const [used, , voided] = cards;
    if (!used || !voided) throw new Error('no cards');
    await billing.redeem(used, (await billing.subscriber()).id);
    await billing.change([voided.id], { status: 'disabled' });
    const row = (await east.call(calls.read, { id })).data;
    expect(row).toMatchObject({ used_count: 1, usage: 33, device_id: null, device_group_id: null, version: 1 });
    const input = { id, version: 1, name: '夏季', expire_at: row.expire_at, bind_type: 'group', device_group_id: billing.groupId };
    expect((await east.call(calls.update, { ...input, version: 9 })).code).toBe(errors.stale.code);
    expect((await east.call(calls.update, input)).code).toBe(0);
    expect((await lastLog()).after).toEqual({ name: '夏季', device_group_id: billing.groupId });
    expect((await east.call(calls.update, { ...input, version: 2 })).code).toBe(errors.unchanged.code);
    expect((await east.call(calls.read, { id })).data).toMatchObject({
      name: '夏季',
      bind_type: 'group',
      bind_name: '东海船队',
      version: 2,
    });
    expect(await Promise.all(cards.map(async (c) => (await cardOf(c.id)).device_group_id))).toEqual([null, billing.groupId, null]);
    const past = { ...input, version: 2, expire_at: billing.api.clock.now() - 1 };
    expect((await east.call(calls.update, past)).data).toMatchObject({ fields: { expire_at: '有效期不能早于当前时间' } });
  });

  it('of many cards is changed in the background, to the latest values', async () => {
    const { id } = await billing.make({ cards: [{ card_type: 'amount', denomination: '1', count: 2001 }] });
    const change = (version: number, days: number) =>
      east.call(calls.update, { id, version, name: '春季促销', expire_at: billing.api.clock.now() + days * day, bind_type: 'none' });
    await change(1, 50);
    await change(2, 70);
    const ends = () => billing.api.db.selectFrom('recharge_card').select('expire_at').distinct().where('rule_id', '=', id).execute();
    expect(await ends()).toEqual([{ expire_at: billing.api.clock.now() + 30 * day }]);
    await billing.runJobs();
    expect(await ends()).toEqual([{ expire_at: billing.api.clock.now() + 70 * day }]);
  });

  it('keeps individual values of a card if the change of the batch does not concern them', async () => {
    const { id, cards } = await billing.make();
    const [special] = cards;
    if (!special) throw new Error('no cards');
    const own = terms({ remark: '特别' });
    await billing.change([special.id], own);
    const row = (await east.call(calls.read, { id })).data;
    await east.call(calls.update, { id, version: 1, name: '改名', expire_at: row.expire_at, bind_type: 'none' });
    expect(await cardOf(special.id)).toMatchObject({ expire_at: own.expire_at, remark: '特别' });
  });

  it('can be deleted with its cards while no card is used, and its value is removed from the ledger', async () => {
    const { id, cards } = await billing.make();
    const [voided] = cards;
    if (!voided) throw new Error('no cards');
    await billing.change([voided.id], { status: 'disabled' });
    expect(await moved(() => east.call(calls.remove, { id }))).toEqual({ stock: -100, debt: 100 });
    expect((await east.call(calls.read, { id })).code).toBe(errors.not_found.code);
    expect((await east.call(cardCalls.list, { rule_id: id })).data.total).toBe(0);
    const other = await billing.make();
    await billing.redeem(other.card, (await billing.subscriber()).id);
    expect((await east.call(calls.remove, { id: other.id })).code).toBe(errors.card_batch_used.code);
  });

  it('is kept once a password was viewed or exported, and its unused cards can be voided together', async () => {
    const viewed = await billing.make();
    const exported = await billing.make();
    const listed = await billing.make();
    const untouched = await billing.make();
    expect((await east.call(cardCalls.reveal, { id: viewed.card.id })).code).toBe(0);
    expect((await east.call(calls.export, { ids: [exported.id], format: 'csv' })).code).toBe(0);
    expect((await east.call(cardCalls.export, { rule_id: listed.id, format: 'csv' })).code).toBe(0);
    await billing.runJobs();
    for (const { id, cards } of [viewed, exported, listed]) {
      expect(await east.call(calls.remove, { id })).toMatchObject({
        code: errors.card_batch_revealed.code,
        msg: zh('card_batch_revealed'),
      });
      expect((await east.call(calls.read, { id })).data.revealed_at).toBe(billing.api.clock.now());
      expect(await billing.stateOf(cards[0]?.id ?? 0)).toBe('unused');
    }
    expect((await east.call(calls.remove, { id: untouched.id })).code).toBe(0);
    const { id, cards } = viewed;
    const [used, voided, left] = cards;
    if (!used || !voided || !left) throw new Error('no cards');
    await billing.redeem(used, (await billing.subscriber()).id);
    await billing.change([voided.id], { status: 'disabled' });
    expect(await moved(() => east.call(calls.void, { id }))).toEqual({ stock: -50, debt: 50 });
    expect(await Promise.all(cards.map((card) => billing.stateOf(card.id)))).toEqual(['used', 'disabled', 'disabled']);
    expect((await east.call(calls.void, { id })).msg).toBe(zh('card_not_changeable'));
    expect((await billing.west.call(calls.void, { id: listed.id })).code).toBe(errors.not_found.code);
  });

  it('is either deleted or used, never both, when deletion and redemption are concurrent', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, cards } = await billing.make();
      const sailors = await Promise.all(cards.map(() => billing.subscriber()));
      const [removed, ...redeemed] = await Promise.all([
        east.call(calls.remove, { id }),
        ...cards.map((card, i) => billing.redeem(card, sailors[i]?.id ?? 0, billing.admin)),
      ]);
      expect([errors.card_batch_used.code, 0]).toContain(removed.code);
      expect(redeemed.some((reply) => reply === '')).toBe(removed.code !== 0);
      expect(await auditLedger(billing.api.db)).toEqual([]);
      billing.api.clock.advance(601);
      east = await billing.api.login('east');
      billing.admin = await billing.api.login('admin');
    }
  });
});
