import type { portalCalls as calls } from '@farlink/contract/market/portal.ts';
import { type SqlBool, sql } from 'kysely';
import { PackageFault } from '../../domain/portal/template-package/package-fault.ts';
import { readPackage, type TemplatePackage } from '../../domain/portal/template-package/read-package.ts';
import type { Deps } from '../../kit/deps.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { isUpload } from '../../kit/files/upload.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope, requireOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { usableBy } from './find-portal.ts';
import { namesText } from './write.ts';

const checked = async (deps: Deps, path: string): Promise<TemplatePackage> => {
  try {
    return await readPackage(deps, path);
  } catch (error) {
    throw error instanceof PackageFault ? failAt('file', error.text) : error;
  }
};

export const uploadTemplate: Handler<typeof calls.uploadTemplate> = async (ctx, { name, file, device_type }) => {
  requireOwnVno(ctx);
  if (!isUpload(file)) throw failAt('file', ['请选择文件', 'Please choose a file']);
  const { manifest, parts, sha256 } = await checked(ctx.deps, file.path);
  await ctx.db
    .insertInto('portal_parts')
    .values({ sha256, css: parts.css, fragments: JSON.stringify(parts.fragments), images: JSON.stringify(parts.images) })
    .onConflict((conflict) => conflict.column('sha256').doNothing())
    .execute();
  const { id } = await ctx.db
    .insertInto('portal_template')
    .values({
      name,
      device_type,
      agent_id: ctx.me.agent_id,
      kind: 'package',
      manifest: JSON.stringify(manifest),
      parts_sha256: sha256,
      operator: ctx.me.name,
      create_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`上传门户模板 ${name}`, `Uploaded portal template ${name}`], {
    after: { name, device_type, file: file.name, package: `${manifest.name} ${manifest.version}`, sha256 },
  });
  return { id };
};

export const removeTemplate: Handler<typeof calls.removeTemplate> = async (ctx, { id }) => {
  const seen = sql<SqlBool>`(${usableBy(ctx.me.agent_id)} or ${inScope(ctx.me, 'portal_template.agent_id')})`;
  const template = await lockRow(ctx, 'portal_template', id, seen);
  if (template.agent_id === null) throw fail('portal_template_built_in');
  // A template of a VNO above can be used, not deleted.
  const own = await ctx.db
    .selectFrom('portal_template')
    .select('id')
    .where('id', '=', id)
    .where(inScope(ctx.me, 'portal_template.agent_id'))
    .executeTakeFirst();
  if (!own) throw fail('denied');
  const used = await ctx.db.selectFrom('portal').select('name').where('template_id', '=', id).orderBy('name').execute();
  if (used.length > 0) throw fail('portal_template_in_use', { args: [namesText(used.map(({ name }) => name))] });
  await ctx.db.deleteFrom('portal_template').where('id', '=', id).execute();
  record(ctx, [`删除门户模板 ${template.name}`, `Deleted portal template ${template.name}`], { before: { name: template.name } });
};
