import type { CommandOp } from '@farlink/contract/device/command.ts';
import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { DeviceEventKind } from '@farlink/contract/protocol/event.ts';
import { sql } from 'kysely';
import { describeEvent } from '../../../domain/device/describe-event.ts';
import { bytesOf, waitOf } from '../../../domain/device/wait-reason.ts';
import { inOwnedPeriod } from '../../../domain/transfer/in-owned-period.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { actedBy, operatorName, operatorValue, operatorVno } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { findDevice, subjectOf } from '../find-device.ts';

/** Events belong to the VNO at their time, so a transferred device does not reveal earlier events. */
export const listHistory: Handler<typeof calls.history> = async (ctx, input) => {
  const device = await findDevice(ctx, input.id);
  const query = ctx.db
    .selectFrom('device_event')
    .select([
      sql<number>`('x' || substr(md5(device_event.id), 1, 12))::bit(48)::bigint`.as('id'),
      'device_event.at',
      'device_event.reported_at',
      sql<DeviceEventKind>`device_event.kind`.as('kind'),
      'device_event.doc',
    ])
    .where('device_event.device_id', '=', device.id)
    .where(inScope(ctx.me, 'device_event.agent_id'));
  const page = await pageOf(ctx.db, calls.history, input, query);
  return {
    ...page,
    list: page.list.map(({ doc, ...row }) => ({ ...row, content: say(describeEvent(row.kind, isRecord(doc) ? doc : {}), ctx.lang) })),
  };
};

export const listCommands: Handler<typeof calls.commands> = async (ctx, input) => {
  const device = await findDevice(ctx, input.id);
  const isOwned = await inOwnedPeriod(ctx, device.id);
  const query = ctx.db
    .selectFrom('device_command')
    .select([
      sql<number>`('x' || device_command.id)::bit(48)::bigint`.as('id'),
      'device_command.create_at',
      sql<CommandOp>`device_command.op`.as('op'),
      'device_command.args',
      sql<0 | 1 | 2 | 3 | 4 | 5 | 6>`device_command.state`.as('state'),
      'device_command.progress',
      'device_command.code',
      'device_command.err',
      operatorName(ctx, 'device_command.operator', operatorVno('device_command.operator_agent_id', 'device_command.uid')).as('operator'),
      'device_command.sends',
      'device_command.sent_at',
      'device_command.deadline',
      'device_command.finish_at',
    ])
    .where('device_command.device_id', '=', device.id)
    .where(isOwned('device_command.create_at'))
    // Reading a page is not an operator action.
    .where('device_command.op', '<>', 'page.read');
  const page = await pageOf(ctx.db, calls.commands, input, query);
  const now = ctx.now();
  return {
    ...page,
    list: page.list.map(({ args, ...row }) => ({
      ...row,
      waits:
        row.state === commandState.ids.queued ? waitOf(device, bytesOf(args) + 64, now, row.op, isRecord(args) ? args : undefined) : null,
    })),
  };
};

/** Operator log of one device. */
export const listDeviceLog: Handler<typeof calls.log> = async (ctx, input) => {
  const { id } = await findDevice(ctx, input.id);
  const isOwned = await inOwnedPeriod(ctx, id);
  const query = ctx.db
    .selectFrom('syslog')
    .select([
      'syslog.id',
      'syslog.action',
      'syslog.result',
      'syslog.create_at',
      sql<string>`${sql.ref(`syslog.content_${ctx.lang}`)}`.as('content'),
      sql<string | null>`${sql.ref(`syslog.message_${ctx.lang}`)}`.as('message'),
      operatorName(ctx, 'syslog.name', 'syslog.agent_id').as('name'),
      actedBy(ctx, 'syslog.acted_by').as('acted_by'),
      operatorValue(ctx, 'syslog.ip', 'syslog.agent_id').as('ip'),
    ])
    .where('syslog.subject', '=', subjectOf(id))
    .where(isOwned('syslog.create_at'));
  return pageOf(ctx.db, calls.log, input, query);
};
