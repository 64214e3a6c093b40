import { readFile } from 'node:fs/promises';
import { type infoCalls as calls, infoForm } from '@farlink/contract/market/info-setup.ts';
import { uploads } from '@farlink/contract/rules.ts';
import { inheritedLogos, logoUrl } from '../../domain/brand/brand.ts';
import { cleanLogo, type LogoUse, requestBrandSync, setLogo } from '../../domain/brand/set-logo.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { isUpload } from '../../kit/files/upload.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { ownScope, requireOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

export const readInfo: Handler<typeof calls.read> = async (ctx) => {
  const row = await ctx.db
    .selectFrom('agent')
    .leftJoin('prefix', 'prefix.id', 'agent.prefix_id')
    .leftJoin('customer', (join) => join.onRef('customer.agent_id', '=', 'agent.id').on('customer.is_owner', '=', true))
    .select([
      'agent.id',
      'agent.version',
      'agent.name',
      'customer.username',
      'agent.code',
      'agent.third_id',
      'agent.contacts',
      'agent.phone',
      'agent.email',
      'agent.introduction',
      'agent.logo',
      'agent.device_logo',
      'agent.agent_mode',
      'prefix.prefix as account_prefix',
    ])
    .where(ownScope(ctx.me, 'agent.id'))
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  const inherited = await inheritedLogos(ctx.db, ctx.me.agent_id);
  const { logo, device_logo, ...shown } = row;
  return {
    ...shown,
    agent_logo: logoUrl(logo),
    device_logo: logoUrl(device_logo),
    inherited_agent_logo: logoUrl(inherited.logo),
    inherited_device_logo: logoUrl(inherited.device_logo),
  };
};

const editable = Object.keys(infoForm.fields);

export const saveInfo: Handler<typeof calls.save> = async (ctx, input) => {
  const row = await ctx.db.selectFrom('agent').selectAll().where(ownScope(ctx.me, 'agent.id')).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  if (row.version !== input.version) throw fail('stale');
  const desired = {
    name: input.name,
    contacts: input.contacts,
    phone: input.phone,
    email: input.email || null,
    introduction: input.introduction || null,
  };
  const [stored, requested]: Record<string, unknown>[] = [row, desired];
  const changed = editable.filter((name) => stored?.[name] !== requested?.[name]);
  if (changed.length === 0) throw fail('unchanged');
  await ctx.db
    .updateTable('agent')
    .set({ ...desired, update_at: ctx.now(), version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  if (changed.includes('name')) await requestBrandSync(ctx);
  const only = (values: Record<string, unknown> | undefined) => Object.fromEntries(changed.map((name) => [name, values?.[name]]));
  record(ctx, [`修改运营商信息 ${desired.name}`, `Changed the operator information of ${desired.name}`], {
    before: only(stored),
    after: only(requested),
  });
};

const fieldOf = { agent: 'agent_logo', device: 'device_logo' } as const;
const named = { agent: ['后台Logo', 'console logo'], device: ['设备Logo', 'device logo'] } as const;

/** File names are not trusted: the image is decoded and re-encoded before it is stored. */
const imageOf = async (file: unknown) => {
  const image = isUpload(file) ? await cleanLogo(await readFile(file.path)) : undefined;
  if (!image) throw fail('wrong_media', { fields: { file: uploads.logo.text } });
  return image;
};

const uploadLogo = async (ctx: Ctx, use: LogoUse, file: unknown): Promise<string> => {
  requireOwnVno(ctx);
  const { before, after } = await setLogo(ctx, ctx.me.agent_id, use, await imageOf(file));
  const [zh, en] = named[use];
  record(ctx, [`上传${zh}`, `Uploaded the ${en}`], { before: { [fieldOf[use]]: before }, after: { [fieldOf[use]]: after } });
  return `${logoUrl(after)}`;
};

export const uploadAgentLogo: Handler<typeof calls.agentLogo> = async (ctx, { file }) => ({
  agent_logo: await uploadLogo(ctx, 'agent', file),
});

export const uploadDeviceLogo: Handler<typeof calls.deviceLogo> = async (ctx, { file }) => ({
  device_logo: await uploadLogo(ctx, 'device', file),
});

const removeLogo = (use: LogoUse) => async (ctx: Ctx) => {
  requireOwnVno(ctx);
  const { before } = await setLogo(ctx, ctx.me.agent_id, use, null);
  if (before === null) throw fail('unchanged');
  const [zh, en] = named[use];
  record(ctx, [`移除${zh}`, `Removed the ${en}`], { before: { [fieldOf[use]]: before }, after: { [fieldOf[use]]: null } });
};

export const removeAgentLogo: Handler<typeof calls.removeAgentLogo> = removeLogo('agent');
export const removeDeviceLogo: Handler<typeof calls.removeDeviceLogo> = removeLogo('device');
