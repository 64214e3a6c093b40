import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { grantsOf } from '../../../test/api.ts';
import { type CardFixture, day, openCardFixture } from '../../../test/card-fixture.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../ledger/check-ledger.ts';
import { isCardNumber, newCards } from './card-number.ts';

let billing: CardFixture;
beforeAll(async () => {
  billing = await openCardFixture();
});
// Sessions end after 15 minutes; a wrong try of one test must not count in the next.
beforeEach(() => billing.api.clock.advance(1));
afterEach(async () => expect(await auditLedger(billing.api.db)).toEqual([]));
afterAll(() => billing.api.close());

const zh = (name: keyof typeof errors) => errors[name].text[0];
const rowOf = (id: number) => billing.api.db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const holdings = (id: number) => billing.api.db.selectFrom('holding').selectAll().where('subscriber_id', '=', id).execute();

describe('a card', () => {
  it('of an amount is credited once, with a ledger entry of its VNO', async () => {
    const { api, eastId } = billing;
    const { card, id: ruleId } = await billing.make();
    const before = await billing.debt();
    const buyer = await billing.subscriber();
    expect(await billing.redeem(card, buyer.id)).toBe('');
    expect((await rowOf(buyer.id)).balance).toBe('50.00');
    expect(await billing.redeem(card, buyer.id)).toBe(zh('card_used'));
    expect((await rowOf(buyer.id)).balance).toBe('50.00');
    const row = await api.db.selectFrom('recharge_card').selectAll().where('id', '=', card.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 'used', used_user: buyer.account, subscriber_id: buyer.id, used_at: api.clock.now() });
    const rule = await api.db.selectFrom('card_rule').select('used_count').where('id', '=', ruleId).executeTakeFirstOrThrow();
    expect(rule.used_count).toBe(1);
    const [entry] = await api.db.selectFrom('ledger_entry').selectAll().where('card_id', '=', card.id).execute();
    expect(entry).toMatchObject({ channel: 'card', agent_id: eastId, income: '50.00', account: buyer.account, cause: `card:${card.id}` });
    expect(Number((await billing.debt()).card_debt) - Number(before.card_debt)).toBe(50);
  });

  it('of a package grants its number of periods', async () => {
    const { card } = await billing.make({ cards: [{ card_type: 'package', package_id: billing.packageId, period: 3, count: 1 }] });
    const buyer = await billing.subscriber();
    expect(await billing.redeem(card, buyer.id)).toBe('');
    const bought = await holdings(buyer.id);
    expect(bought.map((h) => [h.package_id, h.price])).toEqual(Array(3).fill([billing.packageId, '30.10']));
    expect(await rowOf(buyer.id)).toMatchObject({ balance: '0.00', package_id: billing.packageId, package_status: 'to_be_used' });
  });

  it('is accepted with its password in lower case', async () => {
    const { card } = await billing.make();
    const buyer = await billing.subscriber();
    expect(await billing.redeem({ number: card.number, password: card.password.toLowerCase() }, buyer.id)).toBe('');
  });

  it('is redeemed exactly once by a hundred concurrent attempts for ten subscribers', async () => {
    const { api } = billing;
    const { card, id: ruleId } = await billing.make();
    const buyers = await Promise.all(Array.from({ length: 10 }, () => billing.subscriber()));
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => billing.redeem(card, buyers[i % 10]?.id ?? 0)));
    expect(replies.filter((a) => a === '')).toHaveLength(1);
    expect(replies.filter((a) => a === zh('card_used'))).toHaveLength(99);
    const balances = await Promise.all(buyers.map(async ({ id }) => (await rowOf(id)).balance));
    expect(balances.toSorted()).toEqual([...Array(9).fill('0.00'), '50.00']);
    expect(await api.db.selectFrom('ledger_entry').select('id').where('card_id', '=', card.id).execute()).toHaveLength(1);
    const rule = await api.db.selectFrom('card_rule').select('used_count').where('id', '=', ruleId).executeTakeFirstOrThrow();
    expect(rule.used_count).toBe(1);
  });

  it('is refused with its reason if it is expired, voided, or of an ended package', async () => {
    const { api } = billing;
    const buyer = await billing.subscriber();
    const { card } = await billing.make({ expire_at: api.clock.now() + 100 });
    api.clock.advance(100);
    expect(await billing.redeem(card, buyer.id)).toBe(zh('card_expired'));
    const other = await billing.make();
    await billing.change([other.card.id], { status: 'disabled' });
    expect(await billing.redeem(other.card, buyer.id)).toBe(zh('card_void'));
    const package_id = await billing.makePackage('short', { expire_at: api.clock.now() + 2 * day });
    const third = await billing.make({ cards: [{ card_type: 'package', package_id, period: 1, count: 1 }] });
    await api.db.updateTable('package').set({ expire_at: api.clock.now() }).where('id', '=', package_id).execute();
    expect(await billing.redeem(third.card, buyer.id)).toBe(zh('card_package_missing'));
    expect(await holdings(buyer.id)).toEqual([]);
  });
});

describe('the scope of a card', () => {
  it('is the device or the group that it is bound to', async () => {
    const { shipId, otherId, groupId } = billing;
    const onShip = await billing.subscriber();
    const elsewhere = await billing.subscriber({ device_id: otherId });
    const inGroup = await billing.subscriber({ device_id: null, device_group_id: groupId });
    const device = await billing.make({ bind_type: 'device', device_id: shipId });
    expect(await billing.redeem(device.card, elsewhere.id)).toBe(zh('card_not_here'));
    expect(await billing.redeem(device.card, inGroup.id)).toBe(zh('card_not_here'));
    expect(await billing.redeem(device.card, onShip.id)).toBe('');
    const group = await billing.make({ bind_type: 'group', device_group_id: groupId });
    const [first, second] = group.cards;
    if (!first || !second) throw new Error('no cards');
    expect(await billing.redeem(first, elsewhere.id)).toBe(zh('card_not_here'));
    expect(await billing.redeem(first, inGroup.id)).toBe('');
    expect(await billing.redeem(second, onShip.id)).toBe('');
  });

  it('is its VNO and child VNOs, never a sibling or a parent', async () => {
    const { childId, child, west, westId, admin, eastId } = billing;
    const { cards } = await billing.make();
    const [one] = cards;
    if (!one) throw new Error('no card');
    const below = await billing.subscriber({ agent_id: childId, device_id: null });
    const sibling = await billing.subscriber({ agent_id: westId, device_id: null });
    expect(await billing.redeem(one, sibling.id, west)).toBe(zh('card_not_here'));
    expect(await billing.redeem(one, below.id, child)).toBe('');
    const lower = await billing.make({}, child);
    const own = await billing.subscriber({ agent_id: eastId, device_id: null });
    expect(await billing.redeem(lower.card, own.id)).toBe(zh('card_not_here'));
    expect(await billing.redeem(lower.card, below.id, admin)).toBe('');
  });

  it('is limited to devices where its package is offered', async () => {
    const { card } = await billing.make({ cards: [{ card_type: 'package', package_id: billing.packageId, period: 1, count: 1 }] });
    const elsewhere = await billing.subscriber({ device_id: billing.otherId });
    expect(await billing.redeem(card, elsewhere.id)).toBe(zh('package_other_device'));
    expect(await billing.stateOf(card.id)).toBe('unused');
  });
});

describe('guessing a card', () => {
  it('gets the same reply for a wrong number and a wrong password, and is refused after too many attempts', async () => {
    const { api, east } = billing;
    const role = await makeRole(east, 'teller', grantsOf(['user_list']));
    await makeStaff(east, 'guesser', role);
    const guesser = await api.login('guesser');
    const { card } = await billing.make();
    const buyer = await billing.subscriber();
    const [unknown] = newCards(1);
    if (!unknown) throw new Error('no card');
    const mistyped = `${card.number.slice(0, 15)}${(Number(card.number[15]) + 1) % 10}`;
    expect(isCardNumber(mistyped)).toBe(false);
    const wrong = [
      { number: card.number, password: unknown.password },
      { number: unknown.number, password: card.password },
      { number: mistyped, password: card.password },
    ];
    for (let tries = 0; tries < limits.cardTries; tries++) {
      const guess = wrong[tries % 3];
      if (guess) expect(await billing.redeem(guess, buyer.id, guesser)).toBe(zh('card_wrong'));
    }
    // Also refuses the right password, so that a refusal reveals nothing.
    expect(await billing.redeem(card, buyer.id, guesser)).toBe(zh('too_many'));
    expect(await billing.stateOf(card.id)).toBe('unused');
    expect(await billing.redeem(card, buyer.id, east)).toBe('');
    api.clock.advance(limits.cardTriesS);
    const next = await billing.make();
    expect(await billing.redeem(next.card, buyer.id, guesser)).toBe('');
    api.clock.advance(limits.cardTriesS);
    const parallel = await Promise.all(Array.from({ length: 30 }, () => billing.redeem(unknown, buyer.id, guesser)));
    expect(parallel.filter((reason) => reason === zh('card_wrong'))).toHaveLength(limits.cardTries);
  });
});
