import type { terminalCalls as calls } from '@farlink/contract/config/terminal.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { requirePage } from '../../../domain/config/access.ts';
import { findTarget } from '../../../domain/config/target.ts';
import { openSession } from '../../../domain/remote/open-session.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { readValues } from './run.ts';

/** Service of each terminal page, and its parameters for the gateway. */
const terminals: Readonly<Record<string, { service: 'telnet' | 'modem' | 'acu'; to: (values: JsonObject) => JsonObject }>> = {
  telnet_gateway: { service: 'telnet', to: () => ({}) },
  telnet_modem: { service: 'modem', to: ({ modem = '', protocol = 'telnet' }) => ({ target: modem, proto: protocol }) },
  telnet_antenna: { service: 'acu', to: ({ antenna = '', port = 23 }) => ({ target: antenna, to: port }) },
};

const encodingOf = (value: unknown) => (value === 'gbk' || value === 'latin1' ? value : 'utf8');

export const openTerminal: Handler<typeof calls.open> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requirePage(ctx.me, input.page, 'write');
  const known = Object.hasOwn(terminals, page.key) ? terminals[page.key] : undefined;
  if (!known) throw fail('not_found');
  const values = await readValues(ctx, device, page, input.values);
  return openSession(ctx, device.id, known.service, {
    reason: String(values.reason),
    encoding: encodingOf(values.encoding),
    read_only: values.read_only === true,
    lband: values.allow_lband === true,
    to: known.to(values),
  });
};
