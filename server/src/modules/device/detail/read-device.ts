import type { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { deviceQuery } from '../device-query.ts';
import { readLinkColors, withDeviceTags } from '../device-tags.ts';

export const readDevice: Handler<typeof calls.read> = async (ctx, { id }) => {
  const query = deviceQuery(ctx.db, { me: ctx.me, now: ctx.now() }).where('device.id', '=', id);
  const [row, colors] = await Promise.all([query.executeTakeFirst(), readLinkColors(ctx.db)]);
  if (!row) throw fail('not_found');
  return withDeviceTags(row, colors);
};
