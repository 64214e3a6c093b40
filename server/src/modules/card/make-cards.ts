import type { cardLine, cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import type { Input } from '@farlink/contract/kit/field.ts';
import { cents, yuan } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import { maySeePackage } from '../../domain/package/package-sql.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { localTime } from '../../kit/formats/cell.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { orderJob } from '../../kit/jobs/job.ts';
import { record } from '../../kit/log/record.ts';
import { bindingOf } from './card-binding.ts';

type Line = Input<typeof cardLine>;

const atLine = (i: number, text: Text) => failAt('cards', fill(['第{0}行：{1}', 'Line {0}: {1}'], i + 1, text));
const noPackage: Text = ['请选择有效的套餐', 'Please select a valid package'];
const faceValueTooHigh: Text = ['卡面值不能超过{0}元', 'The face value of a card cannot exceed {0} yuan'];

/** Value of a card of each line: its amount, or the package price times the periods. */
const priceLines = async (ctx: Ctx, lines: readonly Line[]) => {
  const ids = lines.flatMap((line) => (line.card_type === 'package' && line.package_id ? [line.package_id] : []));
  const packages = await ctx.db
    .selectFrom('package')
    .select(['id', 'price', 'name'])
    .where('id', 'in', [...ids, 0])
    .where(maySeePackage(ctx.me, 'online'))
    .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', ctx.now())]))
    .execute();
  return lines.map(({ card_type, package_id, period, denomination, count }, i) => {
    if (card_type === 'amount') return { card_type, package_id: null, period: null, denomination: denomination ?? '0', count };
    const found = packages.find((p) => p.id === package_id);
    if (!found) throw atLine(i, noPackage);
    const worth = cents(found.price) * BigInt(period ?? 1);
    if (worth > BigInt(limits.cardValueMax) * 100n) throw atLine(i, fill(faceValueTooHigh, limits.cardValueMax));
    return { card_type, package_id: found.id, period: period ?? 1, denomination: yuan(worth), count };
  });
};

/** Day and id: readable and unique. */
const batchNo = (id: number, now: number) =>
  `C${localTime(now, zoneMinutes).slice(0, 10).replaceAll('-', '')}${String(id).padStart(6, '0')}`;

/** Each line becomes a batch. A background job makes the cards, because 50,000 cards take time. */
export const makeCards: Handler<typeof cardRuleCalls.make> = async (ctx, input) => {
  const binding = await bindingOf(ctx, input);
  const lines = await priceLines(ctx, input.cards);
  const now = ctx.now();
  const { name, expire_at, remark = null } = input;
  const list: { id: number; batch_no: string; job_id: number }[] = [];
  for (const line of lines) {
    const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('card_rule', 'id')) as id`.execute(ctx.db);
    const id = Number(rows[0]?.id);
    const batch_no = batchNo(id, now);
    const job_id = await orderJob(ctx.db, now, { kind: 'make_cards', payload: { rule_id: id }, key: `make_cards:${id}`, me: ctx.me });
    const row = { id, batch_no, name, ...line, ...binding, expire_at, remark, producer: ctx.me.name };
    await ctx.db
      .insertInto('card_rule')
      .values({ ...row, agent_id: ctx.me.agent_id, customer_id: ctx.me.uid, job_id, create_at: now, update_at: now })
      .execute();
    record(ctx, [`制卡 ${batch_no}，共 ${line.count} 张`, `Ordered ${line.count} cards as batch ${batch_no}`], { after: row });
    list.push({ id, batch_no, job_id });
  }
  const [first] = list;
  if (!first) throw new Error('no batch was ordered');
  return { id: first.id, job_id: first.job_id, success: list.length, fail: 0, errors: [], list };
};
