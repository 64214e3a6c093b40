import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { dockerCalls as calls, dockerInfo, hasDocker } from '@farlink/contract/log/docker-log.ts';
import { fieldText } from '@farlink/contract/log/field-texts.ts';
import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { sendCommand } from '../../orders/command.ts';

const dockerLines = (db: Db, { me, lang }: JobOwner) =>
  db
    .selectFrom('docker_log')
    .leftJoin('agent', 'agent.id', 'docker_log.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'docker_log.device_id').on(inScope(me, 'device.agent_id', 'device.id')))
    .select([
      'docker_log.id',
      'docker_log.device_id',
      'device.name as device_name',
      'docker_log.sn',
      'docker_log.container',
      'docker_log.image',
      'docker_log.docker_status',
      'docker_log.action',
      'docker_log.cpu',
      'docker_log.memory',
      'docker_log.content',
      'docker_log.result',
      operatorName<string | null>({ me, lang }, 'docker_log.operator').as('operator'),
      'docker_log.create_at',
      'docker_log.agent_id as vno_id',
      'agent.name as agent_name',
    ])
    .where(inScope(me, 'docker_log.agent_id', 'docker_log.device_id'));

export const listDockerLog: Handler<typeof calls.list> = async (ctx, input) => {
  const listing = await pageOf(
    ctx.db,
    calls.list,
    input,
    dockerLines(ctx.db, ctx),
    ctx.db.selectFrom('docker_log').where(inScope(ctx.me, 'docker_log.agent_id', 'docker_log.device_id')),
  );
  return { ...listing, list: listing.list.map((row) => ({ ...row, content: fieldText(row.content, ctx.lang) })) };
};

/** Seconds after which a reply is of no use to the operator. */
const answerWithinS = 600;

export const collectDocker: Handler<typeof calls.collect> = async (ctx, { device_ids, container }) => {
  const devices = await ctx.db
    .selectFrom('device')
    .select(['id', 'name', 'sn', 'online_state', 'docker_status', 'auth_status', 'auth_expire_at'])
    .where('id', 'in', device_ids)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .execute();
  const found = new Map(devices.map((device) => [device.id, device]));
  const named = (id: number) => {
    const { name = `#${id}` } = found.get(id) ?? {};
    return { content: [`采集 ${name} 的Docker信息`, `Requested Docker information of ${name}`] as const };
  };
  const result = await eachOf(ctx, device_ids, named, async (each, id) => {
    const device = found.get(id);
    if (!device) throw fail('not_found');
    if (device.online_state !== 1) throw fail('device_offline');
    if (!hasDocker(device.docker_status)) throw fail('docker_unavailable');
    const now = ctx.now();
    if (!mayReceive(authorizationAt(device.auth_status, device.auth_expire_at, now))) throw fail('device_unauthorized');
    await sendCommand(each.db, id, 'docker.info', container ? { container } : {}, { now, deadline: now + answerWithinS, by: ctx.me });
    record(each, named(id).content, { after: { sn: device.sn, container: container ?? undefined } });
  });
  return { ...result, list: result.list.map((outcome) => ({ ...outcome, name: found.get(outcome.id)?.name })) };
};

export const exportDockerLog: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['Docker日志', 'the Docker log'],
    format: input.format,
    input,
    query: dockerLines(ctx.db, ctx),
  });

export const dockerExports: ExportBuilders = {
  [operateKey(calls.export)]: (deps, owner) => ({
    query: dockerLines(deps.db, owner),
    resource: dockerInfo,
    values: { content: (value) => (typeof value === 'string' ? fieldText(value, owner.lang) : value) },
  }),
};
