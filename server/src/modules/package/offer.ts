import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { priceText } from '@farlink/contract/kit/money.ts';
import type { offerCalls } from '@farlink/contract/package/offer.ts';
import { type SqlBool, sql } from 'kysely';
import { subjectOwners } from '../../domain/owners.ts';
import { type DeviceBinding, offeredAt } from '../../domain/package/find-package.ts';
import { capacityText, maySeePackage } from '../../domain/package/package-sql.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { inScope } from '../../kit/list/scope.ts';

type Input = InputOf<typeof offerCalls.option>;

interface Buyer extends DeviceBinding {
  readonly account_type: string;
}

/** Selected accounts, or the account with the typed name. */
const buyersOf = async (ctx: Ctx, { ids = [], account }: Input): Promise<Buyer[]> => {
  if (!ids?.length && !account) return [];
  return ctx.db
    .selectFrom('subscriber')
    .select(['agent_id', 'device_id', 'device_group_id', 'account_type'])
    .distinct()
    .where(ids?.length ? sql<SqlBool>`id = any(${[...ids]}::bigint[])` : sql<SqlBool>`lower(account) = lower(${account ?? ''})`)
    .where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'))
    .execute();
};

/** Bindings of a new account. */
const bindingsOf = async (ctx: Ctx, input: Input): Promise<DeviceBinding[]> => {
  const { subject, bind_type, device_id, device_group_id } = input;
  if (subject === 'config')
    return (await subjectOwners(ctx, input)).map((agent_id) => ({ agent_id, device_id: null, device_group_id: null }));
  if (bind_type === 'vno') return [{ agent_id: ctx.me.agent_id, device_id: null, device_group_id: null }];
  // The form still sends the previous device after the operator switches to a group.
  if (device_id && bind_type !== 'group') {
    const device = ctx.db.selectFrom('device').select(['id', 'agent_id']).where('id', '=', device_id);
    const rows = await device.where(inScope(ctx.me, 'device.agent_id', 'device.id')).execute();
    return rows.map(({ id, agent_id }) => ({ agent_id, device_id: id, device_group_id: null }));
  }
  if (!device_group_id || bind_type === 'device') return [];
  const group = ctx.db.selectFrom('device_group').select(['id', 'agent_id']).where('id', '=', device_group_id);
  const rows = await group.where(inScope(ctx.me, 'device_group.agent_id')).execute();
  return rows.map(({ id, agent_id }) => ({ agent_id, device_id: null, device_group_id: id }));
};

/** Packages that can be sold to all of these accounts, or for this binding. Each option shows price and capacity. */
export const packageOffers: Handler<typeof offerCalls.option> = async (ctx, input) => {
  const buyers = await buyersOf(ctx, input);
  const bindings = buyers.length > 0 ? buyers : await bindingsOf(ctx, input);
  const isTemp = input.account_type === 'temp_card' || buyers.some((buyer) => buyer.account_type === 'temp_card');
  const rows = await ctx.db
    .selectFrom('package')
    .innerJoin('agent', 'agent.id', 'package.agent_id')
    .select(['package.id', 'package.name', 'price', 'weight', capacityText(ctx.lang).as('capacity')])
    .select(['package.agent_id', 'agent.name as agent_name'])
    .where(maySeePackage(ctx.me, input.kind === 'addition' ? 'extra' : 'online'))
    .where((eb) => eb.or([eb('package.expire_at', 'is', null), eb('package.expire_at', '>', ctx.now())]))
    .where(isTemp ? sql<SqlBool>`cycle_length is null` : sql<SqlBool>`true`)
    .where((eb) => eb.and(bindings.map((binding) => eb(offeredAt(binding), '=', true))))
    .orderBy('weight', 'desc')
    .orderBy('package.name')
    .limit(10_000)
    .execute();
  // Nothing is sold to job accounts, so they see no prices.
  const isFree = input.account_type === 'job' || (buyers.length > 0 && buyers.every((buyer) => buyer.account_type === 'job'));
  const called = ownedOptions(ctx.me, rows);
  const hasSeveralOwners = new Set(rows.map(({ agent_id }) => agent_id)).size > 1;
  const joined = (...parts: readonly string[]) => parts.filter(Boolean).join(' · ');
  return Object.fromEntries(
    rows.map(({ id, name, price, weight, capacity, agent_name }) => {
      const amount = isFree ? '' : priceText(price);
      return [
        id,
        {
          name: joined(called[id] ?? name, amount, capacity),
          title: name,
          amount,
          detail: joined(hasSeveralOwners ? agent_name : '', capacity),
          price: isFree ? '0.00' : price,
          weight,
        },
      ];
    }),
  );
};
