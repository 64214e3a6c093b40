import { nasCalls as calls } from '@farlink/contract/advanced/nas.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { requireVno } from '../../domain/owners.ts';
import { nasScope } from '../../domain/radius/find-nas.ts';
import { newSecret } from '../../domain/radius/gateway-nas.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { open, seal } from '../../kit/session/secret.ts';

/** Whether requests carried a Message-Authenticator; mixed means that both kinds were received. */
const signing = sql<'signed' | 'mixed' | 'unsigned' | 'none'>`case when nas.ma_seen_at is null and nas.ma_missing_at is null then 'none'
  when nas.ma_missing_at is null then 'signed' when nas.ma_seen_at is null then 'unsigned' else 'mixed' end`;

export const nasQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('nas')
    .leftJoin('agent', 'agent.id', 'nas.agent_id')
    .select([
      'nas.id',
      'nas.version',
      'nas.name',
      'nas.identifier',
      'nas.transport',
      'nas.addr',
      'nas.require_ma',
      'nas.chap',
      'nas.mschap',
      'nas.vendor',
      'nas.no_gigawords',
      'nas.end_refused',
      'nas.is_proxy',
      'nas.interval_s',
      'nas.coa_port',
      'nas.language',
      'nas.login_protocol',
      'nas.router_hosts',
      'nas.last_at',
      'nas.login_seen_at',
      'nas.accounting_seen_at',
      'nas.class_returned',
      'nas.clock_offset_s',
      'nas.last_addr',
      'nas.wrong_secret',
      'nas.duplicates',
      'nas.drops',
      'nas.remark',
      'nas.create_at',
      'nas.site_device_id',
      'nas.agent_id as vno_id',
      'agent.name as agent_name',
      sql<string | null>`(select p.name from nas p where p.id = nas.via_nas_id)`.as('via_name'),
      sql<'gateway' | 'foreign'>`case when nas.device_id is null then 'foreign' else 'gateway' end`.as('kind'),
      signing.as('signing'),
      sql<boolean>`nas.uam_secret is not null`.as('has_uam_secret'),
      sql<number>`(select count(*)::int from online_session o where o.nas_id = nas.id and o.not_enforced_at is not null and o.logout_at is null)`.as(
        'not_enforced',
      ),
      // The secret of a gateway is not shown: it belongs to the gateway alone.
      sql<string | null>`case when nas.device_id is null then '********' end`.as('shared_secret'),
      sql<string>`case when nas.device_id is null then nas.identifier || '#' || nas.id else nas.identifier end`.as('psk_identity'),
    ])
    .where(nasScope(ctx));

export const listNas: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, nasQuery(ctx));

type Settings = Omit<InputOf<typeof calls.create>, 'vno_id' | 'secret' | 'uam_secret'>;

const invalidDevice: Text = ['请选择该VNO的设备', 'Please select a device of this VNO'];

/** The site must be a device of the same VNO, within the scope of the session. */
const requireSite = async (ctx: Ctx, agentId: number, deviceId: number | null | undefined) => {
  if (deviceId === null || deviceId === undefined) return;
  const device = await ctx.db
    .selectFrom('device')
    .select('agent_id')
    .where('id', '=', deviceId)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .executeTakeFirst();
  if (device?.agent_id !== agentId) throw failAt('site_device_id', invalidDevice);
};

const columnsOf = (input: Settings) => ({
  name: input.name,
  identifier: input.identifier,
  transport: input.transport,
  addr: input.addr ?? null,
  site_device_id: input.site_device_id ?? null,
  vendor: input.vendor,
  require_ma: input.require_ma ?? true,
  chap: input.chap ?? false,
  mschap: input.mschap ?? false,
  no_gigawords: input.no_gigawords ?? false,
  end_refused: input.end_refused ?? true,
  is_proxy: input.is_proxy ?? false,
  interval_s: input.interval_s,
  coa_port: input.coa_port,
  language: input.language,
  login_protocol: input.login_protocol ?? 'none',
  router_hosts: input.router_hosts?.toLowerCase() ?? null,
  remark: input.remark ?? null,
});

/** Sealed. An empty field keeps the stored secret; another protocol deletes it. */
const uamSecretOf = (ctx: Ctx, { login_protocol }: Settings, typed: string | null | undefined, stored: string | null = null) => {
  if (login_protocol !== 'uam') return null;
  return typed ? seal(ctx.deps.config.secretKey, typed) : stored;
};

export const createNas: Handler<typeof calls.create> = async (ctx, { vno_id, secret, uam_secret, ...input }) => {
  const vno = await requireVno(ctx, vno_id);
  await requireSite(ctx, vno.id, input.site_device_id);
  const columns = columnsOf(input);
  const { id } = await ctx.db
    .insertInto('nas')
    .values({
      ...columns,
      agent_id: vno.id,
      secret: seal(ctx.deps.config.secretKey, secret || newSecret()),
      uam_secret: uamSecretOf(ctx, input, uam_secret),
      create_at: ctx.now(),
      update_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`为VNO ${vno.name} 新增NAS ${columns.name}`, `Created NAS ${columns.name} for VNO ${vno.name}`], { after: columns });
  return { id };
};

const lockNas = (ctx: Ctx, id: number) => lockRow(ctx, 'nas', id, nasScope(ctx));

/** The NAS of a gateway follows its device. */
const lockForeign = async (ctx: Ctx, id: number) => {
  const nas = await lockNas(ctx, id);
  if (nas.device_id !== null) throw fail('nas_of_gateway');
  return nas;
};

export const updateNas: Handler<typeof calls.update> = async (ctx, { id, version, uam_secret: typed, ...input }) => {
  const nas = await lockForeign(ctx, id);
  if (nas.version !== version) throw fail('stale');
  await requireSite(ctx, nas.agent_id, input.site_device_id);
  const after = columnsOf(input);
  const before = columnsOf(nas);
  const uam_secret = uamSecretOf(ctx, input, typed, nas.uam_secret);
  if (uam_secret === nas.uam_secret && JSON.stringify(after) === JSON.stringify(before)) throw fail('unchanged');
  await ctx.db
    .updateTable('nas')
    .set({ ...after, uam_secret, update_at: ctx.now(), version: nas.version + 1 })
    .where('id', '=', id)
    .execute();
  record(ctx, [`修改NAS ${nas.name}`, `Changed NAS ${nas.name}`], { before, after });
};

export const removeNas: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const nas = await lockForeign(ctx, id);
  await ctx.db.deleteFrom('nas').where('id', '=', id).execute();
  record(ctx, [`删除NAS ${nas.name}`, `Deleted NAS ${nas.name}`], { before: columnsOf(nas) });
};

export const rotateNas: Handler<typeof calls.rotate> = async (ctx, { id }) => {
  const nas = await lockNas(ctx, id);
  const secret = seal(ctx.deps.config.secretKey, newSecret());
  await ctx.db
    .updateTable('nas')
    .set({ secret, update_at: ctx.now(), version: nas.version + 1, wrong_secret: 0 })
    .where('id', '=', id)
    .execute();
  record(ctx, [`更换NAS ${nas.name} 的密钥`, `Rotated the secret of NAS ${nas.name}`]);
  return null;
};

/** The access is logged before the value is returned. */
export const revealNas: Handler<typeof calls.reveal> = async (ctx, { id }) => {
  const nas = await lockForeign(ctx, id);
  record(ctx, [`查看NAS ${nas.name} 的密钥`, `Viewed the secret of NAS ${nas.name}`]);
  return { value: open(ctx.deps.config.secretKey, nas.secret) };
};
