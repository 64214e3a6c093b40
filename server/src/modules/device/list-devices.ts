import { isAttention } from '@farlink/contract/device/attention.ts';
import { dockerStatus } from '@farlink/contract/device/choices.ts';
import { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { device } from '@farlink/contract/device/device-resource.ts';
import { type InputOf, operateKey } from '@farlink/contract/kit/endpoint.ts';
import { int, text } from '@farlink/contract/kit/field.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { hasDocker } from '@farlink/contract/log/docker-log.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { attentionSql } from '../../domain/device/attention-sql.ts';
import { authorizationRows } from '../../domain/device/authorization-sql.ts';
import { belowOwners, ofOwners, ownersOf, type Subject, subjectOwners } from '../../domain/owners.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders } from '../../kit/export/export-job.ts';
import { ownExports, requestExport } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { groupScope, wholeGroupScope } from '../../kit/list/device-scope.ts';
import { narrowOptions } from '../../kit/list/options.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { deviceQuery, deviceScope } from './device-query.ts';
import { deviceTagsOf, isRaw, readLinkColors, withDeviceTags } from './device-tags.ts';

/** Filters on columns; `conditionOf` applies the others. */
const columnFilters = device.filters.filter((name) => name !== 'attention' && name !== 'auth_status');

const narrowed = (db: Db, reader: { readonly me: SessionInfo; readonly now: number }, condition: RawBuilder<SqlBool>) =>
  deviceQuery(db, reader).where(condition);

const conditionOf = async (db: Db, now: number, { attention, auth_status }: Values): Promise<RawBuilder<SqlBool>> => {
  const needed = isAttention(attention) ? await attentionSql(db, attention, now) : sql<SqlBool>`true`;
  return sql<SqlBool>`${needed} and ${authorizationRows(auth_status, now)}`;
};

/** The run time changes every second, but the order of run times does not. An authorization expires at any time. */
const sortable = {
  ...device,
  filters: columnFilters,
  fields: {
    ...device.fields,
    run_order: int(device.fields.run_time.label, { sort: true }),
    auth_order: text(device.fields.auth_status.label, { sort: true }),
  },
  columns: [...device.columns, 'run_order', 'auth_order'],
};
const orderOf = (orderby: string | undefined) => orderby?.replace(/^run_time /, 'run_order ').replace(/^auth_status /, 'auth_order ');

export const listDevices: Handler<typeof calls.list> = async (ctx, input) => {
  const request = { ...input, orderby: orderOf(input.orderby) };
  const condition = await conditionOf(ctx.db, ctx.now(), input.filters);
  const [page, colors] = await Promise.all([
    pageOf(
      ctx.db,
      { ...calls.list, resource: sortable },
      request,
      narrowed(ctx.db, { me: ctx.me, now: ctx.now() }, condition),
      ctx.db.selectFrom('device').where(deviceScope(ctx.me)),
    ),
    readLinkColors(ctx.db),
  ]);
  return { ...page, list: page.list.map((row) => withDeviceTags(row, colors)) };
};

/** Devices that a form may offer: of the VNO of its accounts or group, in reach of its files, or online with Docker. */
const fitsForm = async (ctx: Ctx, request: InputOf<typeof calls.option>): Promise<RawBuilder<SqlBool>> => {
  if (request.subject === 'file') return belowOwners('device.agent_id', await subjectOwners(ctx, request));
  if (request.subject === 'docker')
    return sql<SqlBool>`device.online_state = 1 and device.docker_status = any(${dockerStatus.map(({ id }) => id).filter(hasDocker)}::int[])`;
  const owners = request.subject === 'group' ? await groupOwners(ctx, request) : await subjectOwners(ctx, request);
  return ofOwners('device.agent_id', owners);
};

/** A group belongs to the VNO of its first device, and keeps it. */
const groupOwners = async (ctx: Ctx, { id, device_ids }: InputOf<typeof calls.option>) =>
  id ? ownersOf(ctx, 'device_group', [id]) : ownersOf(ctx, 'device', device_ids ?? []);

export const deviceOptions: Handler<typeof calls.option> = async (ctx, request) => {
  const query = ctx.db
    .selectFrom('device')
    .select(['id', 'name', 'sn'])
    .where(deviceScope(ctx.me))
    .where(await fitsForm(ctx, request))
    .orderBy('name')
    .orderBy('id');
  const rows = await narrowOptions(query, request, 'device', { name: 'name', sn: 'code' }).execute();
  return Object.fromEntries(rows.map((r) => [r.id, `${r.name} (${r.sn})`]));
};

/** Forms in which an operator with a device scope cannot bind to a group. */
const bindsDevicesOnly = new Set<unknown>(['account', 'card', 'template']);

const groupsFor = ({ me }: Ctx, { subject }: Subject): RawBuilder<SqlBool> => {
  if (subject === 'package') return wholeGroupScope(me);
  return me.rights.device_ids && bindsDevicesOnly.has(subject) ? sql<SqlBool>`false` : groupScope(me);
};

export const groupOptions: Handler<typeof calls.groupOption> = async (ctx, request) => {
  const query = ctx.db
    .selectFrom('device_group')
    .innerJoin('agent', 'agent.id', 'device_group.agent_id')
    .select(['device_group.id', 'device_group.name', 'device_group.agent_id', 'agent.name as agent_name'])
    .where(groupsFor(ctx, request))
    .where(ofOwners('device_group.agent_id', await subjectOwners(ctx, request)))
    .orderBy('device_group.name');
  return ownedOptions(ctx.me, await narrowOptions(query, request, 'device_group', { name: undefined }).execute());
};

export const exportDevices: Handler<typeof calls.export> = async (ctx, input) => {
  const filters = 'filters' in input && typeof input.filters === 'object' ? { ...input.filters } : {};
  const query = narrowed(ctx.db, { me: ctx.me, now: ctx.now() }, await conditionOf(ctx.db, ctx.now(), filters));
  const { total } = await pageOf(ctx.db, { ...calls.list, resource: sortable }, { page: 1, limit: 1, filters }, query);
  if (total === 0) throw fail('export_empty');
  return requestExport(ctx, { call: calls.export, title: ['设备', 'devices'], format: input.format, input });
};

export const listDeviceExports: Handler<typeof calls.exports> = (ctx, input) =>
  pageOf(ctx.db, calls.exports, input, ownExports(ctx, calls.export));

export const deviceExports: ExportBuilders = {
  [operateKey(calls.export)]: async (deps, { me }, { filters }) => {
    const colors = await readLinkColors(deps.db);
    const now = deps.clock.now();
    const condition = await conditionOf(deps.db, now, filters);
    return {
      query: narrowed(deps.db, { me, now }, condition),
      resource: { ...device, filters: columnFilters },
      read: (row) => (isRaw(row) ? { ...row, ...deviceTagsOf(row, colors) } : row),
    };
  },
};
